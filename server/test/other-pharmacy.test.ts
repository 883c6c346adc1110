import type { Endpoint } from '@bancone/contract/endpoint'
import { UploadedImage } from '@bancone/contract/images'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import { correctOrder, removeOrder } from '@bancone/contract/order-corrections'
import { holdOrder } from '@bancone/contract/order-retention'
import { initialPrioritySettings, issuePriorityLinks } from '@bancone/contract/priority'
import { whatsAppTerms } from '@bancone/contract/whatsapp-terms'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoints } from './endpoints.ts'
import { anImage } from './pictures.ts'
import { sampleOf } from './sample-of.ts'
import { claimsOf } from './second-factor.ts'
import { type TestServer, testServer } from './server.ts'
import { testFileFolder } from './temporary-folder.ts'

/** Part of all the other pharmacy's data: wherever it appears, data has leaked. */
const SECRET = 'Segretissimo'
const PHONE = '333 1234567'
const SUBSCRIPTION = {
  endpoint: 'https://push.example.it/device',
  keys: {
    p256dh:
      'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
    auth: 'tBHItJI5svbpez7KI4CCXg',
  },
}

/** The other pharmacy's data, by the name of the parameter that identifies it. */
type Belongings = Record<string, string> & { recordId: string }

type Caller = { authorization: string }

let server: TestServer
let victim: { id: string; caller: Caller }
let theirs: Belongings
let stranger: { session: Caller; key: Caller; recordId: string }
let made = 0
let picture: Buffer

beforeAll(async () => {
  picture = await anImage()
  server = await testServer({ files: { folder: await testFileFolder() } })
  const features = [
    'offers',
    'custom_branding',
    'priority_access',
    'analytics',
    'whatsapp_integration',
  ]
  const id = await server.addPharmacy({ email: 'other@example.it', code: 'PHARM-0002', features })
  await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001', features })
  victim = { id, caller: await server.signIn('other@example.it') }
  const session = await server.signIn('own@example.it')
  const { key } = await make(
    session,
    '/api/api-keys',
    { name: 'Mia' },
    z.object({ key: z.string() }),
  )
  const recordId = await makeOrder(session, 'Mio')
  theirs = await belongings()
  // A page of analytics folds what is queued of all pharmacies.
  await server.database.pool.query('select fold_analytics(1000)')
  stranger = { session, key: { authorization: `Bearer ${key}` }, recordId }
})

async function make<T>(caller: Caller, url: string, payload: object, answer: z.core.$ZodType<T>) {
  made += 1
  const headers = { ...caller, 'idempotency-key': `the-request-${made}` }
  const reply = await server.app.inject({ method: 'POST', url, headers, payload })
  expect(reply.statusCode, `${url}: ${reply.body}`).toBeLessThan(300)
  return z.parse(answer, reply.json())
}

const Made = z.object({ id: z.string() })

async function makeOrder(caller: Caller, word: string): Promise<string> {
  const fields = { Cliente: word, Ordine: word, Indirizzo: word, 'Phone Number': PHONE }
  return (await make(caller, '/api/orders', { fields }, Made)).id
}

async function sendPicture(headers: Caller): Promise<string> {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/images',
    headers: { ...headers, 'content-type': 'image/jpeg' },
    payload: picture,
  })
  return UploadedImage.parse(reply.json()).publicId
}

const product = { Nome_Prodotto: 'Mio', Prezzo_Listino: 200, Prezzo_Offerta: 100 }
const offer = { ...product, Categoria: 'Altro', URL_Immagine: PLACEHOLDER_IMAGE }

/** What creates the other pharmacy's data, by the parameter of its id: `POST /a` for `/a/:id`. */
const makers = new Map(
  endpoints.flatMap(({ path }) => {
    const [, collection, name = ''] = /^(.+)\/:(\w+)$/.exec(path) ?? []
    const maker = endpoints.find(
      ({ method, path: of, body, access }) =>
        method === 'POST' && of === collection && body && access.startsWith('pharmacy'),
    )
    return maker ? [[name, maker] as const] : []
  }),
)

