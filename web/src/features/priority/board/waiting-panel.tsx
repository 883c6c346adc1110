import type { PriorityBoard, PrioritySession } from '@bancone/contract/priority'
import { Car, DoorOpen, type LucideIcon, RotateCcw, UserX } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { customerName, orderText } from '../priority-texts.ts'
import { useFreshArrivals } from './fresh-arrivals.ts'
import type { BoardConnection } from './use-board.ts'
import { KEYS } from './use-board-keys.ts'
import type { SessionChange } from './use-session-change.ts'
import { WaitingCard } from './waiting-card.tsx'

type WaitingPanelProps = {
  board: PriorityBoard
  connection: BoardConnection
  now: number
  changes: SessionChange
}

function NobodyWaits({ connection }: { connection: BoardConnection }) {
  return (
    <EmptyList icon={<DoorOpen />} title="Nessun cliente in attesa al momento">
      I clienti con Priority Access compaiono qui automaticamente quando arrivano.
      {connection === 'error' ? (
        <strong className="mt-2 block font-medium text-danger">
          Attenzione: la connessione ha problemi, le notifiche potrebbero non essere affidabili.
        </strong>
      ) : null}
    </EmptyList>
  )
}

/** The customers who wait, in the order of their arrival, those who are on their way, and those who were not there. */
export function WaitingPanel({ board, connection, now, changes }: WaitingPanelProps) {
  const fresh = useFreshArrivals()
  const { waiting, onTheWay, sentBack, lateMinutes } = board
  return (
    <div className="flex flex-col gap-6">
      {waiting.length === 0 ? (
        <NobodyWaits connection={connection} />
      ) : (
        <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
          {waiting.map((session, index) => (
            <WaitingCard
              key={session.id}
              session={session}
              shortcut={index < KEYS ? index + 1 : null}
              fresh={fresh.has(session.id)}
              lateMinutes={lateMinutes}
              now={now}
              changes={changes}
            />
          ))}
        </ul>
      )}
      <OtherSessions id="in-arrivo" title="In arrivo" Icon={Car} sessions={onTheWay}>
        {({ onTheWayAt }) =>
          onTheWayAt === null ? null : (
            <span className="text-muted">partito alle {formatTime(onTheWayAt)}</span>
          )
        }
      </OtherSessions>
      <OtherSessions
        id="non-presenti"
        title="Non presenti"
        Icon={UserX}
        sessions={sentBack}
        className="gap-y-2"
      >
        {(session) => (
          <>
            <span className="text-muted">cercato alle {formatTime(session.changedAt)}</span>
            <Button
              className="max-sm:w-full sm:ml-auto"
              inactive={changes.busy.has(session.id)}
              aria-label={`Rimetti in attesa: ${customerName(session)}`}
              onClick={() => changes.change(session, 'user_arrived')}
            >
              <RotateCcw aria-hidden />
              Rimetti in attesa
            </Button>
          </>
        )}
      </OtherSessions>
    </div>
  )
}

type OtherSessionsProps<Session> = {
  id: string
  title: string
  Icon: LucideIcon
  sessions: readonly Session[]
  /** The gap between the lines of an item. */
  className?: string
  /** What follows the name and the order of a customer. */
  children: (session: Session) => ReactNode
}

type OtherSession = Pick<PrioritySession, 'id' | 'customerName' | 'orderNumber' | 'recordId'>

/** The customers who are not there: on their way, or called in vain and not arrived again. */
function OtherSessions<Session extends OtherSession>(props: OtherSessionsProps<Session>) {
  const { id, title, Icon, sessions, className = 'gap-y-1', children } = props
  if (sessions.length === 0) return null
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h2 id={id} className="text-base font-medium">
        {title} ({sessions.length})
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {sessions.map((session) => (
          <li
            key={session.id}
            className={`flex flex-wrap items-center gap-x-4 px-4 py-3 text-sm tabular-nums ${className}`}
          >
            <Icon aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="font-medium wrap-anywhere">{customerName(session)}</span>
            <span className="text-muted">Ordine {orderText(session)}</span>
            {children(session)}
          </li>
        ))}
      </ul>
    </section>
  )
}
