import { expect, test } from 'vitest'
import { readOAuthCallback, withoutOAuthParams } from './provider-redirect.ts'

test.each([
  ['?code=abc', '', { code: 'abc' }],
  [
    '?error=access_denied&error_code=access_denied',
    '#error=access_denied',
    { refusal: 'access_denied' },
  ],
  ['?error=server_error', '', { refusal: null }],
  ['', '#error=invalid_request&error_code=bad_oauth_state', { refusal: 'bad_oauth_state' }],
  ['', '#error=invalid_request&error_code=bad_oauth_callback', { refusal: 'bad_oauth_callback' }],
  // Of a link from a mail.
  ['', '#error=access_denied&error_code=otp_expired', null],
  ['?code=', '', null],
  ['?type=recovery', '#token_hash=t', null],
])('%s%s is %j', (search, hash, back) => {
  expect(readOAuthCallback({ search, hash })).toEqual(back)
})

test('what else there is in the address stays', () => {
  expect(withoutOAuthParams('?a=1&code=abc&b=2')).toBe('?a=1&b=2')
  expect(withoutOAuthParams('?error=x&error_code=y&error_description=z')).toBe('')
})
