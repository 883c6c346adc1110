import type { OrderEvent } from '@bancone/contract/order-details'
import { expect, test } from 'vitest'
import { detailsOf, maria, order, orderEvent } from '../../../../test/fixtures.ts'
import { byWhom, conflictOf } from './conflict-dialog.tsx'

const now = Date.parse('2026-03-02T12:00:00Z')

const event = (what: Partial<OrderEvent>) => orderEvent({ at: '2026-03-02T09:42:00Z', ...what })

test.each<[Partial<OrderEvent>, string]>([
  [{ who: maria }, 'Maria, alle 10:42'],
  [{ who: { name: 'Maria', you: true, here: false } }, 'tu, da un altro dispositivo, alle 10:42'],
  [{ source: 'airtable' }, 'da Airtable, alle 10:42'],
  [{ source: 'api' }, 'tramite API, alle 10:42'],
  [{}, 'alle 10:42'],
  [{ source: 'airtable', at: '2026-02-27T09:42:00Z' }, 'da Airtable, alle 10:42 del 27/02/2026'],
])('%j is told as: %s', (what, text) => expect(byWhom(event(what), now)).toBe(text))

test('of a history it is the last change to the status there is now', () => {
  const history = [
    event({ kind: 'content', at: '2026-03-02T09:50:00Z', to: null }),
    event({ at: '2026-03-02T09:45:00Z' }),
    event({ to: 'Annullato', at: '2026-03-02T09:43:00Z' }),
    event({ at: '2026-03-02T09:42:00Z' }),
  ]
  const details = detailsOf(order(1042, { Stato: 'Confermato' }), { history })
  const target = { recordId: order(1042).id, number: '1042', status: 'In attesa' }
  const conflict = conflictOf(target, 'Annullato', details)
  expect(conflict.target.status).toBe('Confermato')
  expect(conflict.change?.at).toBe('2026-03-02T09:45:00Z')
  expect(conflictOf(target, 'Annullato', { ...details, history: [] }).change).toBeNull()
})
