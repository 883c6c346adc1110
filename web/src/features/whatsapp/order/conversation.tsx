import type { ChatMessage, OrderWhatsApp } from '@bancone/contract/whatsapp-orders'
import { useId, useState } from 'react'
import { formatDateTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { replyState } from './order-messages-texts.ts'
import { ReplyForm } from './reply-form.tsx'

const SHORT = 4

type ConversationProps = {
  order: { number: string; customer: string | null }
  whatsApp: OrderWhatsApp
  onReply: (id: string, text: string) => Promise<void>
}

/** What the customer and the pharmacy have written in the last 30 days. */
export function Conversation({ order, whatsApp, onReply }: ConversationProps) {
  const { conversation, windowEndsAt } = whatsApp
  const [whole, setWhole] = useState(false)
  const [writing, setWriting] = useState(false)
  const listId = useId()
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
      <ol id={listId} aria-label="Conversazione su WhatsApp" className="flex flex-col gap-2">
        {shown.map((message) => (
          <Bubble key={message.id} message={message} />
        ))}
      </ol>
      {windowEndsAt === null ? (
        <p className="text-sm text-muted">
          Sono passate più di 24 ore dall'ultimo messaggio: si può rispondere quando il cliente
          scrive di nuovo.
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

function Bubble({ message }: { message: ChatMessage }) {
  const isOwn = message.from === 'pharmacy'
  const state = replyState(message)
  return (
    <li className={cn('flex max-w-[85%] flex-col', isOwn ? 'items-end self-end' : 'self-start')}>
      <p
        className={cn(
          'rounded-card border px-3 py-2 whitespace-pre-line wrap-anywhere',
          isOwn ? 'border-line bg-accent-soft' : 'border-line bg-sunken',
        )}
      >
        <span className="sr-only">{isOwn ? 'Farmacia: ' : 'Cliente: '}</span>
        {message.text ?? (
          <span className="text-muted">Foto, documento o audio: Bancone non lo scarica.</span>
        )}
      </p>
      <p className="mt-0.5 text-xs text-muted tabular-nums">
        {formatDateTime(message.at)}
        {state ? ` · ${state}` : null}
      </p>
    </li>
  )
}
