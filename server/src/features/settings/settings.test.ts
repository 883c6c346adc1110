import { gunzipSync } from 'node:zlib'
import { ErrorBody } from '@bancone/contract/errors'
import { PrivacyText } from '@bancone/contract/privacy-texts'
import { CurrentNotice, PlatformSettings } from '@bancone/contract/settings'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type TestServer, testServer } from '../../../test/server.ts'
import { createPrivacyTextsStore } from './privacy-texts.store.ts'

let server: TestServer
let admin: { authorization: string }
let staff: { authorization: string }
let pharmacyId: string
/** Milliseconds that the server's clock is ahead. */
let ahead = 0

beforeAll(async () => {
  server = await testServer({
    clock: { now: () => Date.now() + ahead },
    renderers: { privacy: { render: async (page) => JSON.stringify(page) } },
  })
  await server.addAdministrator({ email: 'admin@example.it' })
  admin = await server.signIn('admin@example.it')
  pharmacyId = await server.addPharmacy({ email: 'farmacia@example.it', code: 'SET-1' })
  staff = await server.signIn('farmacia@example.it')
})

type Method = 'GET' | 'POST' | 'PUT'

function ask(method: Method, url: string, payload?: object, headers: object = admin) {
  return server.app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) })
}

async function settings() {
  return PlatformSettings.parse((await ask('GET', '/api/admin/settings')).json())
}

/** Saves a value over the version that is there. */
async function save<Key extends keyof PlatformSettings>(
  key: Key,
  value: PlatformSettings[Key]['value'],
) {
  const { version } = (await settings())[key]
  const reply = await ask('PUT', '/api/admin/settings', { key, version, value })
  expect(reply.statusCode, reply.body).toBe(200)
  return PlatformSettings.parse(reply.json())
}

/** The clock in Rome at so many minutes from now. */
function rome(minutes: number) {
  const time = new Date(Date.now() + minutes * 60_000)
  return time.toLocaleString('sv-SE', { timeZone: 'Europe/Rome' }).slice(0, 16).replace(' ', 'T')
}

async function notice(headers = staff) {
  return CurrentNotice.parse((await ask('GET', '/api/notice', undefined, headers)).json())
}

describe('a setting', () => {
  const contact = { email: 'aiuto@example.it', phone: '', whatsapp: '', hours: 'lun–ven 9–18' }

  it('has a first value, is changed, and is in the audit log without addresses and numbers', async () => {
    expect((await settings()).support).toMatchObject({ version: 0, updatedBy: null })
    const { support } = await save('support', { ...contact, phone: '+39 06 1234 567' })
    expect(support).toMatchObject({
      value: { ...contact, phone: '+39061234567' },
      version: 1,
      updatedBy: 'admin@example.it',
    })
    const shown = await ask('GET', '/api/support-contact', undefined, {})
    expect(shown.json()).toEqual(support.value)
    await save('support', { ...support.value, whatsapp: '+393331234567' })
    const { rows } = await server.database.pool.query(
      `select target, role, actor_id is not null as is_by_person, changes, details::text from audit_events
       where action = 'setting_changed' order by id`,
    )
    const event = { target: 'setting:support', role: 'admin', is_by_person: true, details: '{}' }
    expect(rows).toEqual([
      {
        ...event,
        changes: { email: null, phone: null, hours: { before: '', after: 'lun–ven 9–18' } },
      },
      { ...event, changes: { whatsapp: null } },
    ])
  })

  it('is not saved over a version that it never had', async () => {
    expect((await settings()).retention.version).toBe(0)
    const value = { removedOrderDays: 30, pageViewDays: 730 }
    const reply = await ask('PUT', '/api/admin/settings', { key: 'retention', version: 3, value })
    expect(reply.statusCode).toBe(409)
  })

  it('that several administrators change at once is changed by one', async () => {
    const { version } = (await settings()).plan_defaults
    const replies = await Promise.all(
      [5, 6, 7, null].map((maxOffers) =>
        ask('PUT', '/api/admin/settings', { key: 'plan_defaults', version, value: { maxOffers } }),
      ),
    )
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409,
    ])
    const refused = replies.find(({ statusCode }) => statusCode === 409)
    expect(ErrorBody.parse(refused?.json()).code).toBe('settings.changed_meanwhile')
    expect((await settings()).plan_defaults.version).toBe(version + 1)
  })

  it.each([
    { key: 'retention', value: { removedOrderDays: 6, pageViewDays: 730 } },
    { key: 'retention', value: { removedOrderDays: 30, pageViewDays: 2_000 } },
    { key: 'order_retention', value: { orderDays: 29 } },
    { key: 'support', value: { ...contact, whatsapp: '06 123' } },
    { key: 'notice', value: { text: 'x', severity: 'info', from: rome(1), until: rome(0) } },
    {
      key: 'notice',
      value: { text: 'x'.repeat(301), severity: 'info', from: rome(0), until: rome(1) },
    },
    { key: 'secret', value: {} },
  ])('is not changed to %j', async (body) => {
    const reply = await ask('PUT', '/api/admin/settings', { ...body, version: 0 })
    expect(reply.statusCode).toBe(400)
  })

  it('decides for how long page views are kept', async () => {
    await server.database.pool.query(
      'select create_page_view_partitions(current_date - 92, current_date)',
    )
    const pageViews = (
      await server.database.pool.query<{ days: number }>(
        `insert into offer_page_views (pharmacy_id, session_id, visitor_ip, viewed_at)
       select $1, 's', 'v', ((now() at time zone 'Europe/Rome')::date - days + time '12:00') at time zone 'Europe/Rome'
       from unnest($2::int[]) days returning 1`,
        [pharmacyId, [1, 39, 41, 91]],
      )
    ).rowCount
    const left = async () => {
      await server.runTask('page-views.days')
      const { rows } = await server.database.pool.query('select 1 from offer_page_views')
      return rows.length
    }
    expect([pageViews, await left()]).toEqual([4, 3])
    await save('retention', { removedOrderDays: 30, pageViewDays: 40 })
    expect(await left()).toBe(2)
  })
})

