import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { registerText } from '@bancone/sandbox/medicine-register/register-text'
import { metaEvents, webhookSignature } from '@bancone/sandbox/meta'
import { beforeAll, describe, expect, it } from 'vitest'
import { readReply } from '../src/adapters/ai-webhook/ai-webhook.ts'
import { createAifaRegister } from '../src/adapters/aifa-register/aifa-register.ts'
import { createAirtableOrders } from '../src/adapters/airtable/airtable-orders.ts'
import { createMedicinesStore } from '../src/features/medicines/medicines.store.ts'
import { createTemporaryFiles } from '../src/platform/temporary-files.ts'
import type { OutboundResponse } from '../src/ports/outbound.ts'
import { type MetaServer, metaApplication, metaServer } from './meta-server.ts'
import { newLocation, orderProcess } from './order-process.ts'
import { addPharmacyRow } from './pharmacy-row.ts'
import { testFileFolder } from './temporary-folder.ts'
import { unlimitedSlots } from './unlimited-slots.ts'

/** Values as JSON, which other programs write in ways that JSON.stringify does not. */
const HOSTILE: [what: string, json: string][] = [
  ['half an emoji', String.raw`"tagliato \ud83d"`],
  ['the other half', String.raw`"\ude00 tagliato"`],
  ['NUL', String.raw`"a\u0000b"`],
  ['bidirectional controls', JSON.stringify('a\u202eb\u2066c')],
  ['three megabytes', JSON.stringify('x'.repeat(2_900_000))],
  ['nesting', '['.repeat(10_000) + ']'.repeat(10_000)],
  ['a number', '7e300'],
  ['a truth', 'true'],
  ['an object', '{"error":"#ERROR!"}'],
  ['a list', '[null,1,{"a":[]}]'],
]

const GOOD_ORDER = {
  Cliente: 'Anna',
  'Phone Number': '333 1234567',
  Ordine: 'Cerotti',
  Indirizzo: 'Via Po 1',
}

/** The JSON of a value, with the hostile one in the place of `@@`. */
const withHostile = (value: unknown, json: string) =>
  JSON.stringify(value).replaceAll('"@@"', () => json)

let server: MetaServer
let admin: { authorization: string }

beforeAll(async () => {
  server = await metaServer()
  await server.addAdministrator({ email: 'admin@example.it' })
  admin = await server.signIn('admin@example.it')
  const plan = { name: 'Base', features: [], description: null, max_offers: 10, price: 9 }
  const url = '/api/admin/subscription-plans'
  await server.app.inject({ method: 'POST', url, headers: admin, payload: plan })
})

const query = async (text: string, ...values: unknown[]) =>
  (await server.database.pool.query<Record<string, string>>(text, values)).rows

describe('records of Airtable', () => {
  const columns = [
    'ID Ordine',
    'ID WA',
    'Cliente',
    'Phone Number',
    'Indirizzo',
    'Ordine',
    'Stato',
    'Image',
    'PharmaWA',
    'Created',
    'Last',
  ]
  const createdTime = '2026-03-01T09:00:00.000Z'
  const idOf = (index: number) => `rec${String(index).padStart(14, '0')}`
  const hostile = HOSTILE.flatMap(([, json]) => columns.map((column) => ({ column, json })))
  // A good one after each.
  const records = hostile.flatMap(({ column, json }, index) => [
    withHostile(
      { id: idOf(2 * index), createdTime, fields: { Cliente: 'Anna', [column]: '@@' } },
      json,
    ),
    JSON.stringify({ id: idOf(2 * index + 1), createdTime, fields: { Cliente: 'Buono' } }),
  ])

  /** An Airtable that has nothing but these records. */
  async function airtable(address: string): Promise<OutboundResponse> {
    const url = new URL(address)
    const answer = (status: number, body: string) => ({
      status,
      headers: {},
      body: Buffer.from(body),
    })
    if (!url.pathname.includes('/tbl')) return answer(404, '{"error":"NOT_FOUND"}')
    const from = Number(url.searchParams.get('offset') ?? 0)
    let to = from
    // No cell of Airtable has more than 100,000 characters, so that its pages are smaller than this.
    for (let bytes = 0; to < records.length && to < from + 100 && bytes < 4_000_000; to += 1)
      bytes += records[to]?.length ?? 0
    const offset = to < records.length ? `,"offset":"${to}"` : ''
    return answer(200, `{"records":[${records.slice(from, to).join(',')}]${offset}}`)
  }

  it('arrive, or are set aside, and do not stop the others', async () => {
    const location = newLocation()
    const pharmacyId = await addPharmacyRow(server.database, location)
    const source = createAirtableOrders({
      apiUrl: 'https://airtable.example',
      token: 'patTest',
      slots: unlimitedSlots(),
      fetch: airtable,
    })
    const { copy } = orderProcess(server.database, { source })
    expect(await copy.poll(pharmacyId, location)).toBe('fresh')
    const copied = await query(
      'select airtable_order_id as id from pharmacy_orders where pharmacy_id = $1',
      pharmacyId,
    )
    const aside = await query(
      'select record_id as id from order_set_aside where pharmacy_id = $1',
      pharmacyId,
    )
    const kept = new Set(copied.map(({ id }) => id))
    const known = new Set([...kept, ...aside.map(({ id }) => id)])
    const ids = records.map((_, index) => idOf(index))
    expect(ids.filter((id, index) => index % 2 === 1 && !kept.has(id))).toEqual([])
    expect(ids.filter((id) => !known.has(id))).toEqual([])
    // A text is a text, whatever it has in it.
    const arePlain = hostile.map(
      ({ column, json }) =>
        /^"[^]{0,99}$/.test(json) && !['Created', 'Last', 'PharmaWA'].includes(column),
    )
    expect(ids.filter((id, index) => arePlain[index / 2] && !kept.has(id))).toEqual([])
  })
})

