import type { OrdersPage } from '@bancone/contract/orders'
import { beforeAll, describe, expect, it } from 'vitest'
import { sourceOrder } from '../../../../test/orders.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderCopyStore } from '../sync/order-copy.store.ts'

let server: TestServer
let headers: { authorization: string }
let otherHeaders: { authorization: string }

const bare = { customerName: null, customerPhone: null, address: null, details: null }
const order = (columns: Partial<SourceOrder>) => sourceOrder({ ...bare, ...columns })

const calo = order({ orderNumber: '48213', customerName: 'Niccolò CALÒ', details: 'Avène latte' })
const dangelo = order({
  orderNumber: 'A-77/b',
  customerName: 'Désirée D’Angelo',
  customerPhone: '+39 333 123 4567',
  address: 'Via dell’Università 12, 30121 Venezia VE',
  details: 'Tachipirina 1000 (2 confezioni) 💊 100% grazie_mille',
})
const abroad = order({ orderNumber: '90', customerPhone: '0041 79 765 43 21', details: 'Oki' })
const landline = order({ orderNumber: '91', customerPhone: '041/5223344', details: 'ﬁala ½' })
const typed = order({ orderNumber: '92', customerPhone: '393401112223', details: 'Łódź Straße' })
const two = order({ orderNumber: '93', customerPhone: '333 7654321 oppure 041 2345678' })
const greek = order({ orderNumber: '94', customerName: 'Ελένη Ω', details: 'Ψυλλίο' })
const particles = order({ orderNumber: '95', customerName: 'Mario Della Valle' })
const letter = order({
  orderNumber: '96',
  customerName: 'Rosa Dellʼorto',
  address: 'Via de’ Poeti',
})
const orders = [calo, dangelo, abroad, landline, typed, two, greek, particles, letter]
const stranger = sourceOrder({
  orderNumber: '70',
  customerName: 'Niccolò Calò',
  details: 'Tachipirina 1000',
})

beforeAll(async () => {
  server = await testServer()
  const copy = createOrderCopyStore(server.database.db, noHooks)
  const id = await server.addPharmacy({ email: 'words@example.it', code: 'PHARM-0001' })
  const otherId = await server.addPharmacy({ email: 'other@example.it', code: 'PHARM-0002' })
  await copy.saveOrders(id, orders, '2026-01-01T00:00:00.000Z')
  await copy.saveOrders(otherId, [stranger], '2026-01-01T00:00:00.000Z')
  headers = await server.signIn('words@example.it')
  otherHeaders = await server.signIn('other@example.it')
})

function ask(q: unknown, as = headers) {
  return server.app.inject({
    method: 'POST',
    url: '/api/orders/search',
    headers: as,
    payload: { q },
  })
}

async function found(q: string, as = headers): Promise<string[]> {
  const reply = await ask(q, as)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<OrdersPage>().records.map(({ id }) => id)
}

