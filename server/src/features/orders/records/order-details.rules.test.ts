import { expect, it } from 'vitest'
import { history, MAX_EVENTS, type StoredEvent } from './order-details.rules.ts'

it('the history of an order has an end', () => {
  const received = { at: '2026-01-01T00:00:00.000Z', origin: 'store' } as const
  const somebody = { userId: 'anna', sessionId: 'counter', name: 'Anna' }
  const event: StoredEvent = {
    ...somebody,
    at: '2026-02-01T00:00:00.000Z',
    kind: 'status',
    source: 'person',
    from: 'In attesa',
    to: 'Confermato',
    columns: [],
  }
  const many = Array.from({ length: MAX_EVENTS }, () => event)
  const told = history({ ...somebody, ...received }, many, somebody, true)
  expect(told).toHaveLength(MAX_EVENTS)
  expect(told.at(-1)?.kind).toBe('received')
})
