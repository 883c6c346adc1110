import { paths } from '@bancone/contract/pages'
import { getPriorityBoard, type PriorityVisit } from '@bancone/contract/priority'
import { topicEvents } from '@bancone/contract/realtime'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { endpointKey, useEndpoint } from '../../../lib/endpoint-query.ts'
import { usePharmacyEvents } from '../../../lib/pharmacy-events.ts'
import { createThrottledRefetch } from '../../../lib/throttled-refetch.ts'
import { toastNews } from '../../../ui/toast.ts'
import { unacknowledged } from '../board/board-changes.ts'
import { customerName, orderText } from '../visit-texts.ts'
import { takeUnannounced } from './announced-arrivals.ts'
import { ArrivalsBar } from './arrivals-bar.tsx'
import { showAsFresh } from './fresh-arrivals.ts'
import { useAcknowledge } from './use-acknowledge.ts'
import { usePresence } from './use-presence.ts'

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
  /** Called when customers have arrived, once per arrival and tab. @param count all that no operator has acknowledged */
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

  function show(visit: PriorityVisit | undefined) {
    acknowledge(visit ? [visit] : news)
    void navigate(paths.priority, { state: { visitId: visit?.id ?? news[0]?.id } })
  }

  const announce = useEffectEvent((arrived: readonly PriorityVisit[]) => {
    showAsFresh(arrived.map(({ id }) => id))
    onArrivals(news.length)
    for (const visit of arrived) {
      toastNews('Nuovo cliente arrivato!', {
        about: `arrival-${visit.id}`,
        description: `${customerName(visit)} · Ordine ${orderText(visit)}`,
        action: { label: 'Visualizza', run: () => show(visit) },
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