const profile = {
  brandColor: null,
  openingWeek: null,
  closings: [],
  description: 'Mia',
  mapUrl: null,
}

async function belongings(
  wanted: readonly string[] = ofPharmacies.flatMap(([, endpoint]) => paramsOf(endpoint)),
): Promise<Belongings> {
  // The orders of all tests together are more than a minute allows.
  await server.database.pool.query('delete from rate_limits')
  const recordId = await makeOrder(victim.caller, SECRET)
  const own: Belongings = { recordId, ...(await whatsApp(recordId)) }
  if (wanted.includes('prioritySessionId')) own['prioritySessionId'] = await arrive(recordId)
  if (wanted.includes('publicId')) own['publicId'] = await sendPicture(victim.caller)
  await server.database.pool.query(
    `insert into order_holds (pharmacy_id, order_id, reason)
     select pharmacy_id, id, $2 from pharmacy_orders where airtable_order_id = $1`,
    [recordId, SECRET],
  )
  for (const name of wanted) {
    const maker = own[name] === undefined ? makers.get(name) : undefined
    if (!maker) continue
    const url = maker.path.replace(':recordId', recordId)
    own[name] = (await make(victim.caller, url, bodyOf(maker, own, SECRET), Made)).id
  }
  if (wanted.includes('sessionId')) {
    own['sessionId'] = claimsOf(await server.signIn('other@example.it')).session_id
  }
  return own
}

/** The customer of the other pharmacy's order waits. @returns the id of the session */
async function arrive(recordId: string): Promise<string> {
  const url = '/api/priority-sessions'
  const { links } = await make(
    victim.caller,
    url,
    { recordIds: [recordId] },
    issuePriorityLinks.response,
  )
  const prioritySessionId = links[0]?.prioritySessionId ?? ''
  await server.database.pool.query(
    `update priority_access_sessions set status = 'user_arrived', arrived_at = now(), place = $2 where id = $1`,
    [prioritySessionId, SECRET],
  )
  return prioritySessionId
}

/** The other pharmacy sends messages; the customer of the order has consented and written. */
async function whatsApp(recordId: string): Promise<{ noticeId: string; draftId: string }> {
  const { rows } = await server.database.pool.query<{ noticeId: string; draftId: string }>(
    `with settings as (
       insert into whatsapp_message_settings (pharmacy_id, is_on, terms_version, sends_links, daily_limit)
       values ($1, true, $4, true, 10) on conflict do nothing
     ), contact as (
       insert into whatsapp_contacts (pharmacy_id, phone, name, last_inbound_at)
       values ($1, '+393331234567', $3, now())
       on conflict (pharmacy_id, phone) do update set last_inbound_at = now() returning id
     ), consent as (
       -- Later than a withdrawal of this second.
       insert into whatsapp_consents (pharmacy_id, contact_id, is_given, wording_version, wording, channel, recorded_by, at)
       select $1, id, true, 1, $3, 'counter', $1, now() + interval '1 second' from contact
     ), notice as (
       insert into whatsapp_outbox (pharmacy_id, order_id, kind, due_at, expires_at)
       select $1, id, 'ready', now(), now() from pharmacy_orders where airtable_order_id = $2 returning id
     ), draft as (
       insert into whatsapp_inbound (pharmacy_id, contact_id, message_id, type, at, code, draft)
       select $1, id, $2, 'text', now(), 'ABC234', 'open' from contact returning id
     )
     select notice.id as "noticeId", draft.id as "draftId" from notice, draft`,
    [victim.id, recordId, SECRET, whatsAppTerms.version],
  )
  if (!rows[0]) throw new Error('no order')
  return rows[0]
}

