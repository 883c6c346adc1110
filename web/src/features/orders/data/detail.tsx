import type { ReactNode } from 'react'
import { formatDateTime, formatRelative } from '../../../lib/format.ts'
import { useNow } from '../../../lib/use-now.ts'

/** A term with its description, in a description list. */
export function Detail({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="border-b border-line py-3 first:pt-0 last:border-b-0">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="mt-0.5 wrap-anywhere">{children}</dd>
    </div>
  )
}

/** A date and time, and how long ago it was. */
export function Moment({ value }: { value: string }) {
  const relative = formatRelative(value, useNow())
  return (
    <span className="tabular-nums">
      {formatDateTime(value)}
      {relative ? <span className="text-muted"> · {relative}</span> : null}
    </span>
  )
}
