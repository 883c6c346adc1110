import type { OrderPickup } from '@bancone/contract/orders'
import type { AskedNotice, OrderWhatsApp } from '@bancone/contract/whatsapp-orders'
import { ChevronRight, CircleCheck, CircleX, MessageCircle, Phone } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { useAction } from '../../../lib/use-action.ts'
import type { ModalProps } from '../../../lib/use-opened.ts'
import { ActionDialog } from '../../../ui/action-dialog.tsx'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { kindNames } from '../messages/messages-texts.ts'
import { Conversation } from './conversation.tsx'
import {
  consentText,
  messagesRow,
  nextNotice,
  noticeOf,
  noticeRow,
  type Row,
} from './order-messages-texts.ts'
import { type OrderWhatsAppActions, useOrderWhatsApp } from './use-order-whatsapp.ts'

type CustomerMessagesProps = {
  recordId: string
  number: string
  customer: string | null
  phone: string | null
  status: string
  pickup: OrderPickup
}

/** WhatsApp in the details of an order: how far the notice is, with one action, and the conversation. */
export function CustomerMessages(order: CustomerMessagesProps) {
  const id = useId()
  const { query, ...actions } = useOrderWhatsApp(order.recordId)
  const { data, error } = query
  // A support session does not see them.
  if (error instanceof ApiError && error.status === 403) return null
  if (!data && !error) return null
  if (data && !data.isOn) return null
  return (
    <section
      aria-labelledby={id}
      className="mt-4 flex flex-col gap-3 border-t border-line pt-4 print:hidden"
    >
      <h3 id={id} className="sr-only">
        Avvisi su WhatsApp
      </h3>
      {data ? (
        <>
          <MessagesRow whatsApp={data} order={order} actions={actions} />
          {data.conversation.length > 0 || data.windowEndsAt !== null ? (
            <Conversation order={order} whatsApp={data} onReply={actions.reply} />
          ) : null}
        </>
      ) : (
        <RetryAlert busy={query.isFetching} onRetry={() => void query.refetch()}>
          I messaggi WhatsApp non si sono caricati.
        </RetryAlert>
      )}
    </section>
  )
}

const icons = { plain: MessageCircle, good: CircleCheck, bad: CircleX }
const tones = { plain: 'text-muted', good: 'text-confirmed', bad: 'text-danger' }

type RowProps = {
  whatsApp: OrderWhatsApp
  order: CustomerMessagesProps
  actions: OrderWhatsAppActions
}

function MessagesRow({ whatsApp, order, actions }: RowProps) {
  const { busy, failure, run } = useAction()
  const [asks, setAsks] = useState(false)
  const state = useRef<HTMLParagraphElement>(null)
  const row = messagesRow(whatsApp, order)
  const kind = nextNotice(whatsApp)
  const Icon = icons[row.tone]
  const perform = (work: () => Promise<void>) => {
    void run(async () => {
      await work()
      // The button may be another one now.
      state.current?.focus()
    })
  }
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p
          ref={state}
          role="status"
          tabIndex={-1}
          className="flex min-w-0 flex-1 basis-56 items-start gap-2.5 outline-none"
        >
          <Icon aria-hidden className={cn('mt-0.5 size-4.5 shrink-0', tones[row.tone])} />
          <span className="text-pretty">{row.text}</span>
        </p>
        <RowAction
          row={row}
          kind={kind}
          busy={busy}
          phone={order.phone}
          onConsent={() => setAsks(true)}
          onNotify={() => perform(() => actions.notify(kind))}
          onCancel={() =>
            perform(async () => {
              const notice = noticeOf(whatsApp, kind)
              if (notice) await actions.cancel(notice.id)
            })
          }
        />
      </div>
      <FailureAlert failure={failure} />
      <MoreActions
        whatsApp={whatsApp}
        busy={busy}
        perform={perform}
        actions={actions}
        onConsent={row.action === 'call' ? () => setAsks(true) : undefined}
      />
      {asks ? (
        <ConsentDialog
          question={whatsApp.question.text}
          onConsent={() => actions.consent(true, whatsApp.question.version)}
          onClose={() => setAsks(false)}
          onReturnFocus={() => state.current?.focus()}
        />
      ) : null}
    </>
  )
}

const asks: Record<AskedNotice, string> = {
  ready: 'Avvisa che è pronto',
  part: 'Avvisa che una parte è pronta',
  reminder: 'Ricorda il ritiro',
  link: 'Manda il link Priority',
}