/** Bodies of the endpoints that refuse what their schema allows. They name the other pharmacy's data where possible. */
const bodies: Record<string, (named: Belongings, text: string) => object> = {
  'PATCH /api/orders/:recordId': () => ({
    fields: { Cliente: 'Mio', Ordine: 'Mio' },
    was: {
      'ID Ordine': null,
      Cliente: SECRET,
      'Phone Number': PHONE,
      Indirizzo: SECRET,
      Ordine: SECRET,
    },
  }),
  'PUT /api/orders/:recordId/lines': () => ({ place: 0, text: SECRET, isThere: true }),
  'POST /api/orders/views': (_, text) => ({ name: `${text} ${(made += 1)}`, search: { q: text } }),
  'PATCH /api/orders/views/:viewId': () => ({ name: `Mia ${(made += 1)}` }),
  'POST /api/priority/sessions/:prioritySessionId/status': () => ({
    from: 'user_arrived',
    to: 'called',
    version: 2,
    desk: null,
  }),
  'POST /api/priority/sessions/:prioritySessionId/undo': () => ({ version: 2 }),
  'PUT /api/priority/settings': () => initialPrioritySettings,
  'POST /api/product-images': () => ({ minsan: '012745093' }),
  'POST /api/offers': ({ publicId }, text) => ({
    fields: { ...offer, Nome_Prodotto: text, CloudinaryID: publicId ?? null },
  }),
  'PATCH /api/offers/:offerId': () => ({ fields: { Nome_Prodotto: 'Mio' } }),
  'POST /api/offers/price-checks': ({ offerId }) => ({
    offerId,
    fields: { ...product, Nome_Prodotto: SECRET },
  }),
  'PUT /api/pharmacy/profile': ({ publicId }) => ({ ...profile, logo: publicId ?? null }),
  'PATCH /api/colleagues/:colleagueId': () => ({ name: 'Mia', role: 'staff' }),
  'POST /api/notifications/devices': () => SUBSCRIPTION,
  'DELETE /api/notifications/devices': () => ({ endpoint: SUBSCRIPTION.endpoint }),
  'POST /api/notifications/test': () => ({ endpoint: SUBSCRIPTION.endpoint }),
  'POST /api/whatsapp/manual-connection': () => ({
    token: 'EAAthe-token-that-is-mine',
    wabaId: '1',
    phoneNumberId: '2',
  }),
  'POST /api/whatsapp/orders/:recordId/read': () => ({ until: '2026-11-23T10:00:00Z' }),
}

function bodyOf(endpoint: Endpoint, named: Belongings, text: string): object {
  const own = bodies[nameOf(endpoint)]?.(named, text)
  const body =
    own ?? (endpoint.body && sampleOf(endpoint.body, { ...named, q: SECRET, phone: PHONE }, text))
  return typeof body === 'object' && body !== null ? body : {}
}

/** Endpoints with the same response for existing and missing data. */
const SILENT = ['DELETE /api/orders/:recordId/notice']

/** The newest events of that pharmacy in the audit log. */
async function recorded(pharmacyId: string) {
  const { rows } = await server.database.pool.query<{ action: string; outcome: string }>(
    'select action, outcome from audit_events where pharmacy_id = $1 order by id desc limit 3',
    [pharmacyId],
  )
  return rows
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const paramsOf = ({ path }: Endpoint) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

function request(endpoint: Endpoint, named: Belongings, whole: Belongings, caller: Caller) {
  const url = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => named[name] ?? '')
  // The period of analytics; other endpoints ignore it.
  const query = new URLSearchParams({
    dal: '2026-01-01',
    al: '2026-01-01',
    ...endpoint.requiredQuery,
  })
  if (endpoint.requiredQuery) query.set('pharmacyFilter', victim.id)
  made += 1
  const payload = endpoint.upload ? picture : endpoint.body && bodyOf(endpoint, whole, 'Mio')
  return server.app.inject({
    method: endpoint.method,
    url: `${url}?${query.toString()}`,
    headers: {
      ...caller,
      'idempotency-key': `the-request-${made}`,
      ...(endpoint.upload && { 'content-type': 'image/jpeg' }),
    },
    ...(payload && { payload }),
  })
}

