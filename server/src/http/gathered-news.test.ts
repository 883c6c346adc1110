import type { OrdersEvent } from '@bancone/contract/realtime'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { gatherNews } from './pharmacy-topics.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const added = (...ids: string[]): OrdersEvent => ({ kind: 'added', ids })

function news() {
  const sent: [string, OrdersEvent][] = []
  return { sent, tell: gatherNews((pharmacyId, event) => sent.push([pharmacyId, event])) }
}

it('sends the first event at once, and those that follow together, for each pharmacy', () => {
  const { sent, tell } = news()
  tell('a', added('rec1'))
  for (const id of ['rec2', 'rec3', 'rec2']) tell('a', added(id))
  tell('b', added('rec9'))
  expect(sent.splice(0)).toEqual([
    ['a', added('rec1')],
    ['b', added('rec9')],
  ])
  vi.runAllTimers()
  expect(sent.splice(0)).toEqual([['a', added('rec2', 'rec3')]])
  tell('a', added('rec4'))
  expect(sent).toEqual([['a', added('rec4')]])
})

it('keeps the order of kinds', () => {
  const { sent, tell } = news()
  tell('a', added('rec1'))
  tell('a', { kind: 'changed', ids: ['rec1'] })
  tell('a', { kind: 'changed', ids: ['rec2'] })
  tell('a', { kind: 'removed', ids: ['rec1'] })
  tell('a', { kind: 'changed', ids: ['rec2'] })
  vi.runAllTimers()
  expect(sent.map(([, { kind, ids }]) => [kind, ids?.join()])).toEqual([
    ['added', 'rec1'],
    ['changed', 'rec1,rec2'],
    ['removed', 'rec1'],
    ['changed', 'rec2'],
  ])
})

it('names no orders when there are more than a hundred', () => {
  const { sent, tell } = news()
  tell('a', added('rec0'))
  for (let n = 1; n <= 101; n += 1) tell('a', added(`rec${n}`))
  tell('a', added('rec102'))
  vi.runAllTimers()
  expect(sent[1]).toEqual(['a', { kind: 'added', ids: null }])
})
