import type { PrioritySession } from '@bancone/contract/priority'
import { Clock, Megaphone, Sparkles, TriangleAlert, UserX } from 'lucide-react'
import { formatTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { Badge } from '../badge.tsx'
import {
  customerName,
  longWaitText,
  minutesWaiting,
  notPresentText,
  waitText,
} from '../priority-texts.ts'
import { SessionCode, SessionFacts } from './session-facts.tsx'
import type { SessionChange } from './use-session-change.ts'

type WaitingCardProps = {
  session: PrioritySession
  /** The key that leads to the customer; null for those after the ninth. */
  shortcut: number | null
  fresh: boolean
  lateMinutes: number
  now: number
  changes: SessionChange
}

/** Id of the card of a session, as a target for the focus. */
export function sessionCardId(prioritySessionId: string): string {
  return `visita-${prioritySessionId}`
}

/** Id of the button that calls the customer of a session. */
export function callButtonId(prioritySessionId: string): string {
  return `${sessionCardId(prioritySessionId)}-chiama`
}

/** A customer who waits. */
export function WaitingCard(props: WaitingCardProps) {
  const { session, shortcut, fresh, lateMinutes, now, changes } = props
  const { arrivedAt, timesNotPresent } = session
  const name = customerName(session)
  const minutes = minutesWaiting(session, now)
  const late = minutes >= lateMinutes
  const busy = changes.busy.has(session.id)
  return (
    <li
      id={sessionCardId(session.id)}
      tabIndex={-1}
      data-late={late || undefined}
      className={cn(
        'flex flex-col gap-3 rounded-card border bg-surface p-4 transition-colors outline-offset-2',
        late ? 'border-danger-line' : 'border-line',
        fresh && 'border-accent bg-accent-soft',
      )}
    >
      <div className="flex items-start gap-3">
        {shortcut === null ? null : (
          <kbd
            aria-hidden
            className="mt-0.5 grid size-6 shrink-0 place-items-center rounded-md border border-line-strong bg-sunken font-sans text-xs max-lg:hidden pointer-coarse:hidden"
          >
            {shortcut}
          </kbd>
        )}
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
            <h3 className="text-lg leading-snug font-medium wrap-anywhere">{name}</h3>
            <Badge tone="waiting" icon={Clock}>
              In attesa
            </Badge>
            {fresh ? (
              <Badge tone="good" icon={Sparkles}>
                NUOVO
              </Badge>
            ) : null}
          </div>
          <p
            className={cn(
              'mt-1.5 flex items-center gap-1.5 text-sm font-medium',
              late ? 'text-danger' : 'text-ink',
            )}
          >
            {late ? <TriangleAlert aria-hidden className="size-4 shrink-0" /> : null}
            {late ? longWaitText(minutes) : `In attesa ${waitText(minutes)}`}
          </p>
        </div>
        <SessionCode code={session.code} />
      </div>
      <SessionFacts session={session}>
        <li>Arrivo {arrivedAt === null ? '–' : formatTime(arrivedAt)}</li>
        {timesNotPresent > 0 ? (
          <li className="flex items-center gap-1.5 font-medium text-pending">
            <UserX aria-hidden className="size-3.5" />
            {notPresentText(timesNotPresent)}
          </li>
        ) : null}
      </SessionFacts>
      <div className="mt-auto flex flex-wrap gap-2 max-sm:flex-col">
        <Button
          id={callButtonId(session.id)}
          look="primary"
          size="large"
          className="sm:flex-1"
          inactive={busy}
          aria-label={`Chiama Cliente: ${name}`}
          aria-keyshortcuts={shortcut === null ? undefined : String(shortcut)}
          onClick={() => changes.call(session)}
        >
          <Megaphone aria-hidden />
          Chiama Cliente
        </Button>
        <Button
          size="large"
          inactive={busy}
          aria-label={`Non presente: ${name}`}
          onClick={() => changes.change(session, 'link_sent')}
        >
          <UserX aria-hidden />
          Non presente
        </Button>
      </div>
    </li>
  )
}
