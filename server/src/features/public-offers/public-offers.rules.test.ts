import { describe, expect, it } from 'vitest'
import { cacheControl, isPharmacyCode, parsePageUrl, targetOf } from './public-offers.rules.ts'

describe('a code', () => {
  it.each(['FARM-1', 'farmacia san marco', 'àèì', "d'oro", '__proto__', 'x'.repeat(100)])(
    '%j may be one',
    (code) => expect(isPharmacyCode(code)).toBe(true),
  )
  it.each(['', ' ', '\u0000', 'a\u0000b', 'a\nb', '\ud800', 'x'.repeat(101)])(
    '%j is none',
    (code) => expect(isPharmacyCode(code)).toBe(false),
  )
})

const id = 'a0000000-0000-4000-8000-00000000000b'

describe('an address', () => {
  it.each([
    ['/offers/FARM-1', { code: 'FARM-1', offerId: null, query: '', isCanonical: true }],
    ['/offers/FARM-1?x=1?2', { code: 'FARM-1', offerId: null, query: 'x=1?2', isCanonical: true }],
    ['/offers/FARM%201', { code: 'FARM 1', offerId: null, query: '', isCanonical: true }],
    ['/offers/FARM-1/', { code: 'FARM-1', offerId: null, query: '', isCanonical: false }],
    [`/offers/A/${id}`, { code: 'A', offerId: id, query: '', isCanonical: true }],
    [`/offers/A/${id.toUpperCase()}`, { code: 'A', offerId: id, query: '', isCanonical: false }],
    ['/offers/A/%2F', { code: 'A', offerId: '/', query: '', isCanonical: true }],
    ['/offers/', { code: '', offerId: null, query: '', isCanonical: false }],
    ['/offers/?x', { code: '', offerId: null, query: 'x', isCanonical: false }],
    ['/offers/%FF', { code: '', offerId: null, query: '', isCanonical: true }],
    [`/offers//${id}`, { code: '', offerId: id, query: '', isCanonical: true }],
  ])('%s is of a page', (url, page) => expect(parsePageUrl(url)).toEqual(page))

  it('with more parts is of none', () => expect(parsePageUrl('/offers/A/B/C')).toBeUndefined())
})

describe('what is sought', () => {
  const shown = {
    code: 'A',
    status: 200,
    categories: ['Libri', 'Mamma e bambino'],
    arranged: false,
    offerIds: new Set([id]),
  }
  const target = (url: string) => targetOf(shown, parsePageUrl(url) ?? fail(url))
  const fail = (url: string): never => {
    throw new Error(`${url} is no page`)
  }

  it.each([
    ['', { tipo: 'all' }],
    ['utm_source=x&fbclid=y', { tipo: 'all' }],
    ['tipo=all', { tipo: 'all' }],
    ['tipo=nothing&ordine=nothing', { tipo: 'all' }],
    ['ordine=typeAndDiscount', { tipo: 'all' }],
    ['ordine=pharmacy', { tipo: 'all' }],
    [`categoria=${'x'.repeat(101)}`, { tipo: 'all' }],
    ['categoria=Altro', { tipo: 'all' }],
    ['tipo=offers&categoria=Altro', { tipo: 'offers' }],
    ['tipo=offers&categoria=Libri', { tipo: 'offers', categoria: 'Libri' }],
    ['tipo=offers', { tipo: 'offers' }],
    ['ordine=nameAsc&tipo=x', { tipo: 'all', ordine: 'nameAsc' }],
    ['categoria=Mamma+e%20bambino', { tipo: 'all', categoria: 'Mamma e bambino' }],
    ['tipo=offers&tipo=featured', { tipo: 'offers' }],
    ['%', { tipo: 'all' }],
  ])('in %s is %j', (query, search) => expect(target(`/offers/A?${query}`).search).toEqual(search))

  it('is the same page in whatever order it is written, and another one than all others', () => {
    const { key } = target('/offers/A?ordine=nameAsc&x=1&tipo=offers')
    expect(key).toBe(target('/offers/A?tipo=offers&ordine=nameAsc').key)
    const others = ['/offers/A', '/offers/A/gone', `/offers/A/${id}`].map((url) => target(url).key)
    expect(new Set([key, ...others]).size).toBe(4)
    expect(target('/offers/A?x=1').key).toBe(target('/offers/A').key)
    expect(target('/offers/A/other').key).toBe(target('/offers/A/gone').key)
  })
})

describe('a cache before us', () => {
  const until = Date.parse('2026-11-22T23:00:00Z')
  it.each([
    ['keeps a page for seconds', 200, until - 60_000, 'public, max-age=0, s-maxage=10'],
    ['not beyond its day', 200, until - 3_500, 'public, max-age=0, s-maxage=3'],
    ['not after it', 200, until + 1, 'public, max-age=0, s-maxage=0'],
    ['keeps nothing that is not there', 404, until - 60_000, 'no-store'],
    ['keeps nothing that is closed', 403, until - 60_000, 'no-store'],
  ])('%s', (_what, status, now, header) => {
    expect(cacheControl(status, until, now)).toBe(header)
  })
})
