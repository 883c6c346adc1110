import { hasFeature } from '@bancone/contract/access'
import {
  type CustomerDataCounts,
  type CustomerErasure,
  findCustomerData,
} from '@bancone/contract/customer-data'
import { listHeldOrders } from '@bancone/contract/order-retention'
import { ORDER_PARAM, paths } from '@bancone/contract/pages'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { Printer, Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { call, hasCode } from '../../lib/api.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formFields } from '../../lib/form-fields.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { errorMessage } from '../../lib/messages.ts'
import { invalidateOwnPharmacy, useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { CustomerActions } from './customer-actions.tsx'
import {
  airtableText,
  heldText,
  messagesText,
  ordersText,
  prioritySessionsText,
  readablePhone,
  receiptText,
} from './customer-texts.ts'
import { PrescriptionFieldsSection } from './prescription-fields-section.tsx'
import { RetentionSection } from './retention-section.tsx'

/**
 * What the pharmacy keeps of a customer, when the customer asks for it, for how long, and what is asked on the public page. What is found of a customer
 * does not outlive the page.
 */
export function CustomerDataPage() {
  const [found, setFound] = useState<CustomerDataCounts | null>(null)
  const { data: pharmacy } = useOwnPharmacy()
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <PageTitle>Dati dei clienti</PageTitle>
      <div className="flex flex-col gap-4 print:hidden">
        <p className="max-w-prose text-pretty text-muted">
          Quando un cliente chiede quali dati conservi di lui, o vuole che siano eliminati, cercali
          qui. Rispondi entro 30 giorni dalla richiesta.
        </p>
        <SearchForm onFound={setFound} />
      </div>
      {found ? <CustomerResult counts={found} /> : null}
      <HeldOrdersSection />
      <RetentionSection />
      {pharmacy && hasFeature(pharmacy, 'offers') ? <PrescriptionFieldsSection /> : null}
    </div>
  )
}

type SearchFormProps = {
  /** Called with null as soon as what was found is no longer of the number in the field. */
  onFound: (counts: CustomerDataCounts | null) => void
}

function phoneMessage({ code }: { code?: string | undefined }): string {
  return code === 'too_big'
    ? 'Il numero è troppo lungo.'
    : 'Scrivi il numero di telefono del cliente.'
}

/** Finds the data of a customer by their telephone number. */
function SearchForm({ onFound }: SearchFormProps) {
  const { failure, fail, clearFailure } = useFailure()
  const client = useQueryClient()
  const form = useForm({
    resolver: zodResolver(findCustomerData.body, { error: phoneMessage }),
    defaultValues: { phone: '' },
  })
  const busy = form.formState.isSubmitting

  const submit = form.handleSubmit(async (body) => {
    const asked = form.getValues('phone')
    clearFailure()
    onFound(null)
    try {
      // Bypasses the cache: what is kept of a customer must not stay on a shared computer.
      const counts = await call(findCustomerData, { body }, { readOnly: true })
      if (form.getValues('phone') === asked) onFound(counts)
    } catch (reason) {
      if (hasCode(reason, 'access.owners_only')) void invalidateOwnPharmacy(client)
      const text = errorMessage(reason)
      if (hasCode(reason, 'customer_data.bad_phone'))
        form.setError('phone', { message: text }, { shouldFocus: true })
      else fail(text)
    }
  })

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <FailureAlert failure={failure} />
      <TextField
        label="Numero di telefono del cliente"
        type="tel"
        autoComplete="off"
        required
        className="md:max-w-80"
        {...formFields(form)('phone', { onChange: () => onFound(null) })}
      />
      <Button type="submit" look="primary" className="self-start" inactive={busy}>
        <Search aria-hidden />
        {busy ? 'Ricerca in corso…' : 'Cerca'}
      </Button>
    </form>
  )
}

