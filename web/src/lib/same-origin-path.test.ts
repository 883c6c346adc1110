import { expect, test } from 'vitest'
import { sameOriginPath } from './same-origin-path.ts'

test.each([
  ['/', '/'],
  ['/reset-password?type=recovery', '/reset-password?type=recovery'],
  ['/?page=2&stato=In+attesa', '/?page=2&stato=In+attesa'],
  ['/a/../b', '/b'],
  ['/login#error=x', '/login'],
])('%s stays inside', (candidate, path) => {
  expect(sameOriginPath(candidate)).toBe(path)
})

test.each([
  '',
  'login',
  '//example.org',
  '/\\example.org',
  '\\/example.org',
  '/\t/example.org',
  '/\n/example.org',
  '/.//example.org',
  '/a/..//example.org',
  ' //example.org',
  'https://example.org/',
  'http://localhost:3000/',
  'javascript:alert(1)',
  'data:text/html,x',
  null,
  undefined,
])('%j leads nowhere', (candidate) => {
  expect(sameOriginPath(candidate)).toBeNull()
})