describe('an order is found', () => {
  it.each([
    ['by its number', '48213', calo],
    ['by a part of its number', '821', calo],
    ['by a number of letters and signs', 'a-77/B', dangelo],
    ['whatever the accents', 'niccolo calo', calo],
    ['with accents it has not', 'nìccólö', calo],
    ['whatever the case', 'AVENE', calo],
    ['by the end of a word', 'colò', calo],
    ['by the beginning of short words', 'ni ca', calo],
    ['by words of different columns', 'latte calò 48213', calo],
    ['whatever the order of words', 'angelo desiree d', dangelo],
    ['with other apostrophes', "d'angelo dell'universita", dangelo],
    ['with no apostrophe where the name has one', 'dangelo desiree', dangelo],
    ['with the apostrophe that is a letter', "dell'orto", letter],
    ['with that apostrophe where another was typed', 'dʼangelo', dangelo],
    ['with its surname as one word', 'dellavalle', particles],
    ['with its surname as two words', 'valle della', particles],
    ['with punctuation where it has none', '(tachipirina) - "1000";', dangelo],
    ['with spaces around', '  tachipirina   1000 ', dangelo],
    ['by its street and town', 'via dell’università 12 venezia', dangelo],
    ['with what stands beside an emoji', '💊 confezioni 100', dangelo],
    ['with an underscore for a space', 'grazie_mille', dangelo],
    ['by its telephone number', '3331234567', dangelo],
    ['by a number with spaces', '333 123 4567', dangelo],
    ['by a number with +39', '+39 333 1234567', dangelo],
    ['by a number with 0039', '00393331234567', dangelo],
    ['by a number with 39', '393331234567', dangelo],
    ['by the beginning of a number with 39', '39333123', dangelo],
    ['by the end of a number', '1234567', dangelo],
    ['by the middle of a number', '31234', dangelo],
    ['by a number with 39 that was kept with it', '340 111 2223', typed],
    ['by that as it was kept', '39340111', typed],
    ['by a number from abroad', '+41 79 765', abroad],
    ['by the end of a number from abroad', '797654321', abroad],
    ['by a landline number', '041 522 3344', landline],
    ['by the one of two numbers', '0412345678'.slice(3), two],
    ['by letters that are one sign', 'fiala', landline],
    ['with a sign for letters', 'ﬁala', landline],
    ['by letters with a stroke', 'lodz', typed],
    ['by letters of other alphabets', 'ΕΛΈΝΗ ψυλλιο', greek],
  ])('%s: %s', async (_how, q, expected) => {
    expect(await found(q)).toEqual([expected.recordId])
  })
})

describe('a number finds its order first', () => {
  const day = (date: number) => new Date(Date.UTC(2026, 0, date)).toISOString()
  const numbered = (orderNumber: string, date: number, details = 'Oki') =>
    order({ orderNumber, details, createdAt: day(date) })
  const o472 = numbered('472', 1)
  const padded = numbered('0472', 2)
  const o30 = numbered('30', 3)
  const worded = numbered('FA-12', 4)
  const others = [
    numbered('1472', 5),
    numbered('1', 6, 'Tachipirina 472'),
    numbered('300', 7),
    numbered('2', 8, '30 compresse'),
    numbered('FA-120', 9),
  ]
  let as: { authorization: string }

  beforeAll(async () => {
    const copy = createOrderCopyStore(server.database.db, noHooks)
    const id = await server.addPharmacy({ email: 'numbers@example.it', code: 'PHARM-0005' })
    await copy.saveOrders(id, [o472, padded, o30, worded, ...others], day(10))
    as = await server.signIn('numbers@example.it')
  })

  const forms =
    '472,#472,# 472,n. 472,N.472,n° 472,nr 472,num. 472,numero 472,ordine 472,Ordine n. 472,ORDINE #472,ord. 472,ordine numero 472:,№ 472'
  it.each<[string, string[]]>([
    ...forms.split(',').map((q): [string, string[]] => [q, ['472', '0472', '1', '1472']]),
    ['0472', ['0472']],
    ['30', ['30', '2', '300']],
    ['fa-12', ['FA-12', 'FA-120']],
    ['ordine FA-12', ['FA-12', 'FA-120']],
    ['oki 472', ['1472', '0472', '472']],
  ])('%s', async (q, expected) => {
    const reply = await ask(q, as)
    const { records } = reply.json<OrdersPage>()
    expect(records.map(({ fields }) => `${fields['ID Ordine']}`)).toEqual(expected)
  })

  it('once, on every page and with every sort order', async () => {
    const search = async (payload: object) => {
      const url = '/api/orders/search'
      const reply = await server.app.inject({ method: 'POST', url, headers: as, payload })
      const { records, pagination } = reply.json<OrdersPage>()
      return [records.map(({ fields }) => `${fields['ID Ordine']}`).join(), pagination.hasNextPage]
    }
    const q = '#472'
    expect(await search({ q, pageSize: 2 })).toEqual(['472,0472', true])
    expect(await search({ q, pageSize: 2, page: 2 })).toEqual(['1,1472', false])
    expect(await search({ q: '30', ordina: 'cliente', pageSize: 1 })).toEqual(['30', true])
    expect(await search({ q: '30', al: '2026-01-02' })).toEqual(['', false])
  })
})

