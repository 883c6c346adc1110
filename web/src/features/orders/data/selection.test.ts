import { MAX_SELECTED_ORDERS } from '@bancone/contract/order-search'
import { expect, test } from 'vitest'
import { order, orders } from '../../../../test/fixtures.ts'
import {
  addToSelection,
  rangeOf,
  removeFromSelection,
  type Selection,
  selectionEntry,
  withCurrentData,
} from './use-selection.ts'

const none: Selection = new Map()
const ids = ['a', 'b', 'c', 'd']

test.each([
  [null, 'c', ['c']],
  ['a', 'c', ['a', 'b', 'c']],
  ['d', 'b', ['b', 'c', 'd']],
  ['b', 'b', ['b']],
  ['of another page', 'c', ['c']],
])('from %s to %s it takes %j', (anchor, id, range) => {
  expect(rangeOf(ids, anchor, id)).toEqual(range)
})

test('an order is kept with its number and the status on screen', () => {
  const selection = addToSelection(none, [selectionEntry(order(7, { Stato: 'Annullato' }))])
  expect([...selection]).toEqual([['rec000007', { number: '7', status: 'Annullato' }]])
})

test('no more than 500 are kept, and those that were first stay', () => {
  const full = addToSelection(none, orders(MAX_SELECTED_ORDERS).map(selectionEntry))
  const more = addToSelection(full, [selectionEntry(order(9_999))])
  expect([full.size, more.size, more.has('rec009999')]).toEqual([500, 500, false])
})

test('what the screen shows of a selected order is what is known of it', () => {
  const selection = addToSelection(none, [
    [order(1).id, { number: null, status: 'In attesa' }],
    selectionEntry(order(2)),
  ])
  expect(withCurrentData(selection, [order(2), order(3)])).toBe(selection)
  const shown = withCurrentData(selection, [order(1, { Stato: 'Confermato' }), order(3)])
  expect(shown.get(order(1).id)).toEqual({ number: '1', status: 'Confermato' })
  expect(shown.size).toBe(2)
})

test('what has been dealt with is taken out', () => {
  const selection = addToSelection(none, orders(3).map(selectionEntry))
  expect([...removeFromSelection(selection, [order(2).id, 'unknown']).keys()]).toEqual([
    order(3).id,
    order(1).id,
  ])
})
