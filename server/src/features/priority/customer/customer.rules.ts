import type { PriorityStatus, WaitingTime } from '@bancone/contract/priority'
import type { CustomerVisit, PriorityDisplayState } from '@bancone/contract/priority-customer'
import type { RoomState } from './customer-visits.store.ts'

/** Below so many waits a waiting time would be a guess. */
const LEAST_WAITS = 5
const STEP_MINUTES = 5

/** Calls that a display shows. */
const SHOWN_CALLS = 6

/** The states that each change of a customer starts from. */
export const customerSteps = {
  on_the_way: ['link_sent'],
  user_arrived: ['link_sent', 'on_the_way'],
  cancelled: ['link_sent', 'on_the_way', 'user_arrived'],
} as const satisfies Record<string, readonly PriorityStatus[]>

const ended: ReadonlySet<PriorityStatus> = new Set(['served', 'no_show', 'cancelled', 'expired'])

/**
 * What a change means for a visit in a state: it is made, it has been made already (or has been overtaken), or the visit
 * has ended.
 */
export function judgeChange(
  status: PriorityStatus,
  to: keyof typeof customerSteps,
): 'change' | 'same' | 'ended' {
  const from: readonly PriorityStatus[] = customerSteps[to]
  if (from.includes(status)) return 'change'
  return ended.has(status) && status !== to ? 'ended' : 'same'
}

/**
 * The middle half of the last waits, rounded outwards to five minutes.
 * @param waits seconds
 */
export function waitingTime(waits: readonly number[]): WaitingTime | null {
  if (waits.length < LEAST_WAITS) return null
  const minutes = waits.map((seconds) => seconds / 60).toSorted((a, b) => a - b)
  const quantile = (part: number) => minutes[Math.round(part * (minutes.length - 1))] ?? 0
  const low = Math.floor(quantile(0.25) / STEP_MINUTES) * STEP_MINUTES
  const high = Math.ceil(quantile(0.75) / STEP_MINUTES) * STEP_MINUTES
  return { low, high: Math.max(high, low + STEP_MINUTES) }
}

/** A waiting time is not shorter than what somebody has waited who is called before, or this customer. */
function atLeast(wait: WaitingTime, milliseconds: number): WaitingTime {
  const steps = milliseconds / 60_000 / STEP_MINUTES
  return {
    low: Math.max(wait.low, Math.floor(steps) * STEP_MINUTES),
    high: Math.max(wait.high, (Math.floor(steps) + 1) * STEP_MINUTES),
  }
}

/**
 * The visits of a room as their customers see them.
 * @param now milliseconds since 1970
 */
export function customerVisits(room: RoomState, now: number): Map<string, CustomerVisit> {
  const isAttended = room.attendedMs !== null
  const wait = isAttended ? waitingTime(room.waits) : null
  const shown = new Map<string, CustomerVisit>()
  let waiting = 0
  // Those who arrived first have waited longest.
  let longestMs = 0
  for (const visit of room.visits) {
    const isWaiting = visit.status === 'user_arrived'
    if (isWaiting && visit.arrivedAt !== null)
      longestMs = Math.max(longestMs, now - Date.parse(visit.arrivedAt))
    const coolsUntil =
      visit.coolsUntil !== null && Date.parse(visit.coolsUntil) > now ? visit.coolsUntil : null
    shown.set(visit.id, {
      status: visit.status,
      orderNumber: visit.orderNumber,
      code: visit.code,
      place: visit.place,
      arrivedAt: visit.arrivedAt,
      calledAt: visit.calledAt,
      calledBy: visit.calledBy,
      ahead: isWaiting ? waiting : null,
      wait: isWaiting && wait ? atLeast(wait, longestMs) : null,
      isAttended,
      coolsUntil,
      isReplaced: visit.isReplaced,
      version: visit.version,
    })
    if (isWaiting) waiting += 1
  }
  return shown
}

/** What the displays of a room show. */
export function displayState({ name, visits }: RoomState): PriorityDisplayState {
  const called = visits.flatMap(({ status, code, calledBy, calledAt }) =>
    status === 'called' && calledAt && code ? { code, desk: calledBy, calledAt } : [],
  )
  return {
    pharmacyName: name,
    called: called
      .toSorted((one, other) => other.calledAt.localeCompare(one.calledAt))
      .slice(0, SHOWN_CALLS),
    waiting: visits.filter(({ status }) => status === 'user_arrived').length,
  }
}