describe('nothing is found', () => {
  it.each([
    ['one of the words is missing', 'calo tachipirina'],
    ['a word of two letters stands inside of others', 'ol'],
    ['39 begins too short a number to be one', '39333'],
    ['a letter stands inside of others', 'x'],
    ['letters stand in different words', 'ccola'],
    ['a percent sign is none', 'av%ne'],
    ['an underscore is none', 'lat_e'],
    ['a backslash is none', 'lat\\te'],
    ['quotes end nothing', "x' or 'a'='a"],
    ['operators are none', 'calo | tachipirina !oki'],
    ['there are signs alone', '%'],
    ['there are more signs alone', '... ‘’ !?'],
    ['there is an emoji alone', '💊'],
    ['the word is long', 'abcdefghij'.repeat(10)],
    ['there are many words', 'q '.repeat(50).trim()],
  ])('when %s: %s', async (_why, q) => {
    expect(await found(q)).toEqual([])
  })
})

it('finds the orders of the own pharmacy alone', async () => {
  const page = (await ask('niccolò calò', otherHeaders)).json<OrdersPage>()
  expect(page).toMatchObject({
    records: [{ id: stranger.recordId }],
    pagination: { totalRecords: 1 },
  })
  expect(await found('desirée', otherHeaders)).toEqual([])
  expect(await found('90', otherHeaders)).toEqual([])
})

it.each([
  ['a zero byte alone', '\u0000'],
  ['nothing', ''],
  ['spaces', '   '],
  ['too much', 'a'.repeat(101)],
  ['no text', 7],
])('refuses to look for %s', async (_what, q) => {
  const reply = await ask(q)
  expect(reply.statusCode, reply.body).toBe(400)
  expect(reply.json()).toMatchObject({ code: 'request.invalid' })
})

it('takes texts of any length', async () => {
  const copy = createOrderCopyStore(server.database.db, noHooks)
  const id = await server.addPharmacy({ email: 'long@example.it', code: 'PHARM-0003' })
  const details = `inizio ${Array.from({ length: 20_000 }, (_, n) => `parola${n}`).join(' ')} fine`
  const long = sourceOrder({ details, customerPhone: '1'.repeat(5_000) })
  await copy.saveOrders(id, [long], '2026-01-01T00:00:00.000Z')
  const as = await server.signIn('long@example.it')
  expect(await found('inizio', as)).toEqual([long.recordId])
  expect(await found('parola12', as)).toEqual([long.recordId])
})

