import { describe, expect, it } from 'vitest'
import { TokenKind } from './one-time-tokens.ts'
import { createLinkMaker, createRedirectAllowList } from './redirect-urls.ts'

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

const links = createLinkMaker(own, redirects, { login: '/login', confirm: '/conferma' })

describe('a link in a mail', () => {
  it.each([
    ['nowhere in particular', '/', '#token_hash=t0&type=recovery'],
    ['a page', '/ordini', '#token_hash=t0&type=recovery&redirect_to=%2Fordini'],
    [
      'a page with its query',
      '/ordini?page=2&status=all',
      '#token_hash=t0&type=recovery&redirect_to=%2Fordini%3Fpage%3D2%26status%3Dall',
    ],
    ['a query alone', '/?a=b', '#token_hash=t0&type=recovery&redirect_to=%2F%3Fa%3Db'],
    ['a place on a page', '/ordini#3', '#token_hash=t0&type=recovery&redirect_to=%2Fordini'],
  ])('to %s of ours has its token after the #', (_what, path, hash) => {
    const link = new URL(links.forMail('t0', 'recovery', new URL(path, own)))
    expect(link.origin + link.pathname + link.search).toBe(`${own}/conferma`)
    expect(link.hash).toBe(hash)
  })

  it.each([
    ['signup', 'signup'],
    ['invite', 'invite'],
    ['magiclink', 'magiclink'],
    ['recovery', 'recovery'],
    ['email_change_current', 'email_change'],
    ['email_change_new', 'email_change'],
    ['reauthentication', 'email'],
  ] as const)('of the kind %s names the type %s, wherever it leads', (kind, type) => {
    const ours = new URL(links.forMail('t0', kind, new URL(own)))
    expect(new URLSearchParams(ours.hash.slice(1)).get('type')).toBe(type)
    const theirs = new URL(links.forMail('t0', kind, new URL(shop)))
    expect(theirs.searchParams.get('type')).toBe(type)
  })

  it('to a foreign client has the address of the protocol', () => {
    const link = links.forMail('t0', 'magiclink', new URL(`${shop}/a?b=c&d#e`))
    const target = encodeURIComponent(`${shop}/a?b=c&d#e`)
    expect(link).toBe(`${own}/auth/v1/verify?token=t0&type=magiclink&redirect_to=${target}`)
  })

  it('of who will prove that they asked is the one of the protocol, also to a page of ours', () => {
    const link = new URL(links.forMail('pkce_t0', 'recovery', new URL(`${own}/ordini`)))
    expect(link.pathname).toBe('/auth/v1/verify')
    expect(link.searchParams.get('token')).toBe('pkce_t0')
    expect(link.searchParams.get('redirect_to')).toBe(`${own}/ordini`)
  })

  it('stays on the name and port of this machine that was asked for', () => {
    const local = createRedirectAllowList('http://127.0.0.1:3000', [])
    const pages = { login: '/login', confirm: '/conferma' }
    const { forMail } = createLinkMaker('http://127.0.0.1:3000', local, pages)
    expect(forMail('t0', 'recovery', new URL('http://localhost:5173/'))).toBe(
      'http://localhost:5173/conferma#token_hash=t0&type=recovery',
    )
  })

  it('carries any token unharmed', () => {
    const token = 'a&b=c#d +%'
    const ours = new URL(links.forMail(token, 'signup', new URL(own)))
    expect(new URLSearchParams(ours.hash.slice(1)).get('token_hash')).toBe(token)
    const theirs = new URL(links.forMail(token, 'signup', new URL(shop)))
    expect(theirs.searchParams.get('token')).toBe(token)
  })
})

describe('the link of the protocol', () => {
  it.each(TokenKind.options)('is on our address for the kind %s', (kind) => {
    const link = new URL(links.forProtocol('t0', kind, new URL(own)))
    expect(link.origin + link.pathname).toBe(`${own}/auth/v1/verify`)
    expect(link.searchParams.get('redirect_to')).toBe(`${own}/`)
    expect(link.hash).toBe('')
  })
})

describe('the page of our own', () => {
  it.each([
    ['a page of ours', 't0', own, `${own}/conferma#token_hash=t0&type=invite`],
    ['a foreign client', 't0', shop, null],
    ['our address on another port', 't0', `${own}:8443`, null],
    ['a client that proves who asked', 'pkce_t0', own, null],
  ])('for a link to %s', (_what, token, target, page) => {
    expect(links.toOwnPage(token, 'invite', new URL(target))).toBe(page)
  })
})
