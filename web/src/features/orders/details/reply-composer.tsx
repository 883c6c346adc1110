import { REPLY_TEXT_LENGTH } from '@bancone/contract/reply-texts'
import { Copy, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { fillReply } from '../../../lib/reply-placeholders.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { NativeSelect } from '../../../ui/native-select.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import type { OrderView } from '../order-view.ts'
import { type PhoneNumber, whatsAppLink } from './phone-number.ts'
import type { WrittenReply } from './use-reply-texts.ts'

/** Names and numbers may be longer than their placeholders. */
const MAX_MESSAGE_LENGTH = 2 * REPLY_TEXT_LENGTH

type ReplyComposerProps = {
  order: OrderView
  phone: PhoneNumber
  texts: readonly WrittenReply[]
}

/** Selects and fills in a text template, which can be edited, and opens it in WhatsApp. */
export function ReplyComposer({ order, phone, texts }: ReplyComposerProps) {
  const [chosen, setChosen] = useState(0)
  /** The edited text; null while it equals the template. */
  const [changed, setChanged] = useState<string | null>(null)
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null)
  const text = texts[chosen] ?? texts[0]
  const message = changed ?? (text ? fillReply(text.text, order) : '')

  // The order source has not assigned a number yet, and the record id means nothing to a customer.
  const unnumbered = order.number === order.recordId && message.includes(order.recordId)

  function write(next: string | null) {
    setChanged(next)
    setCopied(null)
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(message)
      setCopied('yes')
    } catch {
      setCopied('no')
    }
  }

  return (
    <div className="flex flex-col gap-3">
      <NativeSelect
        label="Testo da usare"
        className="w-full"
        value={chosen}
        onChange={({ target }) => {
          setChosen(Number(target.value))
          write(null)
        }}
      >
        {texts.map(({ title }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: its place is what tells one from another
          <option key={index} value={index}>
            {title}
          </option>
        ))}
      </NativeSelect>
      <TextArea
        label="Messaggio"
        hint="Puoi cambiarlo prima di inviarlo. Passa da WhatsApp: non scriverci che cosa è stato ordinato."
        value={message}
        maxCharacters={MAX_MESSAGE_LENGTH}
        onChange={({ target }) => write(target.value)}
      />
      {unnumbered ? (
        <Alert tone="notice">
          L'ordine non ha ancora un numero: nel messaggio c'è un codice che al cliente non dice
          nulla.
        </Alert>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <a
          href={whatsAppLink(phone, message)}
          target="_blank"
          rel="noopener noreferrer"
          className={`${buttonStyle({ look: 'primary' })} flex-1`}
        >
          <ExternalLink aria-hidden />
          Scrivi su WhatsApp
          <span className="sr-only"> in una nuova scheda</span>
        </a>
        <Button onClick={() => void copy()}>
          <Copy aria-hidden />
          Copia testo
        </Button>
      </div>
      <p role="status" className="text-sm text-muted empty:hidden">
        {copied === 'yes' ? 'Testo copiato' : null}
        {copied === 'no' ? 'Copia non riuscita: seleziona il testo e copialo a mano.' : null}
      </p>
    </div>
  )
}