/** The orders whose customer's data are not deleted, so that none is forgotten. Nothing where there are none. */
function HeldOrdersSection() {
  const query = useEndpoint(listHeldOrders, {})
  const isNeeded = query.error !== null || (query.data?.orders.length ?? 0) > 0
  if (!isNeeded) return null
  return (
    <CardSection
      title="Ordini con l'eliminazione bloccata"
      intro="Sbloccala nei dettagli dell'ordine quando il motivo non c'è più."
      className="print:hidden"
    >
      <QueryStates query={query} skeleton={null}>
        {({ orders }) => (
          <ul className="flex flex-col divide-y divide-line">
            {orders.map(({ recordId, number, reason, who, at }) => (
              <li key={recordId} className="py-3 first:pt-0 last:pb-0">
                <Link
                  to={`${paths.dashboard}?${ORDER_PARAM}=${recordId}`}
                  className="font-medium text-accent underline-offset-4 hover:underline"
                >
                  Ordine {number ?? recordId}
                </Link>
                <p className="whitespace-pre-line wrap-anywhere">{reason}</p>
                <p className="text-sm text-muted tabular-nums">
                  {who ? `${who.you ? 'tu' : who.name} · ` : null}
                  {formatDateTime(at)}
                </p>
              </li>
            ))}
          </ul>
        )}
      </QueryStates>
    </CardSection>
  )
}

function Counts({
  orders,
  waitingOrders,
  prioritySessions,
  messages,
  isContact,
}: CustomerDataCounts) {
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 empty:hidden">
      {orders > 0 ? (
        <li>
          {ordersText(orders)}
          {waitingOrders > 0 ? `, di cui ${formatNumber(waitingOrders)} in attesa` : null}
        </li>
      ) : null}
      {prioritySessions > 0 ? (
        <li>{prioritySessionsText(prioritySessions)} con accesso prioritario</li>
      ) : null}
      {messages > 0 ? <li>{messagesText(messages)} di WhatsApp</li> : null}
      {isContact ? <li>È un contatto di WhatsApp</li> : null}
    </ul>
  )
}

function InAirtable({ count, numbers }: { count: number; numbers: readonly string[] }) {
  if (count === 0) return null
  return (
    <div>
      <p className="wrap-anywhere tabular-nums">{airtableText(count, numbers)}</p>
      <p className="mt-1 text-sm text-pretty text-muted">
        Questi si eliminano in Airtable, e spariscono da qui con la prossima lettura.
      </p>
    </div>
  )
}

function Held({ count, numbers }: { count: number; numbers: readonly string[] }) {
  if (count === 0) return null
  return (
    <Alert tone="notice">
      <span className="wrap-anywhere tabular-nums">{heldText(count, numbers)}</span>
    </Alert>
  )
}

/** Proves that the data were erased. */
function Receipt({ text }: { text: string }) {
  return (
    <>
      <Alert tone="done">{text}</Alert>
      <Button className="self-start print:hidden" onClick={() => window.print()}>
        <Printer aria-hidden />
        Stampa
      </Button>
    </>
  )
}

/** What is kept of the customer with a number, and what can be done with it. */
function CustomerResult({ counts }: { counts: CustomerDataCounts }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [erasure, setErasure] = useState<CustomerErasure | null>(null)
  useEffect(() => heading.current?.focus(), [])
  const { orders, prioritySessions, messages, isContact, airtableOrders, airtableNumbers } = counts
  const isEmpty = orders + prioritySessions + messages + airtableOrders === 0 && !isContact

  return (
    <CardSection title={`Dati di ${readablePhone(counts.phone)}`} heading={heading}>
      {isEmpty ? <p>Di questo numero non è conservato nulla.</p> : null}
      {erasure ? <Receipt text={receiptText(erasure)} /> : <Counts {...counts} />}
      <InAirtable count={erasure?.airtableOrders ?? airtableOrders} numbers={airtableNumbers} />
      <Held count={counts.heldOrders} numbers={counts.heldNumbers} />
      <p className="text-sm text-pretty text-muted">
        Qui non si trovano gli ordini che nominano il cliente solo nel testo, o con un altro numero.
      </p>
      {isEmpty || erasure ? null : (
        <CustomerActions
          counts={counts}
          onErased={setErasure}
          onButtonsGone={() => heading.current?.focus()}
        />
      )}
    </CardSection>
  )
}