describe('a scanned code', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
  const person = 'RSSMRA79B11C566R'
  const coded = (orderNumber: string, details: string, status = 'In attesa') =>
    order({ orderNumber, details, status, createdAt: at(codedOrders.length) })
  const codedOrders: SourceOrder[] = []
  const add = (...columns: Parameters<typeof coded>) => codedOrders.push(coded(...columns))
  add('500', 'CF rss mra 79b11 c566r, ricetta 1300A 4000000248')
  add('501', `Ritiro per ${person}`, 'Confermato')
  add('502', `${person.toLowerCase()}: Oki`, 'Annullato')
  add('503', `rssmra-79b11-c566r`, 'Confermato')
  add('504', `Medico: Bianchi Ugo, CF ${person} *1200A* *1234567890*`, 'Confermato')
  add('505', 'RSSMRA79B11C566X e RSSMRA79B11C56SO')
  add('506', '13O0A4000000248', 'Prenotato Domani')
  add('507', 'Chiamare 4000000248, via Roma 1300')
  add('508', 'codice fiscale provvisorio 12345670017')
  add('7', 'Ordine con numero 500')
  add('FA-12/b', 'Oki')
  add('0472', 'Oki')
  const record = coded('', 'Oki')
  codedOrders.push({ ...record, orderNumber: null })
  const theirs = order({ orderNumber: '500', details: `${person} 1300A4000000248` })
  let as: { authorization: string }

  const find = (code: unknown, headersOf = as) =>
    server.app.inject({
      method: 'POST',
      url: '/api/orders/find-by-code',
      headers: headersOf,
      payload: { code },
    })

  async function numbers(code: string, headersOf = as) {
    const reply = await find(code, headersOf)
    expect(reply.statusCode, reply.body).toBe(200)
    return reply
      .json<{ orders: OrdersPage['records'] }>()
      .orders.map(({ id, fields }) => `${fields['ID Ordine'] ?? id}`)
  }

  beforeAll(async () => {
    const copy = createOrderCopyStore(server.database.db, noHooks)
    const id = await server.addPharmacy({ email: 'codes@example.it', code: 'PHARM-0006' })
    const otherId = await server.addPharmacy({ email: 'others@example.it', code: 'PHARM-0007' })
    await copy.saveOrders(id, codedOrders, at(60))
    await copy.saveOrders(otherId, [theirs], at(60))
    await server.database.pool.query(
      `update pharmacy_orders set ready_at = now(), collected_at = case order_number when '501' then now() end
       where pharmacy_id = $1 and order_number in ('500', '501')`,
      [id],
    )
    as = await server.signIn('codes@example.it')
  })

  it.each([
    ['codice fiscale', person, ['500', '503', '502', '501']],
    ['one in small letters', person.toLowerCase(), ['500', '503', '502', '501']],
    ['one that was made anew', 'RSSMRA79B11C56SO', ['505']],
    ['NRE, also with an O that was typed for its zero', '1300A4000000248', ['500', '506']],
    ['second bar of an NRE', '4000000248', ['500', '506']],
    ['NRE with the signs of its bars', '*1200A* *1234567890*', ['504']],
    ['temporary codice fiscale', '12345670017', ['508']],
    ['first bar of an NRE', '1300A', []],
    ['codice fiscale of nobody', 'CTTPSC84D15F205E', []],
    ['part of a codice fiscale', person.slice(0, 15), []],
    ['number of an order', '500', ['500']],
    ['number with zeros before it', '007', ['7']],
    ['number that was typed with zeros', '0472', ['0472']],
    ['part of a number', '50', []],
    ['number of letters and signs', 'FA-12/b', ['FA-12/b']],
    ['number as another keyboard layout has it', "fa'12-B", ['FA-12/b']],
    ['record id', record.recordId, [record.recordId]],
    ['code of a pack', '8032853240234', []],
    ['sign alone', '%', []],
  ])('that is a %s finds its orders, ready ones first: %s', async (_what, code, expected) => {
    expect(await numbers(code)).toEqual(expected)
  })

  it('finds the orders of the own pharmacy alone', async () => {
    const other = await server.signIn('others@example.it')
    expect(await numbers(person, other)).toEqual(['500'])
    expect(await numbers('501', other)).toEqual([])
    expect(await numbers(person, otherHeaders)).toEqual([])
  })

  it('finds twenty at most, the ready one among them', async () => {
    const copy = createOrderCopyStore(server.database.db, noHooks)
    const id = await server.addPharmacy({ email: 'many@example.it', code: 'PHARM-0008' })
    const many = Array.from({ length: 70 }, (_, n) =>
      order({ orderNumber: `${n}`, details: person, status: n < 60 ? 'Confermato' : 'In attesa' }),
    )
    await copy.saveOrders(id, many, at(60))
    await server.database.pool.query(
      "update pharmacy_orders set ready_at = now() where pharmacy_id = $1 and order_number = '3'",
      [id],
    )
    const hits = await numbers(person, await server.signIn('many@example.it'))
    expect([hits.length, ...hits.slice(0, 3)]).toEqual([20, '3', '69', '68'])
  })

  it.each([[''], ['  '], ['1'.repeat(101)], [7]])('is refused: %s', async (code) => {
    expect((await find(code)).statusCode).toBe(400)
  })
})

describe('words near those that were not found', () => {
  async function suggested(q: string, as = headers): Promise<unknown> {
    const url = '/api/orders/suggestions'
    const reply = await server.app.inject({ method: 'POST', url, headers: as, payload: { q } })
    expect(reply.statusCode, reply.body).toBe(200)
    return reply.json()
  }

  it("are suggested, of the pharmacy's own orders alone", async () => {
    expect(await suggested('Tachipirna 1000')).toEqual({ suggestions: ['tachipirina 1000'] })
    expect(await suggested('Deisrée')).toEqual({ suggestions: ['desiree'] })
    expect(await suggested('Deisrée', otherHeaders)).toEqual({ suggestions: [] })
    expect(await suggested('!!!')).toEqual({ suggestions: [] })
  })
})
