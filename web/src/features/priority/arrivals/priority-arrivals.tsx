import { paths } from '@bancone/contract/pages'
import { getPriorityBoard, type PrioritySession } from '@bancone/contract/priority'
import { COUNTER_HEARTBEAT_MS, recordCounterPresence } from '@bancone/contract/priority-counters'
import { topicEvents } from '@bancone/contract/realtime'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronRight, Megaphone } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { call } from '../../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../../lib/endpoint-query.ts'
import { formatNumber } from '../../../lib/format.ts'
import { usePharmacyEvents } from '../../../lib/pharmacy-events.ts'
import { startSteadyInterval } from '../../../lib/steady-interval.ts'
import { createThrottledRefetch } from '../../../lib/throttled-refetch.ts'
import { Button } from '../../../ui/button.tsx'
import { toastNews } from '../../../ui/toast.ts'
import { unacknowledged } from '../board/board-changes.ts'
import { showAsFresh, takeUnannounced } from '../board/fresh-arrivals.ts'
import { deviceId, useDeskName } from '../desk.ts'
import { customerName, orderText } from '../priority-texts.ts'
import { useAcknowledge } from './use-acknowledge.ts'

/** How often the customers are read beneath the realtime events, and without them. */
const RELOAD_MS = { live: 60_000, otherwise: 10_000 }
const TOAST_MS = 8_000

/** How many customers wait, and how many of them no operator has acknowledged. */
export type ArrivalCounts = { waiting: number; unacknowledged: number }

type PriorityArrivalsProps = {
  /** Whether realtime events arrive. */
  live: boolean
  /** Called with the counts when they change. */
  onCounts: (counts: ArrivalCounts) => void
  /**
   * Called when customers have arrived, once per arrival and tab. @param count all that no operator has acknowledged
   */
  onArrivals: (count: number) => void
}

/** Follows the customers with priority access on every page of the pharmacy; loaded after the page. */
export function PriorityArrivals({ live, onCounts, onArrivals }: PriorityArrivalsProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [throttledRefetch] = useState(createThrottledRefetch)
  usePresence()
  const { data: board, dataUpdatedAt } = useEndpoint(
    getPriorityBoard,
    {},
    {
      refetchInterval: live ? RELOAD_MS.live : RELOAD_MS.otherwise,
      refetchIntervalInBackground: true,
    },
  )
  usePharmacyEvents((event) => {
    if (event !== topicEvents.priority && event !== topicEvents.missed) return
    const queryKey = endpointKey(getPriorityBoard)
    throttledRefetch(() => client.invalidateQueries({ queryKey }))
  })

  const { news, acknowledge } = useAcknowledge(board, dataUpdatedAt)

  function show(session: PrioritySession | undefined) {
    acknowledge(session ? [session] : news)
    void navigate(paths.priority, { state: { prioritySessionId: session?.id ?? news[0]?.id } })
  }

  const announce = useEffectEvent((arrived: readonly PrioritySession[]) => {
    showAsFresh(arrived.map(({ id }) => id))
    onArrivals(news.length)
    for (const session of arrived) {
      toastNews('Nuovo cliente arrivato!', {
        about: `arrival-${session.id}`,
        description: `${customerName(session)} · Ordine ${orderText(session)}`,
        action: { label: 'Visualizza', run: () => show(session) },
        milliseconds: TOAST_MS,
      })
    }
  })
  useEffect(() => {
    const arrived = takeUnannounced(unacknowledged(board))
    if (arrived.length > 0) announce(arrived)
  }, [board])

  const report = useEffectEvent(onCounts)
  const waiting = board?.waiting.length ?? 0
  const count = news.length
  useEffect(() => report({ waiting, unacknowledged: count }), [waiting, count])
  useEffect(() => () => report({ waiting: 0, unacknowledged: 0 }), [])

  return (
    <ArrivalsBar
      count={count}
      onShow={pathname === paths.priority ? null : () => show(undefined)}
      onAcknowledge={() => acknowledge(news)}
    />
  )
}

type ArrivalsBarProps = {
  /** Arrivals that no operator has acknowledged. */
  count: number
  /** Null where the customers are on the screen already. */
  onShow: (() => void) | null
  onAcknowledge: () => void
}

const message =
  'flex min-w-0 flex-1 items-center gap-2 text-left text-sm leading-tight font-medium sm:text-base'

/** Announces customers on every page until an operator acknowledges their arrival. */
function ArrivalsBar({ count, onShow, onAcknowledge }: ArrivalsBarProps) {
  const text = (
    <>
      <Megaphone aria-hidden className="size-4.5 shrink-0 text-accent" />
      <span>
        {count === 1 ? 'È arrivato un cliente' : `Sono arrivati ${formatNumber(count)} clienti`}
      </span>
    </>
  )
  return (
    <div role="status" className="min-w-0 max-xl:flex-1">
      {count > 0 ? (
        <div className="flex animate-fade-in items-center gap-2">
          {onShow ? (
            <button
              type="button"
              className={`group ${message} min-h-9 rounded-control pointer-coarse:min-h-11`}
              onClick={onShow}
            >
              {text}
              <span className="text-accent underline-offset-4 group-hover:underline max-sm:sr-only">
                Visualizza
              </span>
              <ChevronRight aria-hidden className="-ml-1 size-4 shrink-0 text-accent sm:hidden" />
            </button>
          ) : (
            <p className={message}>{text}</p>
          )}
          <Button look="primary" onClick={onAcknowledge}>
            Ho visto
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** Says every twenty seconds that a page is open, so that customers are not promised an operator who is not there. */
function usePresence() {
  const desk = useDeskName()
  useEffect(() => {
    const report = () =>
      // The next one follows soon.
      void call(recordCounterPresence, { body: { deviceId: deviceId(), desk } }).catch(
        () => undefined,
      )
    report()
    const stop = startSteadyInterval(report, COUNTER_HEARTBEAT_MS)
    // A device that was asleep.
    const onVisible = () => {
      if (document.visibilityState === 'visible') report()
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      stop()
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [desk])
}
