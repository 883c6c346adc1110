import { expect, test } from 'vitest'
import { formatOrdersUrl, hasUncountedFilter, isFiltered, parseOrdersUrl } from './orders-search.ts'

const first = { page: 1, pageSize: 20 }
const parse = (address: string) => {
  const { search, hash } = new URL(address, 'http://localhost')
  return parseOrdersUrl({ search, hash })
}

test.each([
  ['/', first],
  ['/?page=3&pageSize=50&stato=Confermato', { page: 3, pageSize: 50, stato: ['Confermato'] }],
  ['/?stato=Prenotato+in+Giornata', { ...first, stato: ['Prenotato in Giornata'] }],
  ['/?stato=Confermato,In+attesa', { ...first, stato: ['In attesa', 'Confermato'] }],
  ['/?page=0&pageSize=101&stato=Perso', first],
  ['/?stato=Confermato,Perso', first],
  ['/?page=due&pageSize=', first],
  ['/?page=2&pageSize=molti', { page: 2, pageSize: 20 }],
  ['/?periodo=ieri&ordina=cliente', { ...first, periodo: 'ieri', ordina: 'cliente' }],
  ['/?periodo=domani&ordina=caso', first],
  ['/?ordina=recenti', first],
  ['/?dal=2026-01-05&al=2026-01-31', { ...first, dal: '2026-01-05', al: '2026-01-31' }],
  ['/?dal=2026-01-05&periodo=oggi', { ...first, dal: '2026-01-05' }],
  ['/?dal=2026-02-01&al=2026-01-31', first],
  ['/?dal=2026-02-31', first],
  ['/#q=mario%20rossi', { ...first, q: 'mario rossi' }],
  ['/#q=mario+rossi', { ...first, q: 'mario rossi' }],
  ['/#q=%2B39%20333', { ...first, q: '+39 333' }],
  ['/#q=%20%20', first],
  [`/#q=${'a'.repeat(101)}`, first],
  ['/#contenuto', first],
  // What stands in the query is sent to servers: words are not read from there.
  ['/?q=mario', first],
])('%s asks for %j', (address, query) => {
  expect(parse(address)).toEqual(query)
})

test.each([
  [first, ''],
  [{ page: 2, pageSize: 20 }, '?page=2'],
  [{ page: 1, pageSize: 50, stato: ['In attesa' as const] }, '?pageSize=50&stato=In+attesa'],
  [
    { ...first, dal: '2026-01-05', ordina: 'meno-recenti' as const },
    '?dal=2026-01-05&ordina=meno-recenti',
  ],
  [
    { ...first, periodo: 'oggi' as const, q: 'caffè & C.' },
    '?periodo=oggi#q=caff%C3%A8%20%26%20C.',
  ],
  [{ ...first, q: '#1+1' }, '#q=%231%2B1'],
])('%j is written %s, and read back', (asked, written) => {
  const address = formatOrdersUrl(asked)
  expect(address.search + address.hash).toBe(written)
  expect(parse(`/${written}`)).toEqual(asked)
})

test.each([
  [first, false, false],
  [{ ...first, page: 4, ordina: 'cliente' as const }, false, false],
  [{ ...first, stato: ['In attesa' as const] }, true, false],
  [{ ...first, q: 'rossi' }, true, true],
  [{ ...first, al: '2026-01-05' }, true, true],
])('%j: filtered %s, narrowed %s', (asked, filtered, narrowed) => {
  expect([isFiltered(asked), hasUncountedFilter(asked)]).toEqual([filtered, narrowed])
})
