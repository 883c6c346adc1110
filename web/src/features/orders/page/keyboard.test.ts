import { expect, test } from 'vitest'
import { capturesKeys } from '../../../lib/keys.ts'
import { keyCommand } from './keyboard.ts'

const press = (key: string, held: KeyboardEventInit = {}) =>
  keyCommand(new KeyboardEvent('keydown', { key, ...held }))

test.each([
  ['j', { kind: 'move', step: 1 }],
  ['k', { kind: 'move', step: -1 }],
  ['J', { kind: 'move', step: 1 }],
  ['x', { kind: 'select' }],
  ['n', { kind: 'new' }],
  ['Enter', { kind: 'open' }],
  ['1', { kind: 'status', status: 'In attesa' }],
  ['2', { kind: 'status', status: 'Confermato' }],
  ['3', { kind: 'status', status: 'Prenotato in Giornata' }],
  ['4', { kind: 'status', status: 'Prenotato Domani' }],
  ['u', { kind: 'undo' }],
  ['/', { kind: 'search' }],
  ['?', { kind: 'help' }],
  ['0', null],
  ['5', null],
  ['6', null],
  ['Escape', null],
  [' ', null],
])('the key %s', (key, command) => {
  expect(press(key)).toEqual(command)
})

test('on an Italian keyboard the shift key writes / and ?, and means nothing else', () => {
  const shifted = { shiftKey: true }
  expect([press('/', shifted), press('?', shifted)]).toEqual([{ kind: 'search' }, { kind: 'help' }])
  expect(['J', 'X', '2', 'Enter'].map((key) => press(key, shifted))).toEqual([
    null,
    null,
    null,
    null,
  ])
})

test.each(['ctrlKey', 'metaKey', 'altKey', 'isComposing'])(
  'with %s the key is not ours',
  (held) => {
    expect(['j', '2', '/', '?'].map((key) => press(key, { [held]: true }))).toEqual(
      Array.from({ length: 4 }, () => null),
    )
  },
)

test('a key held down goes on through the list, and does nothing else again', () => {
  expect(press('j', { repeat: true })).not.toBeNull()
  expect(['2', 'x', 'Enter', '?'].map((key) => press(key, { repeat: true }))).toEqual(
    Array.from({ length: 4 }, () => null),
  )
})

test.each([
  ['<input>', true],
  ['<input type="search">', true],
  ['<input type="checkbox">', false],
  ['<textarea></textarea>', true],
  ['<select></select>', true],
  ['<button></button>', false],
  ['<a href="/"></a>', false],
])('%s keeps the keys for itself: %s', (html, keeps) => {
  const place = document.createElement('div')
  place.innerHTML = html
  expect(capturesKeys(place.firstElementChild)).toBe(keeps)
})

test('what is in a toast keeps them too', () => {
  const toasts = document.createElement('ol')
  toasts.dataset['sonnerToaster'] = 'true'
  toasts.innerHTML = '<li><button>Annulla modifica</button></li>'
  expect(capturesKeys(toasts.querySelector('button'))).toBe(true)
})
