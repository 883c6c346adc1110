import { describe, expect, it } from 'vitest'
import { type AuthMail, writeAuthMail } from './auth-mails.ts'

const link = 'https://bancone.example.it/conferma?token=abc_DEF-123&type=recovery&a="<b>\''
const asHtml =
  'https://bancone.example.it/conferma?token=abc_DEF-123&amp;type=recovery&amp;a=&quot;&lt;b&gt;&#39;'
const at = new Date('2026-07-09T22:05:00.000Z')

/** One mail of each kind; a missing kind is a type error. */
const mailOf: { [Kind in AuthMail['kind']]: Extract<AuthMail, { kind: Kind }> } = {
  recovery: { kind: 'recovery', link, validMinutes: 60 },
  invite: { kind: 'invite', link, validMinutes: 7 * 24 * 60, from: 'Farmacia San Marco' },
  signup: { kind: 'signup', link, code: '048291', validMinutes: 24 * 60 },
  magiclink: { kind: 'magiclink', link, code: '048291', validMinutes: 60 },
  email_change_current: {
    kind: 'email_change_current',
    link,
    newEmail: 'a"<b>@x.it',
    validMinutes: 60,
  },
  email_change_new: { kind: 'email_change_new', link, validMinutes: 60 },
  reauthentication: { kind: 'reauthentication', code: '048291', validMinutes: 15 },
  password_changed: { kind: 'password_changed', at, recoverLink: link },
  email_changed_by_administrator: {
    kind: 'email_changed_by_administrator',
    at,
    loginLink: link,
  },
  factor_added: { kind: 'factor_added', at, loginLink: link },
  factor_removed: { kind: 'factor_removed', at, loginLink: link },
  factor_removed_by_administrator: {
    kind: 'factor_removed_by_administrator',
    at,
    loginLink: link,
  },
  recovery_code_used: { kind: 'recovery_code_used', at, loginLink: link, remaining: 3 },
  identity_linked: { kind: 'identity_linked', at, provider: 'DemoID', loginLink: link },
  identity_unlinked: { kind: 'identity_unlinked', at, provider: 'DemoID', loginLink: link },
  already_registered: { kind: 'already_registered', loginLink: link },
}
const mails = Object.values(mailOf)
const withLink = mails.filter((mail) => mail.kind !== 'reauthentication')
const withCode = mails.filter((mail) => 'code' in mail)
const valid = [
  { kind: 'recovery', words: "un'ora" },
  { kind: 'invite', words: '7 giorni' },
  { kind: 'signup', words: '24 ore' },
  { kind: 'magiclink', words: "un'ora" },
  { kind: 'email_change_current', words: "un'ora" },
  { kind: 'email_change_new', words: "un'ora" },
  { kind: 'reauthentication', words: '15 minuti' },
] as const

/** The visible text, without whitespace. */
function visible(html: string): string {
  const body = html.slice(html.indexOf('</head>')).replaceAll(/<!--.*?-->/gs, '')
  return body
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
}

