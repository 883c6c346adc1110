import { expect, test, vi } from 'vitest'
import { browserStorage, tabStorage } from './browser-storage.ts'

function block(name: 'localStorage' | 'sessionStorage') {
  vi.spyOn(window, name, 'get').mockImplementation(() => {
    throw new DOMException('Access is denied', 'SecurityError')
  })
}

test('what is kept is in the storage of the browser, or of the tab', () => {
  browserStorage.setItem('a', '1')
  tabStorage.setItem('a', '2')
  expect([localStorage.getItem('a'), sessionStorage.getItem('a')]).toEqual(['1', '2'])
  localStorage.setItem('a', '3')
  expect(browserStorage.getItem('a')).toBe('3')
  browserStorage.removeItem('a')
  expect(localStorage.getItem('a')).toBeNull()
  browserStorage.setItem('b', '1')
  browserStorage.clear()
  expect(localStorage.length).toBe(0)
})

test.each([
  ['localStorage', browserStorage],
  ['sessionStorage', tabStorage],
] as const)('with %s blocked, the memory of the page stands in', (name, storage) => {
  block(name)
  expect(storage.getItem('a')).toBeNull()
  storage.setItem('a', '1')
  expect(storage.getItem('a')).toBe('1')
  storage.removeItem('a')
  expect(storage.getItem('a')).toBeNull()
  storage.setItem('b', '1')
  storage.clear()
  expect(storage.getItem('b')).toBeNull()
})

test('a full storage does not go on showing what was there before', () => {
  browserStorage.setItem('a', 'old')
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full', 'QuotaExceededError')
  })
  browserStorage.setItem('a', 'new')
  expect(browserStorage.getItem('a')).toBe('new')
  expect(localStorage.getItem('a')).toBeNull()
})
