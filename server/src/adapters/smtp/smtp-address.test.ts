import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { parseSmtpUrl } from './smtp-mailer.ts'

const strict = { tls: { rejectUnauthorized: true } }

it.each([
  ['smtp://mail.example.it', { host: 'mail.example.it', secure: false, requireTLS: false }],
  [
    'smtp://mail.example.it:25/',
    { host: 'mail.example.it', port: 25, secure: false, requireTLS: false },
  ],
  ['smtps://mail.example.it', { host: 'mail.example.it', secure: true, requireTLS: false }],
  ['smtp://[::1]:2525', { host: '::1', port: 2525, secure: false, requireTLS: false }],
  [
    'smtp://a%40x.it:p%2Fss%3Aw%C3%B6rd@mail.example.it:587',
    {
      host: 'mail.example.it',
      port: 587,
      secure: false,
      requireTLS: true,
      auth: { user: 'a@x.it', pass: 'p/ss:wörd' },
    },
  ],
  [
    'smtps://key:secret@mail.example.it:465?tls.rejectUnauthorized=false',
    {
      host: 'mail.example.it',
      port: 465,
      secure: true,
      requireTLS: false,
      auth: { user: 'key', pass: 'secret' },
      tls: { rejectUnauthorized: false },
    },
  ],
])('%s is an address', (url, address) => {
  expect(parseSmtpUrl(url)).toEqual({ ...strict, ...address })
})

it.each([
  '',
  'mail.example.it',
  'http://mail.example.it',
  'smtp://',
  'smtp://user:s3greta@',
  'smtp://user:s3greta/x@mail.example.it',
  'smtp://user:123/s3greta@mail.example.it',
  'smtp://user:123?s3greta@mail.example.it',
  'smtp://user:123#s3greta@mail.example.it',
  'smtp://user:s3greta%@mail.example.it',
  'smtp://user:s3greta@mail.example.it:99999',
  // These options would write the mails to the log.
  'smtp://mail.example.it?logger=true&debug=true',
  'smtp://mail.example.it?tls.rejectUnauthorized=false&logger=true',
])('%j is none, and is not quoted', (url) => {
  let failure: unknown
  try {
    parseSmtpUrl(url)
  } catch (error) {
    failure = error
  }
  expect(failure).toBeInstanceOf(Error)
  expect(inspect(failure, { depth: 20, showHidden: true })).not.toContain('s3greta')
})