describe('every mail', () => {
  it.each(mails)('$kind has all that it needs, and nothing that is not one', (mail) => {
    const { subject, text, html } = writeAuthMail(mail)
    expect(subject).toMatch(/^\P{Cc}{10,60}$/u)
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/\b(undefined|null|NaN)\b|\[object|Invalid/)
      expect(part).not.toMatch(/\b(ordin[ei]|client[ei])\b/i)
    }
    expect(subject + text + visible(html)).not.toContain('!')
    expect(Buffer.byteLength(html)).toBeLessThan(30_000)
  })

  it.each(mails)('$kind is a page in Italian for light and dark', (mail) => {
    const { html } = writeAuthMail(mail)
    expect(html).toMatch(/^<!doctype html>\n<html lang="it">/)
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('@media (prefers-color-scheme: dark)')
  })

  it.each(mails)('$kind fetches nothing', (mail) => {
    const { html } = writeAuthMail(mail)
    expect(html).not.toMatch(/<img|<link|<script|url\(|@import|@font-face|\bsrc=/i)
    const addresses = [...html.matchAll(/\bhttps?:[^"\s<]*/g)].map(([address]) => address)
    expect(addresses.filter((address) => address !== asHtml)).toEqual([])
  })

  it.each(mails)('$kind says the same in both parts', (mail) => {
    const { text, html } = writeAuthMail(mail)
    const shown = visible(html)
    // The bare link and the escaped address are checked separately.
    const sentences = text
      .split('\n')
      .filter((line) => !/https:|@|^$/.test(line))
      .map((line) => line.replace(/:$/, ''))
    expect(sentences.length).toBeGreaterThan(5)
    for (const sentence of sentences) expect(shown).toContain(sentence)
  })

  it.each(mails.filter(({ kind }) => kind !== 'invite'))(
    '$kind says what to do if it was not you',
    (mail) => {
      const { text } = writeAuthMail(mail)
      expect(text).toContain('Se non sei stato tu')
      if (!('at' in mail)) expect(text).toContain('ignora questa email')
    },
  )
})

describe('a link', () => {
  it.each(withLink)('of $kind is a button and bare, and on a line by itself', (mail) => {
    const { text, html } = writeAuthMail(mail)
    expect(text.split('\n').filter((line) => line === link)).toHaveLength(1)
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)
    expect(targets).toEqual([asHtml, asHtml])
    expect(html).toContain(`>${asHtml}</a>`)
  })

  it('is not in a mail that has none', () => {
    const { text, html } = writeAuthMail(mailOf.reauthentication)
    expect(text).not.toMatch(/https?:|undefined/)
    expect(html).not.toContain('<a ')
  })
})

describe('a code', () => {
  it.each(withCode)('of $kind is whole in both parts, and not where others see it', (mail) => {
    const { subject, text, html } = writeAuthMail(mail)
    expect(text.split('\n')).toContain('048291')
    expect(html).toMatch(/user-select:all[^>]*>048291<\/span>/)
    expect(html.match(/048291/g)).toHaveLength(1)
    expect(subject).not.toContain('048291')
  })
})

it.each(valid)('$kind says that it is valid for $words', ({ kind, words }) => {
  const { text, html } = writeAuthMail(mailOf[kind])
  expect(text).toMatch(new RegExp(`val(e|gono) ${words}\\b`))
  expect(visible(html)).toContain(words)
})

it('shows an address as it is, and not as a part of the page', () => {
  const { text, html } = writeAuthMail(mailOf.email_change_current)
  expect(text).toContain('a"<b>@x.it')
  expect(html).toContain('a&quot;&lt;b&gt;@x.it')
  expect(html).not.toContain('<b>')
})

it('says when the password was changed by the clocks in Italy', () => {
  const { text, html } = writeAuthMail(mailOf.password_changed)
  expect(text).toContain('10/07/2026 alle 00:05')
  expect(html).toContain('10/07/2026 alle 00:05')
})

it('an invitation names its sender if there is one', () => {
  const { subject, text, html } = writeAuthMail({ ...mailOf.invite, from: 'A & B\r\nBcc: x@y.it' })
  expect(subject).toBe('A & B Bcc: x@y.it ti invita a Bancone')
  expect(text).toContain('ti invita a usare Bancone.')
  expect(html).toContain('A &amp; B')
  // At the head, too.
  expect(visible(html)).toMatch(/A &(amp;)? B.*Hai un invito/s)
  const plain = writeAuthMail({ ...mailOf.invite, from: null })
  expect(plain.subject).toBe('Il tuo invito a Bancone')
  expect(plain.text).not.toContain('ti invita')
})

it.each([
  [0, 'Non ti restano altri codici di recupero.'],
  [1, 'Ti resta un solo codice di recupero.'],
  [9, 'Ti restano 9 codici di recupero.'],
])('with %i recovery codes left says: %s', (remaining, words) => {
  const { text, html } = writeAuthMail({ ...mailOf.recovery_code_used, remaining })
  expect(text).toContain(words)
  expect(visible(html)).toContain(words)
})