/** All rows of the other pharmacy, in all tables. */
async function everythingOfTheirs(): Promise<Record<string, unknown>> {
  const { pool } = server.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'pharmacy_id' and data_type = 'uuid'
     order by 1`,
  )
  expect(tables.length).toBeGreaterThanOrEqual(15)
  const rows: Record<string, unknown> = {}
  for (const { name } of tables) {
    const found = await pool.query(
      `select to_jsonb(each) as row from ${name} each where pharmacy_id = $1 order by each::text`,
      [victim.id],
    )
    rows[name] = found.rows
  }
  // And the rows of its users.
  for (const name of ['auth_sessions', 'audit_events']) {
    const found = await pool.query(
      `select to_jsonb(each) as row from ${name} each where user_id = $1 order by each::text`,
      [victim.id],
    )
    rows[name] = found.rows
  }
  return rows
}

const ofPharmacies = endpoints
  .filter(({ access }) => access.startsWith('pharmacy') || access === 'account')
  .map(
    (endpoint) =>
      [`${nameOf(endpoint)} ${endpoint.requiredQuery ? 'of all' : ''}`.trim(), endpoint] as const,
  )
const naming = ofPharmacies.filter(([, endpoint]) => paramsOf(endpoint).length > 0)

describe('what another pharmacy has', () => {
  it.each(ofPharmacies)('is not reached by %s', async (_name, endpoint) => {
    for (const name of paramsOf(endpoint)) {
      expect(theirs, 'no POST creates one: add it to `belongings`').toHaveProperty(name)
    }
    if (endpoint.body) {
      const body = endpoint.body.safeParse(bodyOf(endpoint, theirs, 'Mio'))
      expect(body.success, 'its schema gives no valid body: add one to `bodies`').toBe(true)
    }
    const before = await everythingOfTheirs()
    // With an order of the caller's own, so that only the other id is foreign.
    const own = { ...theirs, recordId: stranger.recordId }
    const attempts = [
      await request(endpoint, theirs, theirs, stranger.session),
      await request(endpoint, theirs, theirs, stranger.key),
      ...(paramsOf(endpoint).length > 1
        ? [await request(endpoint, own, theirs, stranger.session)]
        : []),
    ]
    for (const reply of attempts) {
      expect(reply.body).not.toContain(SECRET)
      // A response may repeat what the request contained.
      const unnamed = endpoint.body ? [] : Object.values(theirs)
      for (const id of unnamed) expect(reply.body).not.toContain(id)
      if (paramsOf(endpoint).length > 0 && !SILENT.includes(nameOf(endpoint))) {
        expect([401, 404]).toContain(reply.statusCode)
      }
    }
    expect(await everythingOfTheirs()).toEqual(before)
  })

  it.each(naming)('is there for its owner: %s', async (_name, endpoint) => {
    const own = await belongings(paramsOf(endpoint))
    // An order is held once, and is not removed then.
    if (endpoint === holdOrder || endpoint === removeOrder)
      await server.database.pool.query('delete from order_holds')
    if (endpoint === correctOrder)
      await server.database.pool.query('update pharmacy_orders set order_number = null')
    const reply = await request(endpoint, own, own, victim.caller)
    expect(reply.statusCode, reply.body).toBeLessThan(300)
    const action = endpoint.audit
    if (typeof action === 'string')
      expect(await recorded(victim.id)).toContainEqual({ action, outcome: 'done' })
  })

  it('is found by its owner, so that its being found would show', async () => {
    for (const url of [
      '/api/airtable-orders',
      '/api/orders/views',
      '/api/orders/reply-texts',
      '/api/offers',
      '/api/colleagues',
      '/api/priority/board',
      '/api/priority/displays',
    ]) {
      const reply = await server.app.inject({ url, headers: victim.caller })
      expect(reply.body).toContain(SECRET)
    }
  })

  it('is found by who it is: their devices and what happened to them', async () => {
    const sessions = await server.app.inject({
      url: '/api/account/sessions',
      headers: victim.caller,
    })
    expect(sessions.body).toContain(theirs['sessionId'])
    const activity = await server.app.inject({
      url: '/api/account/activity',
      headers: victim.caller,
    })
    expect(activity.body).toContain('signed_in')
  })
})
