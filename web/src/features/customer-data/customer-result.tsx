import type { CustomerDataCounts, CustomerErasure } from '@bancone/contract/customer-data'
import { Printer } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { CustomerActions } from './customer-actions.tsx'
import {
  airtableText,
  heldText,
  messagesText,
  ordersText,
  readablePhone,
  receiptText,
  visitsText,
} from './customer-texts.ts'

function Counts({ orders, waitingOrders, visits, messages, isContact }: CustomerDataCounts) {
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 empty:hidden">
      {orders > 0 ? (
        <li>
          {ordersText(orders)}
          {waitingOrders > 0 ? `, di cui ${formatNumber(waitingOrders)} in attesa` : null}
        </li>
      ) : null}
      {visits > 0 ? <li>{visitsText(visits)} con accesso prioritario</li> : null}
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
export function CustomerResult({ counts }: { counts: CustomerDataCounts }) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [erasure, setErasure] = useState<CustomerErasure | null>(null)
  useEffect(() => heading.current?.focus(), [])
  const { orders, visits, messages, isContact, airtableOrders, airtableNumbers } = counts
  const isEmpty = orders + visits + messages + airtableOrders === 0 && !isContact

  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-4 rounded-card border border-line bg-surface px-4 py-4 md:px-5 md:py-5"
    >
      <h2
        id={id}
        ref={heading}
        tabIndex={-1}
        className="text-lg leading-snug font-medium tracking-tight outline-none"
      >
        Dati di {readablePhone(counts.phone)}
      </h2>
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
    </section>
  )
}
