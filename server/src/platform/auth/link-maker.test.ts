import { describe, expect, it } from 'vitest'
import { createLinkMaker } from './link-maker.ts'
import { TokenKind } from './one-time-tokens.ts'
import { createRedirectAllowList } from './redirect-urls.ts'

const own = 'https://bancone.example.it'
const shop = 'https://shop.example.it'
const redirects = createRedirectAllowList(own, [shop])
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

it('says where one signs in', () => {
  expect(links.login).toBe(`${own}/login`)
})
