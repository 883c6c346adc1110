import { listReplyTexts } from '@bancone/contract/reply-texts'
import {
  type ChatMessage,
  type OrderWhatsApp,
  REPLY_LENGTH,
} from '@bancone/contract/whatsapp-orders'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { z } from 'zod/mini'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { randomId } from '../../../lib/random-id.ts'
import { fillReply } from '../../../lib/reply-placeholders.ts'
import { replySuggestions } from '../../../lib/reply-suggestions.ts'
import { useAction } from '../../../lib/use-action.ts'
import { useOpened } from '../../../lib/use-opened.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { NativeSelect } from '../../../ui/native-select.tsx'
import { WithCodesMarked } from '../../../ui/prescriptions.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { DraftSheet } from '../drafts/draft-sheet.tsx'
import { changeTexts, contentTexts, replyState } from './order-messages-texts.ts'

const SHORT = 4

/** State of the history entry that 'Leggi' above the orders adds. */
const Entry = z.object({ readsMessages: z.literal(true) })

type ConversationProps = {
  order: { number: string; customer: string | null; phone: string | null }
  whatsApp: OrderWhatsApp
  onReply: (id: string, text: string) => Promise<void>
}

/** What the customer and the pharmacy have written in the last 30 days. */
export function Conversation({ order, whatsApp, onReply }: ConversationProps) {
  const { conversation, windowEndsAt } = whatsApp
  const [whole, setWhole] = useState(false)
  const [writing, setWriting] = useState(false)
  const listId = useId()
  const list = useRef<HTMLOListElement>(null)
  const ordering = useOpened<ChatMessage>(list)
  const newest = conversation.findLast(({ from }) => from === 'customer')?.id
  const newestItem = useRef<HTMLLIElement>(null)
  useShownMessage(newest, newestItem)
  const shown = whole ? conversation : conversation.slice(-SHORT)
  return (
    <>
      {conversation.length > SHORT ? (
        <Button
          size="small"
          className="self-start"
          aria-expanded={whole}
          aria-controls={listId}
          onClick={() => setWhole(!whole)}
        >
          {whole ? 'Mostra meno' : `Mostra tutta la conversazione (${conversation.length})`}
        </Button>
      ) : null}
      <ol
        ref={list}
        id={listId}
        tabIndex={-1}
        aria-label="Conversazione su WhatsApp"
        className="flex flex-col gap-2 outline-none"
      >
        {shown.map((message) => (
          <Bubble
            key={message.id}
            ref={message.id === newest ? newestItem : undefined}
            message={message}
            onOrder={ordering.open}
          />
        ))}
      </ol>
      {ordering.item?.text ? (
        <DraftSheet
          draft={{
            ...order,
            ...ordering.item,
            text: ordering.item.text,
            isDeleted: ordering.item.change === 'deleted',
          }}
          isWaiting={false}
          {...ordering.modal}
        />
      ) : null}
      {windowEndsAt === null ? (
        <p className="text-sm text-muted">
          Si può rispondere entro 24 ore dall'ultimo messaggio del cliente.
        </p>
      ) : writing ? (
        <ReplyForm
          order={order}
          onReply={async (id, text) => {
            await onReply(id, text)
            setWriting(false)
          }}
          onCancel={() => setWriting(false)}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button onClick={() => setWriting(true)}>Rispondi</Button>
          <p className="text-sm text-muted tabular-nums">Fino al {formatDateTime(windowEndsAt)}</p>
        </div>
      )}
    </>
  )
}

/** Scrolls to the customer's newest message and focuses it, where the details were opened to read it. */
function useShownMessage(newest: string | undefined, item: RefObject<HTMLLIElement | null>) {
  const isRead = Entry.safeParse(useLocation().state).success
  const focused = useRef<Element>(null)
  useEffect(() => {
    if (!isRead || newest === undefined) return
    // A newer one is shown as long as the user has not gone on.
    if (focused.current && focused.current !== document.activeElement) return
    focused.current = item.current
    item.current?.focus()
    item.current?.scrollIntoView?.({ block: 'center' })
  }, [isRead, newest, item])
}

type BubbleProps = {
  ref: RefObject<HTMLLIElement | null> | undefined
  message: ChatMessage
  onOrder: (message: ChatMessage, opener: HTMLElement) => void
}

function Bubble({ ref, message, onOrder }: BubbleProps) {
  const isOwn = message.from === 'pharmacy'
  const { label, none } = contentTexts[message.content]
  return (
    <li
      ref={ref}
      tabIndex={ref ? -1 : undefined}
      className={cn('flex max-w-[85%] flex-col', isOwn ? 'items-end self-end' : 'self-start')}
    >
      <p
        className={cn(
          'rounded-card border px-3 py-2 whitespace-pre-line wrap-anywhere',
          isOwn ? 'border-line bg-accent-soft' : 'border-line bg-sunken',
        )}
      >
        <span className="sr-only">{isOwn ? 'Farmacia: ' : 'Cliente: '}</span>
        {message.text === null || label === null ? null : (
          <span className="block text-xs text-muted">{label}</span>
        )}
        {message.text === null ? (
          <span className="text-muted">{none}</span>
        ) : (
          <WithCodesMarked text={message.text} />
        )}
      </p>
      <div className="mt-0.5 flex flex-wrap items-center gap-x-2 text-xs text-muted tabular-nums">
        <p className={isOwn ? 'text-right' : undefined}>
          {formatDateTime(message.at)}
          {isOwn ? ` · ${replyState(message)}` : null}
          {message.change ? ` · ${changeTexts[message.change]}` : null}
          {message.order === 'made' ? ' · Ordine creato' : null}
        </p>
        {message.order === 'possible' ? (
          <Button
            look="link"
            size="bare"
            aria-haspopup="dialog"
            className="min-h-11 md:min-h-8 pointer-coarse:min-h-11"
            onClick={({ currentTarget }) => onOrder(message, currentTarget)}
          >
            Crea ordine
          </Button>
        ) : null}
      </div>
    </li>
  )
}

/** Texts for conversations, after those of the pharmacy. */
const builtIn = [
  {
    title: 'Chiedi se vuole avvisi',
    text: 'Vuole che Le scriviamo qui quando l’ordine è pronto? Risponda AVVISAMI. Può smettere quando vuole scrivendo STOP.',
  },
  {
    title: 'Ricette: i numeri, non le foto',
    text: 'Per la ricetta ci bastano il numero (NRE, 15 caratteri) e il codice fiscale: può scriverli qui. Per la Sua riservatezza non mandi foto né documenti. Grazie!',
  },
] as const

type ReplyFormProps = {
  order: { number: string; customer: string | null }
  /** @throws when it was not sent */
  onReply: (id: string, text: string) => Promise<void>
  onCancel: () => void
}

/** A reply to the customer: a text of the pharmacy, which can be changed. */
function ReplyForm({ order, onReply, onCancel }: ReplyFormProps) {
  const { data } = useEndpoint(listReplyTexts, {})
  const own = data && data.texts.length > 0 ? data.texts : replySuggestions
  const texts = [...own, ...builtIn]
  const [chosen, setChosen] = useState<number | null>(null)
  const [text, setText] = useState('')
  // The same for every attempt, so that the reply is sent once.
  const [id, setId] = useState(randomId)
  const { busy, failure, run } = useAction()
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
      data-unsaved={text === '' ? undefined : true}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
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
