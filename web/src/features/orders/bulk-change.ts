import { changeOrdersStatus, MOST_CHANGED, type StatusChange } from '@bancone/contract/order-search'
import type { OrderStatus } from '@bancone/contract/orders'
import { call } from '../../lib/api.ts'
import { knownStatus } from './order-status.ts'

/** A longer word of the store is not sent along: the change is made as it is asked for. */
const LONGEST_WORD = 200

/** The most numbers of orders that are named in one sentence. */
export const MOST_NUMBERS = 10

/** An order to change, and the status it has on the screen. */
export type BulkItem = { recordId: string; number: string | null; from: string; to: OrderStatus }

/** One that was left as it is. `now` is the status somebody has given it; null when it is gone. */
export type Left = { recordId: string; number: string | null; now: string | null }

export type BulkOutcome = {
  /** With the status each had before. */
  changed: BulkItem[]
  /** How many had the status already, by somebody else's hand. */
  same: number
  left: Left[]
  /** Those that were not tried any more, and why. */
  rest: BulkItem[]
  error: unknown
}

/** Told after each portion: the orders that are through, and the status those have that are still there. */
type OnPortion = (through: string[], statuses: Map<string, string>) => Promise<void>

/**
 * Changes orders in the portions the server takes, one after the other, until one fails: what was changed
 * until then stays.
 *
 * @param again the first portion was tried before: what has the wanted status then has it from here
 */
export async function changeInPortions(
  items: readonly BulkItem[],
  again: boolean,
  onPortion: OnPortion,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { changed: [], same: 0, left: [], rest: [], error: null }
  for (let start = 0; start < items.length; start += MOST_CHANGED) {
    const portion = items.slice(start, start + MOST_CHANGED)
    let answer: Answer
    try {
      answer = await call(changeOrdersStatus, { body: { changes: portion.map(asked) } })
    } catch (error) {
      return { ...outcome, rest: items.slice(start), error }
    }
    takeAnswer(outcome, portion, answer, again && start === 0)
    const through = portion.map(({ recordId }) => recordId)
    await onPortion(through, statusesOf(answer))
  }
  return outcome
}

function asked({ recordId, from, to }: BulkItem): StatusChange {
  return { recordId, Stato: to, ...(from.length > LONGEST_WORD ? {} : { was: from }) }
}

type Answer = Awaited<ReturnType<typeof call<typeof changeOrdersStatus>>>

function takeAnswer(outcome: BulkOutcome, portion: BulkItem[], answer: Answer, again: boolean) {
  const items = new Map(portion.map((item) => [item.recordId, item]))
  /** It had the status already: from here, if what was sent before came to an end after all. */
  function takeSame(item: BulkItem) {
    if (again && item.from !== item.to) outcome.changed.push(item)
    else outcome.same += 1
  }
  for (const { recordId, from } of answer.changed) {
    const item = items.get(recordId)
    if (item === undefined) continue
    if (from === item.to) takeSame(item)
    else outcome.changed.push({ ...item, from })
  }
  for (const { recordId, now } of answer.left) {
    const item = items.get(recordId)
    if (item === undefined) continue
    if (now === item.to) takeSame(item)
    else outcome.left.push({ recordId, number: item.number, now })
  }
}

function statusesOf({ changed, left }: Answer): Map<string, string> {
  const statuses = new Map<string, string>(changed.map(({ recordId, to }) => [recordId, to]))
  for (const { recordId, now } of left) if (now !== null) statuses.set(recordId, now)
  return statuses
}

/** What gives each order its former status again, but for foreign words of the store: how many those are. */
export function undoOf(changed: readonly BulkItem[]): { items: BulkItem[]; foreign: number } {
  const items = changed.flatMap(({ recordId, number, from, to }) => {
    const former = knownStatus(from)
    return former === null ? [] : [{ recordId, number, from: to, to: former }]
  })
  return { items, foreign: changed.length - items.length }
}
