import type { PriorityBoard, PriorityVisit } from '@bancone/contract/priority'
import { Car, DoorOpen, RotateCcw, UserX } from 'lucide-react'
import { formatTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { customerName, orderText } from '../visit-texts.ts'
import { useFreshArrivals } from './fresh-arrivals.ts'
import type { BoardConnection } from './use-board.ts'
import { KEYS } from './use-board-keys.ts'
import type { VisitChange } from './use-visit-change.ts'
import { WaitingCard } from './waiting-card.tsx'

type WaitingPanelProps = {
  board: PriorityBoard
  connection: BoardConnection
  now: number
  changes: VisitChange
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

function OnTheWay({ visits }: { visits: PriorityBoard['onTheWay'] }) {
  return (
    <section aria-labelledby="in-arrivo" className="flex flex-col gap-2">
      <h2 id="in-arrivo" className="text-base font-medium">
        In arrivo ({visits.length})
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {visits.map((visit) => (
          <li
            key={visit.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 text-sm tabular-nums"
          >
            <Car aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="font-medium wrap-anywhere">{customerName(visit)}</span>
            <span className="text-muted">Ordine {orderText(visit)}</span>
            {visit.onTheWayAt === null ? null : (
              <span className="text-muted">partito alle {formatTime(visit.onTheWayAt)}</span>
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
          {waiting.map((visit, index) => (
            <WaitingCard
              key={visit.id}
              visit={visit}
              shortcut={index < KEYS ? index + 1 : null}
              fresh={fresh.has(visit.id)}
              lateMinutes={lateMinutes}
              now={now}
              changes={changes}
            />
          ))}
        </ul>
      )}
      {onTheWay.length > 0 ? <OnTheWay visits={onTheWay} /> : null}
      {sentBack.length > 0 ? <SentBackList visits={sentBack} changes={changes} /> : null}
    </div>
  )
}

type SentBackListProps = { visits: readonly PriorityVisit[]; changes: VisitChange }

/** The customers who were not there, and have not arrived again. */
function SentBackList({ visits, changes }: SentBackListProps) {
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
