import type { PrioritySession } from '@bancone/contract/priority'
import { Hash, MapPin, Phone } from 'lucide-react'
import type { ReactNode } from 'react'
import { orderText } from '../priority-texts.ts'

/** The order and the telephone number of a session, and where the customer waits. */
export function SessionFacts({
  session,
  children,
}: {
  session: PrioritySession
  children: ReactNode
}) {
  const { phone, place } = session
  return (
    <ul className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted tabular-nums">
      <li className="flex items-center gap-1.5">
        <Hash aria-hidden className="size-3.5" />
        Ordine {orderText(session)}
      </li>
      {children}
      {place ? (
        <li className="flex items-center gap-1.5 font-medium text-ink">
          <MapPin aria-hidden className="size-3.5" />
          {place}
        </li>
      ) : null}
      {phone ? (
        <li>
          <a
            href={`tel:${phone.replace(/[^\d+]/g, '')}`}
            className="-my-1.5 inline-flex min-h-9 items-center gap-1.5 rounded text-accent underline-offset-4 hover:underline pointer-coarse:min-h-11"
          >
            <Phone aria-hidden className="size-3.5" />
            {phone}
          </a>
        </li>
      ) : null}
    </ul>
  )
}

/** The three digits that the customer shows. */
export function SessionCode({ code }: { code: string | null }) {
  if (code === null) return null
  return (
    <p className="shrink-0 rounded-control border border-line bg-sunken px-3 py-1.5 text-center">
      <span className="block text-xs text-muted">Codice</span>
      <span className="block text-2xl leading-none font-medium tracking-widest tabular-nums">
        {code}
      </span>
    </p>
  )
}
