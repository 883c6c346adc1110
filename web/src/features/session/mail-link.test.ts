import { describe, expect, test } from 'vitest'
import { areaOf } from './areas.ts'
import { readLinkRefusal, readMailLink } from './mail-link.ts'

function hash(parts: Record<string, string>): string {
  return `#${new URLSearchParams(parts)}`
}

describe('a link from a mail leads', () => {
  test.each([
    ['recovery', undefined, '/reset-password?type=recovery', 'pharmacy'],
    ['recovery', '/', '/reset-password?type=recovery', 'pharmacy'],
    ['recovery', '/reset-password?type=recovery', '/reset-password?type=recovery', 'pharmacy'],
    [
      'recovery',
      '/reset-password?type=recovery&area=admin',
      '/reset-password?type=recovery&area=admin',
      'admin',
    ],
    ['invite', undefined, '/reset-password?type=invite', 'pharmacy'],
    ['invite', '/admin/dashboard', '/admin/dashboard', 'admin'],
    ['magiclink', undefined, '/', 'pharmacy'],
    ['magiclink', '/?page=2', '/?page=2', 'pharmacy'],
    ['magiclink', '/admin', '/admin', 'admin'],
    ['signup', undefined, '/', 'pharmacy'],
    ['email_change', '/privacy', '/privacy', 'pharmacy'],
    ['magiclink', '//example.org', '/', 'pharmacy'],
    ['magiclink', '/\\example.org', '/', 'pharmacy'],
    ['magiclink', 'javascript:alert(1)', '/', 'pharmacy'],
    ['recovery', 'https://example.org/', '/reset-password?type=recovery', 'pharmacy'],
  ])('%s with %s: to %s, for the %s', (type, redirect, to, area) => {
    const parts = { token_hash: 't', type, ...(redirect ? { redirect_to: redirect } : {}) }
    expect(readMailLink(hash(parts))).toEqual({ token: 't', type, to, area })
  })
})

test.each([
  '',
  '#',
  '#token_hash=t',
  '#type=recovery',
  '#token_hash=&type=recovery',
  '#token_hash=t&type=sms',
  '#access_token=t&type=recovery',
])('%j is no whole link', (text) => {
  expect(readMailLink(text)).toBeNull()
})

test.each([
  ['#error=access_denied&error_code=otp_expired&error_description=x', { code: 'otp_expired' }],
  ['#error=access_denied', { code: null }],
  ['#token_hash=t&type=recovery', null],
  ['', null],
])('%j was refused: %j', (text, refusal) => {
  expect(readLinkRefusal(text)).toEqual(refusal)
})

test.each([
  ['/admin', 'admin'],
  ['/admin/pharmacies?x=1', 'admin'],
  ['/administrators', 'pharmacy'],
  ['/reset-password?area=admin', 'admin'],
  ['/privacy?area=admin', 'pharmacy'],
])('%s is a page for the %s', (path, area) => {
  expect(areaOf(path)).toBe(area)
})
