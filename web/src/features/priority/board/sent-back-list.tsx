import type { PriorityVisit } from '@bancone/contract/priority'
import { RotateCcw, UserX } from 'lucide-react'
import { formatTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { customerName, orderText } from '../visit-texts.ts'
import type { VisitChange } from './use-visit-change.ts'

type SentBackListProps = { visits: readonly PriorityVisit[]; changes: VisitChange }

/** The customers who were not there, and have not arrived again. */
export function SentBackList({ visits, changes }: SentBackListProps) {
  return (
    <section aria-labelledby="non-presenti" className="flex flex-col gap-2">
      <h2 id="non-presenti" className="text-base font-medium">
        Non presenti ({visits.length})
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {visits.map((visit) => (
          <li
            key={visit.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm tabular-nums"
          >
            <UserX aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="font-medium wrap-anywhere">{customerName(visit)}</span>
            <span className="text-muted">Ordine {orderText(visit)}</span>
            <span className="text-muted">cercato alle {formatTime(visit.changedAt)}</span>
            <Button
              className="max-sm:w-full sm:ml-auto"
              inactive={changes.busy.has(visit.id)}
              aria-label={`Rimetti in attesa: ${customerName(visit)}`}
              onClick={() => changes.change(visit, 'user_arrived')}
            >
              <RotateCcw aria-hidden />
              Rimetti in attesa
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
