import { describe, expect, it } from 'vitest'
import {
  confirmation,
  isNew,
  needsNumber,
  type PendingOrder,
  refusal,
} from './order-creation-outcomes.rules.ts'

const pending: PendingOrder = {
  origin: 'api',
  orderNumber: null,
  requestedAt: '2026-03-02T10:00:00.000Z',
  answered: false,
  isUnseen: true,
  statusChangedAt: null,
  hasChange: false,
}
const changed = { ...pending, hasChange: true, statusChangedAt: '2026-03-02T10:00:05.000Z' }

const before = '2026-03-02T09:59:59.999Z'
const after = '2026-03-02T10:00:01.000Z'

describe('a pending order for which the source returned a record', () => {
  it.each([
    ['that no order has', pending, undefined, { kind: 'confirm', isNew: true }],
    [
      'that a reading copied meanwhile',
      pending,
      { id: '7', origin: 'store', createdAt: after },
      { kind: 'merge', holderId: '7', movesChange: true, isNew: true },
    ],
    [
      'that a reading copied at the same time',
      pending,
      { id: '7', origin: 'store', createdAt: pending.requestedAt },
      { kind: 'merge', holderId: '7', movesChange: true, isNew: true },
    ],
    [
      'that a reading copied, while it has a change of its own',
      changed,
      { id: '7', origin: 'store', createdAt: after },
      { kind: 'merge', holderId: '7', movesChange: false, isNew: false },
    ],
    ['that is older', pending, { id: '7', origin: 'store', createdAt: before }, { kind: 'taken' }],
    [
      'of another created by a key',
      pending,
      { id: '7', origin: 'api', createdAt: after },
      { kind: 'taken' },
    ],
    [
      'of another created by a user',
      pending,
      { id: '7', origin: 'person', createdAt: after },
      { kind: 'taken' },
    ],
  ])('%s', (_record, order, holder, decision) => {
    expect(confirmation(order, holder)).toEqual(decision)
  })
})

describe('a pending order that the source rejected', () => {
  it.each([
    ['is removed while its creator waits', false, true, { kind: 'remove' }],
    ['is kept when no caller waits', false, false, { kind: 'keep', isNew: true }],
    ['is kept after it was confirmed to its creator', true, true, { kind: 'keep', isNew: false }],
    ['is kept after both', true, false, { kind: 'keep', isNew: false }],
  ])('%s', (_case, answered, callerWaits, decision) => {
    expect(refusal({ ...pending, answered }, callerWaits)).toEqual(decision)
  })
})

describe('an order that stays in the database', () => {
  it.each([
    [null, true],
    ['12', false],
  ])('with the number %j', (orderNumber, expected) => {
    expect(needsNumber({ ...pending, orderNumber })).toBe(expected)
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
