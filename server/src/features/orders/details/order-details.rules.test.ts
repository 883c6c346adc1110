import { describe, expect, it } from 'vitest'
import {
  actor,
  history,
  type KeptEvent,
  MOST_EVENTS,
  type Reception,
} from './order-details.rules.ts'

const asking = { userId: 'anna', sessionId: 'counter' }
const anna = { userId: 'anna', sessionId: 'counter', name: 'Anna' }

describe('who did something', () => {
  it.each([
    ['the same session', anna, { name: 'Anna', you: true, here: true }],
    ['another screen', { ...anna, sessionId: 'office' }, { name: 'Anna', you: true, here: false }],
    ['somebody else', { ...anna, userId: 'bruno' }, { name: 'Anna', you: false, here: false }],
    ['somebody who is gone', { ...anna, name: null }, null],
    [
      'a program',
      { userId: null, sessionId: null, name: 'Sito' },
      { name: 'Sito', you: false, here: false },
    ],
  ])('is %s', (_what, who, told) => {
    expect(actor(who, asking)).toEqual(told)
  })
})

describe('the history of an order', () => {
  const nobody = { userId: null, sessionId: null, name: null }
  const received: Reception = { ...nobody, at: '2026-01-01T00:00:00.000Z', origin: 'store' }
  const event = (at: string): KeptEvent => ({
    ...anna,
    at,
    kind: 'status',
    source: 'person',
    from: 'In attesa',
    to: 'Confermato',
    columns: [],
  })

  it.each([
    ['store', true, 'airtable'],
    ['store', false, 'system'],
    ['api', true, 'api'],
    ['person', false, 'person'],
  ] as const)(
    'of one from the %s (with a store: %s) begins with: %s',
    (origin, hasStore, source) => {
      const [entry] = history({ ...received, origin }, [], asking, hasStore)
      expect(entry).toMatchObject({
        kind: 'received',
        source,
        at: received.at,
        from: null,
        to: null,
      })
    },
  )

  it('tells how it came in last, also of one that was gone and has come back since', () => {
    const kinds = history(received, [event('2025-12-01T00:00:00.000Z')], asking, true)
    expect(kinds.map((entry) => entry.kind)).toEqual(['status', 'received'])
    expect(kinds[0]).toEqual({
      at: '2025-12-01T00:00:00.000Z',
      kind: 'status',
      source: 'person',
      who: { name: 'Anna', you: true, here: true },
      from: 'In attesa',
      to: 'Confermato',
      columns: [],
    })
  })

  it('has an end', () => {
    const many = Array.from({ length: MOST_EVENTS }, () => event('2026-02-01T00:00:00.000Z'))
    const told = history(received, many, asking, true)
    expect(told).toHaveLength(MOST_EVENTS)
    expect(told.at(-1)?.kind).toBe('received')
  })
})
