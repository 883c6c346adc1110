import type { PriorityVisit } from '@bancone/contract/priority'
import { CircleCheck, ClipboardCheck, RotateCcw, UserX } from 'lucide-react'
import { formatTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { Badge } from '../badge.tsx'
import { canReturn, customerName, outcomeText } from '../visit-texts.ts'
import type { VisitChange } from './use-visit-change.ts'
import { VisitCode, VisitFacts } from './visit-facts.tsx'

/** What can be done about a customer who was called. */
function CalledActions({ visit, changes }: { visit: PriorityVisit; changes: VisitChange }) {
  const name = customerName(visit)
  const busy = changes.busy.has(visit.id)
  return (
    <div className="mt-auto flex flex-wrap gap-2 max-sm:flex-col">
      <Button
        look="primary"
        className="sm:flex-1"
        inactive={busy}
        aria-label={`Consegnato: ${name}`}
        onClick={() => changes.change(visit, 'served')}
      >
        <CircleCheck aria-hidden />
        Consegnato
      </Button>
      <Button
        inactive={busy}
        aria-label={`Rimetti in attesa: ${name}`}
        onClick={() => changes.change(visit, 'user_arrived')}
      >
        <RotateCcw aria-hidden />
        Rimetti in attesa
      </Button>
      <Button
        inactive={busy}
        aria-label={`Non presente: ${name}`}
        onClick={() => changes.change(visit, 'link_sent')}
      >
        <UserX aria-hidden />
        Non presente
      </Button>
    </div>
  )
}

function CompletedCard({ visit, changes }: { visit: PriorityVisit; changes: VisitChange }) {
  return (
    <li className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
            <h3 className="text-lg leading-snug font-medium wrap-anywhere">
              {customerName(visit)}
            </h3>
            <Badge tone="good" icon={CircleCheck}>
              Completato
            </Badge>
          </div>
          <p className="mt-1.5 text-sm font-medium wrap-anywhere">{outcomeText(visit)}</p>
        </div>
        <VisitCode code={visit.code} />
      </div>
      <VisitFacts visit={visit}>
        {visit.calledAt === null ? null : <li>Chiamata {formatTime(visit.calledAt)}</li>}
      </VisitFacts>
      {canReturn(visit) ? <CalledActions visit={visit} changes={changes} /> : null}
    </li>
  )
}

type CompletedPanelProps = { visits: readonly PriorityVisit[]; changes: VisitChange }

/** The customers who were called today, the last one first. */
export function CompletedPanel({ visits, changes }: CompletedPanelProps) {
  if (visits.length === 0) {
    return (
      <EmptyList icon={<ClipboardCheck />} title="Nessun accesso prioritario completato oggi">
        Qui trovi i clienti che hai chiamato oggi.
      </EmptyList>
    )
  }
  return (
    <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
      {visits.map((visit) => (
        <CompletedCard key={visit.id} visit={visit} changes={changes} />
      ))}
    </ul>
  )
}
