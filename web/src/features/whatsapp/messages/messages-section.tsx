import {
  acceptWhatsAppTerms,
  getWhatsAppMessages,
  type MessageTemplate,
  switchOffWhatsAppMessages,
  type WhatsAppMessages,
} from '@bancone/contract/whatsapp-messages'
import { whatsAppTerms } from '@bancone/contract/whatsapp-terms'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { updateCached, useEndpoint } from '../../../lib/endpoint-query.ts'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { TermsDialog } from '../../../ui/terms-dialog.tsx'
import { toastSuccess } from '../../../ui/toast.ts'
import { MessageMeter } from './message-meter.tsx'
import { MessagesForm } from './messages-form.tsx'
import { kindNames, stopTexts, templateState } from './messages-texts.ts'

type MessagesSectionProps = { isOwner: boolean; hasPriority: boolean }

/** The messages to customers: off until an owner has read and accepted what they mean. */
export function MessagesSection({ isOwner, hasPriority }: MessagesSectionProps) {
  const query = useEndpoint(getWhatsAppMessages, {})
  return (
    <section
      aria-labelledby="whatsapp-messages"
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <QueryStates query={query} skeleton={<SectionSkeleton />}>
        {(messages) => <Contents messages={messages} isOwner={isOwner} hasPriority={hasPriority} />}
      </QueryStates>
    </section>
  )
}

function Contents({
  messages,
  isOwner,
  hasPriority,
}: MessagesSectionProps & { messages: WhatsAppMessages }) {
  const client = useQueryClient()
  const [reads, setReads] = useState(false)
  const [asks, setAsks] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const { isOn, stoppedFor, acceptance, sentToday, dailyLimit, waiting } = messages
  const keep = (changed: WhatsAppMessages) =>
    updateCached(client, getWhatsAppMessages, () => changed)
  const focusHeading = () => heading.current?.focus()

  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2
          ref={heading}
          id="whatsapp-messages"
          tabIndex={-1}
          className="text-lg font-medium tracking-tight outline-none"
        >
          Messaggi ai clienti
        </h2>
        <p className="text-sm font-medium text-muted">{isOn ? 'Attivi' : 'Non attivi'}</p>
      </div>
      <p className="-mt-2 text-sm text-pretty text-muted">
        {isOn && acceptance
          ? `Attivati il ${formatDateTime(acceptance.at)}${acceptance.by === null ? '' : ` da ${acceptance.by}`}. Oggi: ${formatNumber(sentToday)} di ${formatNumber(dailyLimit)} avvisi, ${formatNumber(waiting)} in attesa.`
          : 'Bancone può avvisare su WhatsApp i clienti che lo chiedono, senza dire che cosa hanno ordinato. Prima leggi che cosa comporta.'}
      </p>
      {stoppedFor ? <Alert tone="notice">{stopTexts[stoppedFor]}</Alert> : null}
      {isOn ? (
        <>
          <p className="-mt-2 text-sm text-pretty text-muted">
            Quello che i clienti scrivono può riguardare la salute, come i numeri di una ricetta: ne
            è titolare la farmacia, e Bancone lo tratta per suo conto.
          </p>
          <MessageMeter {...messages} />
          {isOwner ? (
            <MessagesForm messages={messages} hasPriority={hasPriority} onSaved={keep} />
          ) : null}
          <TemplateList templates={messages.templates} />
          {isOwner ? (
            <Button className="self-start" aria-haspopup="dialog" onClick={() => setAsks(true)}>
              Disattiva i messaggi
            </Button>
          ) : null}
        </>
      ) : isOwner ? (
        <Button
          look="primary"
          className="self-start"
          aria-haspopup="dialog"
          onClick={() => setReads(true)}
        >
          Leggi e attiva
        </Button>
      ) : (
        <p className="text-sm text-muted">Solo i titolari della farmacia possono attivarli.</p>
      )}
      {reads ? (
        <TermsDialog
          title="Prima di attivare i messaggi"
          {...whatsAppTerms}
          onAccept={async () => {
            const { version } = whatsAppTerms
            await keep(await call(acceptWhatsAppTerms, { body: { version } }))
            toastSuccess('Messaggi attivati')
          }}
          onClose={() => setReads(false)}
          onReturnFocus={focusHeading}
        />
      ) : null}
      {asks ? (
        <ConfirmDialog
          title="Disattivare i messaggi?"
          text="Gli avvisi in attesa non partono, e Bancone non conserva più quello che scrivono i clienti. I consensi restano."
          confirm="Disattiva"
          confirming="Disattivazione in corso…"
          onConfirm={async () => {
            await keep(await call(switchOffWhatsAppMessages, {}))
            toastSuccess('Messaggi disattivati')
          }}
          onClose={() => setAsks(false)}
          onReturnFocus={focusHeading}
        />
      ) : null}
    </>
  )
}

function TemplateList({ templates }: { templates: readonly MessageTemplate[] }) {
  return (
    <ul className="flex flex-col gap-3">
      {templates.map((template) => {
        const { word, alarm } = templateState(template)
        return (
          <li
            key={template.name}
            className="flex flex-col gap-2 rounded-control border border-line p-3"
          >
            <p className="flex flex-wrap justify-between gap-x-4 text-sm">
              <span className="font-medium">{kindNames[template.kind]}</span>
              <span className="text-muted">{word}</span>
            </p>
            <p className="text-sm whitespace-pre-line text-muted wrap-anywhere">
              {template.preview}
            </p>
            {alarm ? <Alert tone="notice">{alarm}</Alert> : null}
          </li>
        )
      })}
    </ul>
  )
}

function SectionSkeleton() {
  return (
    <Loading text="Caricamento dei messaggi in corso…" className="flex flex-col gap-3">
      <Skeleton shape="control" className="h-7 w-48" />
      <Skeleton shape="control" className="h-24 w-full" />
    </Loading>
  )
}
