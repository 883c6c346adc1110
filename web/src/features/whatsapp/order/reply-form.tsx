import { listReplyTexts } from '@bancone/contract/reply-texts'
import { REPLY_LENGTH } from '@bancone/contract/whatsapp-orders'
import { useEffect, useRef, useState } from 'react'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { randomId } from '../../../lib/random-id.ts'
import { fillReply } from '../../../lib/reply-placeholders.ts'
import { replySuggestions } from '../../../lib/reply-suggestions.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { NativeSelect } from '../../../ui/native-select.tsx'
import { TextArea } from '../../../ui/text-area.tsx'

/** Texts for conversations, after those of the pharmacy. */
const builtIn = [
  {
    title: 'Chiedi se vuole avvisi',
    text: 'Vuole che Le scriviamo qui quando l’ordine è pronto? Risponda AVVISAMI. Può smettere quando vuole scrivendo STOP.',
  },
  {
    title: 'Ricette e documenti',
    text: 'Per la Sua riservatezza qui non possiamo ricevere ricette né documenti: ci chiami o passi in farmacia. Grazie!',
  },
] as const

type ReplyFormProps = {
  order: { number: string; customer: string | null }
  /** @throws when it was not sent */
  onReply: (id: string, text: string) => Promise<void>
  onCancel: () => void
}

/** A reply to the customer: a text of the pharmacy, which can be changed. */
export function ReplyForm({ order, onReply, onCancel }: ReplyFormProps) {
  const { data } = useEndpoint(listReplyTexts, {})
  const own = data && data.texts.length > 0 ? data.texts : replySuggestions
  const texts = [...own, ...builtIn]
  const [chosen, setChosen] = useState<number | null>(null)
  const [text, setText] = useState('')
  // The same for every attempt, so that the reply is sent once.
  const [id, setId] = useState(randomId)
  const { busy, failure, clearFailure, run } = useAction()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])

  function write(next: string) {
    setText(next)
    setId(randomId())
  }

  return (
    <form
      ref={form}
      noValidate
      aria-label="Risposta al cliente"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        clearFailure()
        void run(() => onReply(id, text))
      }}
    >
      <NativeSelect
        label="Testo da usare"
        className="w-full"
        value={chosen ?? ''}
        onChange={({ target }) => {
          const index = Number(target.value)
          setChosen(index)
          write(fillReply(texts[index]?.text ?? '', order))
        }}
      >
        <option value="" disabled>
          Scegli un testo…
        </option>
        {texts.map(({ title }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: its place is what tells one from another
          <option key={index} value={index}>
            {title}
          </option>
        ))}
      </NativeSelect>
      <TextArea
        label="Messaggio"
        hint="Non scrivere che cosa è stato ordinato: il messaggio passa da WhatsApp."
        value={text}
        maxCharacters={REPLY_LENGTH}
        onChange={({ target }) => write(target.value)}
      />
      <FailureAlert failure={failure} />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          look="primary"
          inactive={busy || text.trim() === '' || text.length > REPLY_LENGTH}
        >
          {busy ? 'Invio in corso…' : 'Invia risposta'}
        </Button>
        <Button inactive={busy} onClick={onCancel}>
          Annulla
        </Button>
      </div>
    </form>
  )
}
