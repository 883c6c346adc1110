import type { PriorityStatus, WaitingTime } from '@bancone/contract/priority'
import type {
  CustomerPrioritySession,
  PriorityDisplayState,
} from '@bancone/contract/priority-customer'
import type { RoomState } from './customer-sessions.store.ts'

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
 * What a change means for a session in a state: it is made, it has been made already (or has been overtaken), or the
 * session has ended.
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
 * The sessions of a room as their customers see them.
 * @param now milliseconds since 1970
 */
export function customerSessions(
  room: RoomState,
  now: number,
): Map<string, CustomerPrioritySession> {
  const isAttended = room.attendedMs !== null
  const wait = isAttended ? waitingTime(room.waits) : null
  const shown = new Map<string, CustomerPrioritySession>()
  let waiting = 0
  // Those who arrived first have waited longest.
  let longestMs = 0
  for (const session of room.sessions) {
    const isWaiting = session.status === 'user_arrived'
    if (isWaiting && session.arrivedAt !== null)
      longestMs = Math.max(longestMs, now - Date.parse(session.arrivedAt))
    const coolsUntil =
      session.coolsUntil !== null && Date.parse(session.coolsUntil) > now
        ? session.coolsUntil
        : null
    shown.set(session.id, {
      status: session.status,
      orderNumber: session.orderNumber,
      code: session.code,
      place: session.place,
      arrivedAt: session.arrivedAt,
      calledAt: session.calledAt,
      calledBy: session.calledBy,
      ahead: isWaiting ? waiting : null,
      wait: isWaiting && wait ? atLeast(wait, longestMs) : null,
      isAttended,
      coolsUntil,
      isReplaced: session.isReplaced,
      version: session.version,
    })
    if (isWaiting) waiting += 1
  }
  return shown
}

/** What the displays of a room show. */
export function displayState({ name, sessions }: RoomState): PriorityDisplayState {
  const called = sessions.flatMap(({ status, code, calledBy, calledAt }) =>
    status === 'called' && calledAt && code ? { code, desk: calledBy, calledAt } : [],
  )
  return {
    pharmacyName: name,
    called: called
      .toSorted((one, other) => other.calledAt.localeCompare(one.calledAt))
      .slice(0, SHOWN_CALLS),
    waiting: sessions.filter(({ status }) => status === 'user_arrived').length,
  }
}
