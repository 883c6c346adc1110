import type { PriorityBoard, PrioritySession } from '@bancone/contract/priority'
import { Car, DoorOpen, RotateCcw, UserX } from 'lucide-react'
import { formatTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { customerName, orderText } from '../session-texts.ts'
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

function OnTheWay({ sessions }: { sessions: PriorityBoard['onTheWay'] }) {
  return (
    <section aria-labelledby="in-arrivo" className="flex flex-col gap-2">
      <h2 id="in-arrivo" className="text-base font-medium">
        In arrivo ({sessions.length})
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 text-sm tabular-nums"
          >
            <Car aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="font-medium wrap-anywhere">{customerName(session)}</span>
            <span className="text-muted">Ordine {orderText(session)}</span>
            {session.onTheWayAt === null ? null : (
              <span className="text-muted">partito alle {formatTime(session.onTheWayAt)}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
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
      {onTheWay.length > 0 ? <OnTheWay sessions={onTheWay} /> : null}
      {sentBack.length > 0 ? <SentBackList sessions={sentBack} changes={changes} /> : null}
    </div>
  )
}

type SentBackListProps = { sessions: readonly PrioritySession[]; changes: SessionChange }

/** The customers who were not there, and have not arrived again. */
function SentBackList({ sessions, changes }: SentBackListProps) {
  return (
    <section aria-labelledby="non-presenti" className="flex flex-col gap-2">
      <h2 id="non-presenti" className="text-base font-medium">
        Non presenti ({sessions.length})
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm tabular-nums"
          >
            <UserX aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="font-medium wrap-anywhere">{customerName(session)}</span>
            <span className="text-muted">Ordine {orderText(session)}</span>
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
          </li>
        ))}
      </ul>
    </section>
  )
}