describe('events of WhatsApp', () => {
  it('do not stop the others of their webhook', async () => {
    const { headers } = await server.newPharmacy()
    const { id: accountId, numbers } = server.meta.accounts.number
    const place = { accountId, numberId: numbers[0]?.id ?? '' }
    await server.connect(headers)
    const good: string[] = []
    const send = async (event: { entry: object[] }, json: string) => {
      const userId = `IT.${good.length}`
      good.push(userId)
      const other = metaEvents.text(place, { userId, name: 'Buona' }, { id: randomUUID() })
      const both = { ...event, entry: [...event.entry, ...other.entry] }
      const body = withHostile(both, json)
      const reply = await server.app.inject({
        method: 'POST',
        url: '/webhooks/whatsapp',
        headers: {
          'content-type': 'application/json',
          'x-hub-signature-256': webhookSignature(metaApplication.appSecret, body),
        },
        payload: body,
      })
      expect(reply.statusCode).toBe(200)
    }
    const sender = { userId: 'IT.hostile', name: 'Anna' }
    for (const [, json] of HOSTILE) {
      const told = { id: randomUUID() }
      await send(metaEvents.text(place, sender, told, '@@'), json)
      await send(metaEvents.text(place, { ...sender, name: '@@' }, told), json)
      // It is there twice, and Meta sends three megabytes at most.
      if (json.length < 1_000_000)
        await send(metaEvents.text(place, { ...sender, userId: '@@' }, told), json)
      await send(metaEvents.text(place, sender, { id: '@@' }), json)
      await send(metaEvents.status({ ...place, numberId: '@@' }, 'read', told), json)
      await send(metaEvents.status(place, 'read', { id: '@@' }), json)
    }
    await server.runTask('whatsapp.inbox')
    const found = await query(`select user_id from whatsapp_contacts where name = 'Buona'`)
    const users = new Set(found.map(({ user_id: userId }) => userId))
    expect(good.filter((userId) => !users.has(userId))).toEqual([])
    expect(
      await query('select from whatsapp_inbox where failures > 0 or body is not null'),
    ).toEqual([])
  })
})

describe('an answer of the assistant', () => {
  it.each(HOSTILE)('with %s keeps what is good in it', (_what, json) => {
    const reply = readReply(
      'application/json',
      Buffer.from(withHostile({ Descrizione: '@@', Prezzo: '9,90' }, json)),
    )
    expect(reply?.price).toBe('9,90')
    expect(reply?.description ?? '').not.toMatch(/\0|\p{Surrogate}/u)
  })
})

const texts = HOSTILE.flatMap(([what, json]): [string, string][] => {
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' ? [[what, value]] : []
})

describe('the register of medicines', () => {
  it('has its other packs when texts are hostile', async () => {
    const folder = await testFileFolder()
    const file = join(folder, 'register.csv')
    const good = { code: '012745093', name: 'BUONA', pack: '20 compresse', supply: '' }
    // A register with a text of three megabytes is none: the last one stays in use.
    const packs = texts
      .filter(([, text]) => text.length < 1_000)
      .flatMap(([, text]) => [
        { ...good, code: '023605114', name: text },
        { ...good, code: '023605114', pack: text },
      ])
    await writeFile(file, registerText([...packs, good]))
    const register = createAifaRegister({
      url: pathToFileURL(file).href,
      fetch: globalThis.fetch,
      temporaryFiles: createTemporaryFiles(folder),
    })
    const store = createMedicinesStore(server.database.db)
    expect(await store.replace(register.packs(), () => true)).toMatchObject({ count: 2 })
    expect(await store.find(good.code)).toMatchObject({ name: 'BUONA' })
  })
})

describe('a file of pharmacies', () => {
  it.each(texts)('with %s is imported, or refused in words', async (what, text) => {
    const lines = [
      'Nome;Email;Telefono;Indirizzo;Piano',
      `${text};ostile@example.it;041 5000001;${text};Base`,
      'Buona;buona@example.it;041 5000002;Via Po 1;Base',
    ]
    const reply = await server.app.inject({
      method: 'POST',
      url: '/api/admin/pharmacy-imports',
      headers: { ...admin, 'content-type': 'text/csv' },
      payload: lines.join('\r\n'),
    })
    const refusals: Record<string, string> = {
      NUL: 'pharmacy_imports.unreadable',
      'three megabytes': 'pharmacy_imports.too_large',
    }
    expect(reply.json()).toMatchObject(
      refusals[what] ? { code: refusals[what] } : { total: 2, counts: { new: 2 } },
    )
  })
})

describe('bodies of the API', () => {
  it.each(HOSTILE)('with %s are stored or refused, and good ones after them', async (_, json) => {
    const { headers } = await server.newPharmacy([])
    const post = async (url: string, body: object) => {
      const reply = await server.app.inject({
        method: 'POST',
        url,
        headers: {
          ...headers,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        payload: withHostile(body, json),
      })
      return reply.statusCode
    }
    const order = { Cliente: '@@', 'Phone Number': '@@', Ordine: '@@', Indirizzo: '@@' }
    const statuses = [
      await post('/api/orders', { fields: order }),
      await post('/api/orders/views', { name: '@@', search: {} }),
      await post('/api/orders/views', { name: 'Vista', search: { q: '@@' } }),
      await post('/api/orders/search', { q: '@@', page: 1 }),
      await post('/api/orders/reply-texts', { name: '@@', text: '@@' }),
    ]
    expect(statuses.filter((status) => ![200, 201, 400, 413].includes(status))).toEqual([])
    expect(await post('/api/orders', { fields: { ...order, ...GOOD_ORDER } })).toBe(201)
  })
})
