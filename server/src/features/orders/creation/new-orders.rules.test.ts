import { describe, expect, it } from 'vitest'
import { isNew, isOfAnother, type PendingOrder } from './new-orders.rules.ts'

const pending: PendingOrder = {
  origin: 'api',
  requestedAt: '2026-03-02T10:00:00.000Z',
  answered: false,
  isUnseen: true,
  statusChangedAt: null,
}
const before = '2026-03-02T09:59:59.999Z'
const after = '2026-03-02T10:00:01.000Z'

describe('a record that the source returned for a pending order', () => {
  it.each([
    ['its own, which a reading copied meanwhile', 'store', after, false],
    ['its own, which a reading copied at the same time', 'store', pending.requestedAt, false],
    ['an older one', 'store', before, true],
    ['that of another order created by a key', 'api', after, true],
    ['that of another order created by a user', 'person', after, true],
  ])('is %s', (_record, origin, createdAt, expected) => {
    expect(isOfAnother(pending, { origin, createdAt })).toBe(expected)
  })
})

describe('an order that has become final', () => {
  it.each<[string, Partial<PendingOrder>, boolean]>([
    ['created by a key is new', {}, true],
    ['is announced once', { answered: true }, false],
    ['created by a user is not new', { origin: 'person' }, false],
    ['that a user has seen is not new', { isUnseen: false }, false],
    ['that a user has changed is not new', { statusChangedAt: after }, false],
  ])('%s', (_case, facts, expected) => {
    expect(isNew({ ...pending, ...facts })).toBe(expected)
  })
})
