import { describe, expect, it } from 'vitest'
import { createRedirectAllowList } from './redirect-urls.ts'

const own = 'https://good.example.it'
const shop = 'https://shop.example.it:8443'
const app = 'https://app.example.it'
const redirects = createRedirectAllowList(own, [shop, app])
const ownHref = `${own}/`

describe('where a link may lead', () => {
  it.each([
    ['the application', own, ownHref],
    ['a page of it, with its query', `${own}/ordini?page=2#a`, `${own}/ordini?page=2#a`],
    ['its port said aloud', `${own}:443/ordini`, `${own}/ordini`],
    ['its name in capitals', 'HTTPS://Good.Example.IT/a', `${own}/a`],
    ['an origin that was configured', `${shop}/a?b=c`, `${shop}/a?b=c`],
    // The result is the URL as a browser parses it, never the original text.
    ['backslashes for slashes', String.raw`https:\\good.example.it\a`, `${own}/a`],
    [
      'a backslash that ends the host',
      String.raw`https://good.example.it\@evil.com`,
      `${own}/@evil.com`,
    ],
    ['line breaks within', 'https://good.exa\nmple.it/\ta', `${own}/a`],
    ['one slash', 'https:/good.example.it/a', `${own}/a`],
    ['what only looks like another site', `${own}//evil.com`, `${own}//evil.com`],
  ])('is %s', (_what, candidate, href) => {
    expect(redirects.allowed(candidate).href).toBe(href)
  })

  it.each([
    ['another port', `${own}:8443`],
    ['another scheme', 'http://good.example.it'],
    ['another port of a configured origin', 'https://shop.example.it'],
    ['another scheme of a configured origin', 'http://shop.example.it:8443'],
    ['a port of a configured origin that has none', `${app}:8443`],
    ['a name that begins like a configured one', `${app}.evil.com`],
    ['a name that ends like a configured one', 'https://notapp.example.it'],
    ['a name within a configured one', 'https://a.app.example.it'],
    ['a name within', 'https://a.good.example.it'],
    ['the name above', 'https://example.it'],
    ['a name that begins like it', 'https://good.example.it.evil.com'],
    ['a name that ends like it', 'https://notgood.example.it'],
    ['the name with a dot at its end', 'https://good.example.it.'],
    ['it as the user of another', 'https://good.example.it@evil.com'],
    ['it as user and password of another', 'https://good.example.it:x@evil.com'],
    ['a user of its own', 'https://user@good.example.it'],
    ['a password of its own', 'https://:secret@good.example.it'],
    ['a user of a configured origin', 'https://user@shop.example.it:8443'],
    ['a backslash and an @', String.raw`https://evil.com\@good.example.it`],
    ['backslashes to another', String.raw`\\evil.com`],
    ['another without a scheme', '//evil.com'],
    ['a path', '/ordini'],
    ['a name alone', 'good.example.it'],
    ['javascript:', 'javascript:alert(1)'],
    ['javascript: with its name', 'javascript://good.example.it/%0aalert(1)'],
    ['data:', 'data:text/html,<script>alert(1)</script>'],
    ['blob: of it', `blob:${own}/0a1b2c`],
    ['blob: of a configured origin', `blob:${shop}/0a1b2c`],
    ['filesystem: of it', `filesystem:${own}/temporary/a`],
    ['a custom scheme', 'bancone://good.example.it/a'],
    ['a custom scheme without a host', 'it.example.good:/a'],
    ['file:', 'file:///etc/passwd'],
    ['this machine', 'http://localhost:3000'],
    ['this machine, by the same scheme', 'https://localhost'],
    ['this machine, in one number', 'http://2130706433'],
    ['a letter that looks like another', 'https://gооd.example.it'],
    ['nothing', ''],
    ['a space', ' '],
    ['no address', 'https://'],
    ['undefined', undefined],
    ['null', null],
    ['a number', 7],
    ['an array', [own]],
    ['an array of two', [shop, 'https://evil.com']],
    ['an object', { href: shop }],
    ['an address that was parsed', new URL(shop)],
  ])('is the application rather than %s', (_what, candidate) => {
    expect(redirects.allowed(candidate).href).toBe(ownHref)
  })

  it('is the application as it is configured, with its path', () => {
    const { allowed } = createRedirectAllowList('https://example.it/bancone', [])
    expect(allowed('https://evil.com').href).toBe('https://example.it/bancone')
  })

  it('is not changed by a caller that changes the URL it was given', () => {
    for (const refused of ['https://evil.com', 'no address']) {
      redirects.allowed(refused).pathname = '/changed'
      expect(redirects.allowed(refused).href).toBe(ownHref)
    }
  })
})

describe('an application on this machine', () => {
  const local = createRedirectAllowList('http://127.0.0.1:3000', [])

  it.each([
    ['another port', 'http://127.0.0.1:5173/a', 'http://127.0.0.1:5173/a'],
    ['another name', 'http://localhost:3000/a', 'http://localhost:3000/a'],
    ['IPv6', 'http://[::1]:5173/', 'http://[::1]:5173/'],
    ['its address as one number', 'http://2130706433:5173/', 'http://127.0.0.1:5173/'],
  ])('is reached by %s', (_what, candidate, href) => {
    expect(local.allowed(candidate).href).toBe(href)
  })

  it.each([
    ['https', 'https://localhost:3000'],
    ['a custom scheme', 'bancone://localhost/a'],
    ['a user', 'http://user@localhost:3000'],
    ['a name that begins like it', 'http://localhost.evil.com'],
    ['a name that ends like it', 'http://evil-localhost:3000'],
    ['an address that begins like it', 'http://127.0.0.1.evil.com'],
    ['another address of this machine', 'http://127.0.0.2:3000'],
    ['every address', 'http://0.0.0.0:3000'],
    ['another number', 'http://2130706434:3000'],
    ['another site', 'http://example.it'],
  ])('is not reached by %s', (_what, candidate) => {
    expect(local.allowed(candidate).href).toBe('http://127.0.0.1:3000/')
  })
})

describe('a page of our own', () => {
  it.each([
    [own, `${own}/ordini`, true],
    [own, shop, false],
    [own, 'http://good.example.it', false],
    [own, 'https://localhost:3000', false],
    ['http://localhost:3000', 'http://localhost:5173', true],
    ['http://localhost:3000', 'http://[::1]:3000', true],
    ['http://localhost:3000', 'https://localhost:3000', false],
    ['http://localhost:3000', shop, false],
    ['http://localhost:3000', 'http://localhost:4000', false],
    ['http://localhost:4000', 'http://localhost:4000', true],
  ])('for %s: %s is one: %s', (publicUrl, target, isOwn) => {
    expect(
      createRedirectAllowList(publicUrl, [shop, 'http://localhost:4000']).isOwn(new URL(target)),
    ).toBe(isOwn)
  })
})