type RowActionProps = {
  row: Row
  kind: AskedNotice
  busy: boolean
  phone: string | null
  onConsent: () => void
  onNotify: () => void
  onCancel: () => void
}

function RowAction({ row, kind, busy, phone, onConsent, onNotify, onCancel }: RowActionProps) {
  switch (row.action) {
    case null:
      return null
    case 'consent':
      return (
        <Button aria-haspopup="dialog" onClick={onConsent}>
          Chiedi il consenso
        </Button>
      )
    case 'notify':
    case 'retry':
      return (
        <Button inactive={busy} onClick={onNotify}>
          {row.action === 'retry' ? 'Riprova' : asks[kind]}
        </Button>
      )
    case 'cancel':
      return (
        <Button inactive={busy} onClick={onCancel}>
          Annulla avviso
        </Button>
      )
    case 'call':
      return phone === null ? null : (
        <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`} className={buttonStyle()}>
          <Phone aria-hidden />
          Chiama
        </a>
      )
  }
}

type MoreProps = {
  whatsApp: OrderWhatsApp
  busy: boolean
  perform: (work: () => Promise<void>) => void
  actions: OrderWhatsAppActions
  /** Asks for the consent, where the row suggests to call. */
  onConsent: (() => void) | undefined
}

/** The other notices, the history of the consent, and what is needed seldom. */
function MoreActions({ whatsApp, busy, perform, actions, onConsent }: MoreProps) {
  const { consent, consents, question, sendsLinks, notices } = whatsApp
  const kind = nextNotice(whatsApp)
  const next = noticeOf(whatsApp, kind)
  const link = noticeOf(whatsApp, 'link')
  const waitsForMorning = next?.state === 'queued' && next.reason === 'hours'
  if (!consent && !onConsent) return null
  const button = (label: string, work: () => Promise<void>) => (
    <Button size="small" inactive={busy} onClick={() => perform(work)}>
      {label}
    </Button>
  )
  return (
    <details className="group text-sm">
      <summary className="-mx-1 flex min-h-11 w-fit cursor-pointer list-none items-center gap-1.5 rounded-control px-1 text-muted md:min-h-8 pointer-coarse:min-h-11">
        <ChevronRight
          aria-hidden
          className="size-4 transition-transform duration-150 group-open:rotate-90"
        />
        Consenso e altro
      </summary>
      <ul className="mt-1 flex flex-col gap-1 text-muted">
        {notices
          .filter((notice) => notice.kind !== kind)
          .map((notice) => (
            <li key={notice.id}>
              {kindNames[notice.kind]}: {noticeRow(notice).text}
            </li>
          ))}
        {consents.map((each) => (
          <li key={each.at}>{consentText(each)}</li>
        ))}
      </ul>
      {onConsent && !consent?.isGiven ? (
        <Button size="small" className="mt-3" aria-haspopup="dialog" onClick={onConsent}>
          Chiedi il consenso
        </Button>
      ) : null}
      {consent?.isGiven ? (
        <div className="mt-3 flex flex-wrap gap-2">
          {waitsForMorning
            ? button("Invia subito l'avviso", () => actions.notify(kind, true))
            : null}
          {link?.state === 'queued'
            ? button('Annulla il link', () => actions.cancel(link.id))
            : null}
          {sendsLinks && (!link || link.state === 'failed')
            ? button(asks.link, () => actions.notify('link'))
            : null}
          {button('Ritira il consenso', () => actions.consent(false, question.version))}
        </div>
      ) : null}
    </details>
  )
}

type ConsentDialogProps = ModalProps & {
  question: string
  onConsent: () => Promise<void>
}

/** What the staff ask the customer, and that they have agreed. */
function ConsentDialog({ question, onConsent, onClose, onReturnFocus }: ConsentDialogProps) {
  const [agreed, setAgreed] = useState(false)
  const { busy, failure, run } = useAction()
  return (
    <ActionDialog
      title="Chiedi al cliente"
      confirm="Registra il consenso"
      confirming="Salvataggio in corso…"
      look="primary"
      busy={busy}
      notYet={!agreed}
      action={() => {
        void run(async () => {
          await onConsent()
          onClose()
        })
      }}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <blockquote className="rounded-control border border-line bg-sunken px-3.5 py-2.5 text-pretty">
        «{question}»
      </blockquote>
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="size-4.5 shrink-0 accent-accent"
          checked={agreed}
          onChange={({ target }) => setAgreed(target.checked)}
        />
        Il cliente ha risposto di sì
      </label>
      <FailureAlert failure={failure} />
    </ActionDialog>
  )
}
