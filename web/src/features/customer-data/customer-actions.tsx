import {
  type CustomerDataCopy,
  type CustomerDataCounts,
  type CustomerErasure,
  copyCustomerData,
  eraseCustomerData,
  IdentityCheck,
} from '@bancone/contract/customer-data'
import { dayOf } from '@bancone/contract/dates'
import { zodResolver } from '@hookform/resolvers/zod'
import { Download, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { call } from '../../lib/api.ts'
import { formFields } from '../../lib/form-fields.ts'
import { formatDateTime } from '../../lib/format.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useAction } from '../../lib/use-action.ts'
import { useIsMounted } from '../../lib/use-is-mounted.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { erasureWarning, readablePhone } from './customer-texts.ts'

/** An erasure that is repeated after a timeout would count less than the first has erased. */
const ERASURE_TIMEOUT_MS = 60_000

const Checked = z.object({ identity: IdentityCheck })

const copyLabels: Record<CopyFormat, string> = {
  html: 'Scarica una copia',
  json: 'Copia per programmi (JSON)',
}

type CustomerActionsProps = {
  counts: CustomerDataCounts
  onErased: (erasure: CustomerErasure) => void
  /** Called when the dialog has closed and its button has been removed, to move the focus. */
  onButtonsGone: () => void
}

/** Copies and erases the data of a customer whose identity was checked. The calls bypass the cache. */
export function CustomerActions({ counts, onErased, onButtonsGone }: CustomerActionsProps) {
  const { phone } = counts
  const form = useForm({
    resolver: zodResolver(Checked, { error: () => 'Indica come hai verificato chi è.' }),
  })
  const { busy, failure, run } = useAction()
  const [format, setFormat] = useState<CopyFormat>('html')
  const [erasing, setErasing] = useState<IdentityCheck | null>(null)
  const eraseButton = useRef<HTMLButtonElement>(null)
  const isShown = useIsMounted()

  async function copy(as: CopyFormat, identity: IdentityCheck) {
    setFormat(as)
    await run(async () => {
      const body = { phone, identity }
      const data = await call(copyCustomerData, { body }, { readOnly: true })
      // The field has another number by now, or the page was left.
      if (!isShown()) return
      saveCopy(data, as)
      toastSuccess('Copia salvata tra i download', {
        description: 'Consegnala solo al cliente, poi eliminala da questo computer.',
      })
    })
  }

  async function erase(identity: IdentityCheck) {
    const request = { body: { phone, identity } }
    onErased(await call(eraseCustomerData, request, { timeoutMs: ERASURE_TIMEOUT_MS }))
  }

  return (
    <>
      <FailureAlert failure={failure} />
      <RadioCards
        legend="Come hai verificato chi è?"
        options={identityOptions}
        {...formFields(form)('identity')}
      />
      <div className="flex flex-wrap gap-2">
        {(['html', 'json'] as const).map((option) => (
          <Button
            key={option}
            inactive={busy}
            onClick={() => void form.handleSubmit(({ identity }) => copy(option, identity))()}
          >
            <Download aria-hidden />
            {busy && format === option ? 'Preparazione in corso…' : copyLabels[option]}
          </Button>
        ))}
        {counts.heldOrders === 0 ? (
          <Button
            ref={eraseButton}
            aria-haspopup="dialog"
            inactive={busy}
            onClick={form.handleSubmit(({ identity }) => setErasing(identity))}
          >
            <Trash2 aria-hidden />
            Elimina i dati
          </Button>
        ) : null}
      </div>
      {erasing ? (
        <ConfirmDialog
          title={`Eliminare i dati di ${readablePhone(phone)}?`}
          text={erasureWarning(counts)}
          confirm="Elimina i dati"
          confirming="Eliminazione in corso…"
          onConfirm={() => erase(erasing)}
          onClose={() => setErasing(null)}
          onReturnFocus={() =>
            eraseButton.current ? eraseButton.current.focus() : onButtonsGone()
          }
        />
      ) : null}
    </>
  )
}

const labels: Record<IdentityCheck, string> = {
  known: 'Lo conosco di persona',
  document: 'Ha mostrato un documento',
  own_number: 'Mi ha contattato da questo numero',
}

const identityOptions = IdentityCheck.options.map((value) => ({ value, label: labels[value] }))

type CopyFormat = 'html' | 'json'

/** Terms with their values; what has no value is left out. */
type Facts = readonly (readonly [term: string, value: string | null])[]

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 45rem; margin: 2rem auto; padding: 0 1rem }
dl { margin: 1rem 0; padding-top: 1rem; border-top: 1px solid #8888 }
dt { font-size: 0.875rem; opacity: 0.8 }
dd { margin: 0 0 0.5rem; white-space: pre-line; overflow-wrap: anywhere }`

/** Customers have written most of the texts. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function listOf(facts: Facts): string {
  const lines = facts.map(([term, value]) =>
    value ? `<dt>${term}</dt><dd>${escapeHtml(value)}</dd>\n` : '',
  )
  return `<dl>\n${lines.join('')}</dl>\n`
}

function section(title: string, items: readonly Facts[]): string {
  const content = items.length > 0 ? items.map(listOf).join('') : '<p>Nulla.</p>\n'
  return `<h2>${title}</h2>\n${content}`
}

function time(value: string | null): string | null {
  return value === null ? null : formatDateTime(value)
}

function orderFacts(order: CustomerDataCopy['orders'][number]): Facts {
  return [
    ['Numero', order.number],
    ['Ricevuto il', time(order.createdAt)],
    ['Ultima modifica', time(order.changedAt)],
    ['Stato', order.status],
    ['Nome', order.name],
    ['Telefono', order.phone],
    ['Indirizzo', order.address],
    ['Richiesta', order.details],
    ['Immagine', order.hasPicture ? 'Sì, chiedila alla farmacia' : null],
    ['Conservato anche in', order.isInAirtable ? 'Airtable' : null],
    ['Eliminazione bloccata', order.held],
    ...order.notes.map(({ at, text }) => [`Nota del ${formatDateTime(at)}`, text] as const),
  ]
}

function prioritySessionFacts(
  prioritySession: CustomerDataCopy['prioritySessions'][number],
): Facts {
  return [
    ['Ordine', prioritySession.orderNumber],
    ['Nome', prioritySession.name],
    ['Telefono', prioritySession.phone],
    ['Luogo', prioritySession.place],
    ['Link creato il', time(prioritySession.issuedAt)],
    ['Arrivo', time(prioritySession.arrivedAt)],
    ['Fine', time(prioritySession.endedAt)],
  ]
}

function contactFacts(contact: NonNullable<CustomerDataCopy['contact']>): Facts {
  return [
    ['Nome', contact.name],
    ['Conosciuto dal', time(contact.firstSeenAt)],
    ['Ultimo messaggio ricevuto il', time(contact.lastInboundAt)],
  ]
}

function consentFacts({ at, isGiven, wording }: CustomerDataCopy['consents'][number]): Facts {
  return [
    [isGiven ? 'Dato il' : 'Revocato il', time(at)],
    ['Testo', wording],
  ]
}

function messageFacts(message: CustomerDataCopy['messages'][number]): Facts {
  return [
    [message.isFromCustomer ? 'Dal cliente il' : 'Dalla farmacia il', time(message.at)],
    ['Testo', message.text ?? 'Messaggio automatico o senza testo'],
  ]
}

/** A page that needs no other file, and runs nothing. */
function htmlOf(copy: CustomerDataCopy): string {
  return `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dati di un cliente</title>
<style>${style}
</style>
</head>
<body>
<h1>Dati di un cliente</h1>
${listOf([
  ['Farmacia', copy.pharmacy],
  ['Numero di telefono', readablePhone(copy.phone)],
  ['Copia del', time(copy.madeAt)],
])}${section('Ordini', copy.orders.map(orderFacts))}${section('Visite con accesso prioritario', copy.prioritySessions.map(prioritySessionFacts))}${section('Contatto di WhatsApp', copy.contact ? [contactFacts(copy.contact)] : [])}${section('Consensi', copy.consents.map(consentFacts))}${section('Messaggi di WhatsApp', copy.messages.map(messageFacts))}</body>
</html>
`
}

/** Saves a copy to the downloads: a page to read, or JSON for programs. The file's name does not name the customer. */
function saveCopy(copy: CustomerDataCopy, format: CopyFormat) {
  const [text, type] =
    format === 'html'
      ? [htmlOf(copy), 'text/html;charset=utf-8']
      : [JSON.stringify(copy, null, 2), 'application/json']
  saveFile(new Blob([text], { type }), `dati-cliente-${dayOf(Date.parse(copy.madeAt))}.${format}`)
}
