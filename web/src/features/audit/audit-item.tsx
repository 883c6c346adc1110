import type { AuditChange, PharmacyAuditEvent } from '@bancone/contract/audit'
import { auditActionName, auditDetailText, auditFieldName } from '@bancone/contract/audit-actions'
import { errorTextOf } from '@bancone/contract/errors'
import { Ban, ChevronDown } from 'lucide-react'
import { formatDateTime } from '../../lib/format.ts'
import { cn } from '../../ui/class-names.ts'

type AuditItemProps = {
  event: Omit<PharmacyAuditEvent, 'actorName'>
  who: string
  /** The pharmacy for which it was done. */
  forWhom?: string | undefined
  /** Further details, by their names. */
  more?: readonly { name: string; value: string }[]
}

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

type LineProps = Pick<AuditItemProps, 'event' | 'who' | 'forWhom'>

/** What, who and when, in columns on a wide screen. */
function Line({ event: { at, action, outcome }, who, forWhom }: LineProps) {
  return (
    <div
      className={cn(
        'grid min-w-0 flex-1 gap-x-4 gap-y-0.5 lg:items-baseline',
        forWhom === undefined
          ? 'md:grid-cols-[9.5rem_minmax(0,1fr)_minmax(0,1fr)]'
          : 'lg:grid-cols-[9.5rem_minmax(0,5fr)_minmax(0,4fr)_minmax(0,4fr)]',
      )}
    >
      <time
        dateTime={at}
        className={cn(
          'text-sm text-muted tabular-nums',
          forWhom === undefined ? 'max-md:order-last' : 'max-lg:order-last',
        )}
      >
        {formatDateTime(at)}
      </time>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 font-medium">
        {auditActionName(action)}
        {outcome === 'refused' ? (
          <span className="inline-flex items-center gap-1 rounded-full border border-danger-line bg-danger-soft px-2 text-sm font-normal text-danger">
            <Ban aria-hidden className="size-3.5" />
            Respinta
          </span>
        ) : null}
      </span>
      <span className="text-sm wrap-anywhere">{who}</span>
      {forWhom === undefined ? null : (
        <span className="text-sm wrap-anywhere text-muted">{forWhom}</span>
      )}
    </div>
  )
}

/** An event of the audit log, which opens to show before and after. */
export function AuditItem({ event, who, forWhom, more = [] }: AuditItemProps) {
  const { refusal, target, changes, details } = event
  const others = [
    ...(refusal === null ? [] : [{ name: 'Respinta perché', value: errorTextOf(refusal) }]),
    ...details.map(auditDetailText),
    ...(target === null ? [] : [{ name: 'Oggetto', value: target }]),
    ...more,
  ]
  const line = <Line event={event} who={who} forWhom={forWhom} />
  if (changes.length + others.length === 0) return <li className="px-4 py-3 pr-11">{line}</li>
  return (
    <li>
      <details className="group">
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-3 px-4 py-2.5 -outline-offset-2 hover:bg-sunken [&::-webkit-details-marker]:hidden">
          {line}
          <ChevronDown
            aria-hidden
            className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180 motion-reduce:transition-none"
          />
        </summary>
        <dl className="mx-4 mb-3.5 grid gap-x-6 gap-y-2 rounded-control bg-sunken px-3.5 py-3 text-sm sm:grid-cols-2">
          {changes.map((change) => (
            <Change key={change.field} {...change} />
          ))}
          {others.map(({ name, value }) => (
            <div key={name} className="min-w-0">
              <dt className="text-muted">{name}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </li>
  )
}