describe('the notice to all pharmacies', () => {
  const text = 'Domani manutenzione'

  it('is shown from its beginning to its end, by the clock in Rome', async () => {
    expect(await notice()).toEqual({ notice: null, changesInSeconds: null })
    await save('notice', { text, severity: 'warning', from: rome(10), until: rome(20) })
    const before = await notice()
    expect(before.notice).toBeNull()
    expect(before.changesInSeconds).toBeGreaterThan(8 * 60)
    expect(before.changesInSeconds).toBeLessThanOrEqual(10 * 60)
    ahead = 15 * 60_000
    expect((await notice()).notice).toMatchObject({ text, severity: 'warning' })
    ahead = 21 * 60_000
    expect(await notice()).toEqual({ notice: null, changesInSeconds: null })
    ahead = 0
  })

  it('is dismissed by one person, until it is changed', async () => {
    const value = { text, severity: 'info', from: rome(-1), until: rome(60) } as const
    await save('notice', value)
    await server.addColleague({ email: 'collega@example.it', pharmacyId })
    const colleague = await server.signIn('collega@example.it')
    const { version } = (await notice()).notice ?? {}
    await ask('POST', '/api/notice/dismissals', { version }, staff)
    expect((await notice()).notice).toBeNull()
    expect((await notice(colleague)).notice).toMatchObject({ text })
    await save('notice', { ...value, text: 'Manutenzione rinviata' })
    expect((await notice()).notice).toMatchObject({ text: 'Manutenzione rinviata' })
    await save('notice', null)
    expect((await notice()).notice).toBeNull()
  })
})

describe('the privacy policy', () => {
  const current = async () =>
    PrivacyText.parse((await ask('GET', '/api/privacy-text', undefined, {})).json())

  it('names WhatsApp and a language model where they are on, until it is another text', async () => {
    const texts = createPrivacyTextsStore(server.database.db)
    const off = { whatsApp: false, languageModel: false }
    await texts.publishDefault(off)
    expect(await current()).toMatchObject({ version: 1 })
    await texts.publishDefault({ whatsApp: true, languageModel: true })
    await texts.publishDefault({ whatsApp: true, languageModel: true })
    const named = await current()
    expect(named.version).toBe(2)
    const titles = named.text.match(/^## .*/gm)
    expect(titles?.slice(-4)).toEqual([
      '## WhatsApp e Meta',
      '## Modello linguistico',
      '## Diritti',
      '## Cookie e dati nel browser',
    ])
    await texts.publishDefault(off)
    expect((await current()).text).not.toMatch(/WhatsApp|linguistico/)
  })

  it('is published in versions, of which none is changed', async () => {
    const first = await current()
    const publish = (text: string) =>
      ask('POST', '/api/admin/privacy-texts', { text, basedOn: first.version })
    const replies = await Promise.all([publish('Nuova'), publish('Altra')])
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      201, 409,
    ])
    const second = first.version + 1
    expect(await current()).toMatchObject({ version: second })
    await createPrivacyTextsStore(server.database.db).publishDefault({
      whatsApp: true,
      languageModel: true,
    })
    const Listed = z.object({ texts: z.array(z.looseObject(PrivacyText.shape)) })
    const { texts } = Listed.parse((await ask('GET', '/api/admin/privacy-texts')).json())
    expect(texts.slice(0, 2).map(({ version }) => version)).toEqual([second, first.version])
    expect(texts[1]).toMatchObject({ ...first, publishedBy: null })
    expect(texts[0]).toMatchObject({ publishedBy: 'admin@example.it' })
    for (const change of ["update privacy_texts set text = 'x'", 'delete from privacy_texts']) {
      await expect(server.database.pool.query(change)).rejects.toThrow('not changed')
    }
  })

  it('is a page that leads back to the pharmacy that it was opened from', async () => {
    const { text } = await current()
    const page = async (query: string) => {
      const reply = await server.app.inject({
        url: `/privacy${query}`,
        headers: { 'accept-encoding': 'gzip' },
      })
      expect([reply.statusCode, reply.headers['content-encoding']]).toEqual([200, 'gzip'])
      return JSON.parse(gunzipSync(reply.rawPayload).toString()) as unknown
    }
    await server.addPharmacy({ email: 'shop@example.it', code: 'FARM-1', features: ['offers'] })
    await server.addPharmacy({
      email: 'desk@example.it',
      code: 'FARM-2',
      features: ['priority_access'],
    })
    expect(await page('')).toMatchObject({ text, back: null })
    expect(await page('?farmacia=farm-1')).toMatchObject({
      back: { path: '/offers/FARM-1', name: 'Farmacia FARM-1' },
    })
    expect(await page('?farmacia=FARM-2')).toMatchObject({ back: { path: '/priority/FARM-2' } })
    for (const unknown of ['?farmacia=FARM-9', '?farmacia=%00', '?farmacia=a&farmacia=b'])
      expect(await page(unknown)).toMatchObject({ back: null })
  })

  it('can be as long as a law firm writes', async () => {
    const { version: basedOn } = await current()
    const text = 'è una frase lunga. '.repeat(3_000)
    const reply = await ask('POST', '/api/admin/privacy-texts', { text, basedOn })
    expect(reply.statusCode, reply.body).toBe(201)
  })
})
