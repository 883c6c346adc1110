import type { AuditChange, PharmacyAuditEvent } from '@bancone/contract/audit'
import { auditActionName, auditFieldName } from '@bancone/contract/audit-actions'
import { Ban, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { messages } from '../../lib/messages.ts'

export type AuditItemProps = {
  event: Omit<PharmacyAuditEvent, 'actorName'>
  who: string
  /** The pharmacy for which it was done. */
  forWhom?: string | undefined
  /** Further details, by their names. */
  more?: readonly { name: string; value: string }[]
}

const refusals: ReadonlyMap<string, string> = new Map(Object.entries(messages))

function Value({ children }: { children: string | null }) {
  return children === null || children === '' ? <span className="text-muted">—</span> : children
}

function Change({ field, before, after, isWithheld }: AuditChange) {
  return (
    <div>
      <dt className="text-muted">{auditFieldName(field)}</dt>
      <dd className="wrap-anywhere">
        {isWithheld ? (
          'Modificato (il valore non si conserva)'
        ) : (
          <>
            <span className="sr-only">Prima: </span>
            <Value>{before}</Value>
            <span aria-hidden className="text-muted">
              {' → '}
            </span>
            <span className="sr-only">, dopo: </span>
            <Value>{after}</Value>
          </>
        )}
      </dd>
    </div>
  )
}

function Details({ children }: { children: ReactNode }) {
  return (
    <details className="group mt-1">
      <summary className="-mx-1.5 inline-flex min-h-8 cursor-pointer list-none items-center gap-1 rounded-md px-1.5 text-sm font-medium text-accent hover:underline pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        Dettagli
        <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <dl className="mt-1 grid gap-x-6 gap-y-2 rounded-control bg-sunken px-3.5 py-3 text-sm sm:grid-cols-2">
        {children}
      </dl>
    </details>
  )
}

/** An event of the audit log: what, who, when, and on request before and after. */
export function AuditItem({ event, who, forWhom, more = [] }: AuditItemProps) {
  const { at, action, outcome, refusal, target, changes, details } = event
  const others = [
    ...(refusal === null
      ? []
      : [{ name: 'Respinta perché', value: refusals.get(refusal) ?? refusal }]),
    ...details.map(({ name, value }) => ({ name: auditFieldName(name), value })),
    ...(target === null ? [] : [{ name: 'Oggetto', value: target }]),
    ...more,
  ]
  return (
    <li className="px-4 py-2.5">
      <div className="grid gap-x-4 gap-y-0.5 lg:grid-cols-[9.5rem_minmax(0,5fr)_minmax(0,4fr)_minmax(0,4fr)] lg:items-baseline">
        <time dateTime={at} className="text-sm text-muted tabular-nums max-lg:order-last">
          {formatDateTime(at)}
        </time>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 font-medium">
          {auditActionName(action)}
          {outcome === 'refused' ? (
            <span className="inline-flex items-center gap-1 rounded-full border border-danger-line bg-danger-soft px-2 text-sm font-normal text-danger">
              <Ban aria-hidden className="size-3.5" />
              Respinta
            </span>
          ) : null}
        </p>
        <p className="text-sm wrap-anywhere">{who}</p>
        {forWhom === undefined ? null : (
          <p className="text-sm wrap-anywhere text-muted">{forWhom}</p>
        )}
      </div>
      {changes.length + others.length > 0 ? (
        <Details>
          {changes.map((change) => (
            <Change key={change.field} {...change} />
          ))}
          {others.map(({ name, value }) => (
            <div key={name}>
              <dt className="text-muted">{name}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </Details>
      ) : null}
    </li>
  )
}
