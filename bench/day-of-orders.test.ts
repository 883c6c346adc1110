import { expect, it } from 'vitest'
import {
  type Cost,
  type Day,
  habits,
  kinds,
  needOf,
  SECONDS_A_DAY,
  simulateDay,
} from './day-of-orders.ts'

/** Evenly distributed, and the same in every run. */
function repeatable(): () => number {
  let state = 7
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const sum = (values: Uint32Array) => values.reduce((all, value) => all + value, 0)

it('has the orders of a day, most of them before noon, and what follows from them', () => {
  const day = simulateDay(200, repeatable())
  const orders = sum(day.creation)
  expect(orders / (200 * habits.ordersADay)).toBeCloseTo(1, 1)
  expect(sum(day.change) / orders).toBeCloseTo(habits.changesOfOrder, 1)
  const inHour = (hour: number) => sum(day.creation.subarray(hour * 3600, (hour + 1) * 3600))
  expect(inHour(10)).toBeGreaterThan(2 * inHour(13))
  expect(sum(day.read.subarray(0, habits.opens * 3600))).toBe(0)
  const seen = (kind: 'creation' | 'change') =>
    sum(day[kind].subarray(habits.opens * 3600, habits.closes * 3600))
  expect(sum(day.read)).toBe(habits.screens * (seen('creation') + seen('change')))
})

it('computes what the busiest hour needs', () => {
  const day = Object.fromEntries(kinds.map((kind) => [kind, new Uint32Array(SECONDS_A_DAY)])) as Day
  day.read.fill(100, 9 * 3600, 10 * 3600)
  day.change.fill(50, 9 * 3600, 10 * 3600)
  // Ten seconds of a crowd: more than one in a thousand of the hour.
  day.read.fill(1_000, 9 * 3600, 9 * 3600 + 10)
  const cost: Cost = { server: 0.002, database: 0.001, response: 0.004 }
  const costs = Object.fromEntries(kinds.map((kind) => [kind, cost])) as Record<
    (typeof kinds)[number],
    Cost
  >
  const need = needOf(day, costs, 20_000)
  expect(need).toMatchObject({ hour: 9, processes: 8, connections: { direct: 184, pooled: 114 } })
  expect(need.requests).toEqual({ mean: 152.5, unlucky: 1_050 })
  expect(need.server.unlucky).toBeCloseTo(2.1)
  expect(need.database.unlucky).toBeCloseTo(1.05)
  expect(need.busy.unlucky).toBeCloseTo(4.2)
  expect(need.notifying).toEqual({ mean: 50, unlucky: 50 })
})
