import type { PrioritySession } from '@bancone/contract/priority'
import { CircleCheck, ClipboardCheck, RotateCcw, UserX } from 'lucide-react'
import { formatTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { Badge } from '../badge.tsx'
import { canReturn, customerName, outcomeText } from '../priority-texts.ts'
import { SessionCode, SessionFacts } from './session-facts.tsx'
import type { SessionChange } from './use-session-change.ts'

/** What can be done about a customer who was called. */
function CalledActions({ session, changes }: { session: PrioritySession; changes: SessionChange }) {
  const name = customerName(session)
  const busy = changes.busy.has(session.id)
  return (
    <div className="mt-auto flex flex-wrap gap-2 max-sm:flex-col">
      <Button
        look="primary"
        className="sm:flex-1"
        inactive={busy}
        aria-label={`Consegnato: ${name}`}
        onClick={() => changes.change(session, 'served')}
      >
        <CircleCheck aria-hidden />
        Consegnato
      </Button>
      <Button
        inactive={busy}
        aria-label={`Rimetti in attesa: ${name}`}
        onClick={() => changes.change(session, 'user_arrived')}
      >
        <RotateCcw aria-hidden />
        Rimetti in attesa
      </Button>
      <Button
        inactive={busy}
        aria-label={`Non presente: ${name}`}
        onClick={() => changes.change(session, 'link_sent')}
      >
        <UserX aria-hidden />
        Non presente
      </Button>
    </div>
  )
}

function CompletedCard({ session, changes }: { session: PrioritySession; changes: SessionChange }) {
  return (
    <li className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
            <h3 className="text-lg leading-snug font-medium wrap-anywhere">
              {customerName(session)}
            </h3>
            <Badge tone="good" icon={CircleCheck}>
              Completato
            </Badge>
          </div>
          <p className="mt-1.5 text-sm font-medium wrap-anywhere">{outcomeText(session)}</p>
        </div>
        <SessionCode code={session.code} />
      </div>
      <SessionFacts session={session}>
        {session.calledAt === null ? null : <li>Chiamata {formatTime(session.calledAt)}</li>}
      </SessionFacts>
      {canReturn(session) ? <CalledActions session={session} changes={changes} /> : null}
    </li>
  )
}

type CompletedPanelProps = { sessions: readonly PrioritySession[]; changes: SessionChange }

/** The customers who were called today, the last one first. */
export function CompletedPanel({ sessions, changes }: CompletedPanelProps) {
  if (sessions.length === 0) {
    return (
      <EmptyList icon={<ClipboardCheck />} title="Nessun accesso prioritario completato oggi">
        Qui trovi i clienti che hai chiamato oggi.
      </EmptyList>
    )
  }
  return (
    <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
      {sessions.map((session) => (
        <CompletedCard key={session.id} session={session} changes={changes} />
      ))}
    </ul>
  )
}
