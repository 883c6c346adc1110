import { randomUUID } from 'node:crypto'
import { addDays, dayOf } from '@bancone/contract/dates'
import { WhatsAppMessages } from '@bancone/contract/whatsapp-messages'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { capturedLog } from '../../../../test/captured-log.ts'
import { type MessageServer, messageServer, PRODUCT } from '../../../../test/message-server.ts'

const { lines, log } = capturedLog('trace')
const CODE = 'ABCDEF'
let server: MessageServer

const settings = {
  announcesReady: true,
  sendsReminders: true,
  answersClosed: true,
  sendsLinks: false,
  sendsCalls: false,
  saysTu: false,
  dailyLimit: 100,
  monthlyLimit: null,
  messagePrice: null,
}
const change = (changed: object = {}) =>
  server.api('PUT', '/api/whatsapp/messages', { ...settings, ...changed })
const messages = async () =>
  WhatsAppMessages.parse((await server.api('GET', '/api/whatsapp/messages')).body)
const states = async () =>
  (await server.outbox()).map(({ kind, state, reason }) =>
    `${kind} ${state} ${reason ?? ''}`.trim(),
  )
const sql = (text: string, values: unknown[] = []) => server.database.pool.query(text, values)

/** At that time of tomorrow in UTC. */
const tomorrow = (utc = '09:00:00Z') =>
  Date.parse(`${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T${utc}`)

/** Open all week from 8:30 to 19:30. */
const hours = JSON.stringify(Array.from({ length: 7 }, () => [{ from: '08:30', to: '19:30' }]))

beforeAll(async () => {
  server = await messageServer(log)
  await sql(
    `insert into product_offers (pharmacy_id, pharmacy_code, product_name, category, image_url, list_price, offer_price, start_date)
     select id, pharmacy_id, 'Crema mani', 'Cosmetici', 'https://example.it/1.jpg', 10, 9, now()
     from pharmacies where id = $1`,
    [server.pharmacyId],
  )
})

// Whatever is sent or logged, and for whatever reason.
afterAll(() =>
  expect([...server.meta.wire, ...lines].join('\n')).not.toMatch(/tachipirina|crema mani/i),
)
beforeEach(async () => {
  server.time.now = tomorrow()
  await server.clear()
  await server.switchOn()
  await sql('delete from pharmacy_profiles')
  await sql(
    `insert into pharmacy_profiles (pharmacy_id, opening_week, closings) values ($1, $2, '[]')`,
    [server.pharmacyId, hours],
  )
  await sql(
    `insert into offer_order_codes (pharmacy_id, code, offer_ids, day) values ($1, $2, '{}', now())
     on conflict do nothing`,
    [server.pharmacyId, CODE],
  )
  await change()
  await server.runTask('whatsapp.templates', { pharmacyId: server.pharmacyId })
})

async function consented(details = 'Crema mani', phone = '333 1234567') {
  const recordId = await server.addOrder({ details, phone })
  await server.consent(recordId)
  return recordId
}

describe('an order that becomes ready', () => {
  it('by the status of the settings is announced, and not when it was collected meanwhile', async () => {
    await server.api('PUT', '/api/orders/pickup-settings', {
      readyStatus: 'Confermato',
      overdueDays: 3,
    })
    const recordId = await consented()
    await server.setStatus(recordId, 'Confermato')
    expect(await states()).toEqual(['ready queued'])
    await server.setStatus(recordId, 'In attesa')
    expect(await states()).toEqual([])
    await server.setStatus(recordId, 'Confermato')
    // As the counter does, whose change takes nothing back.
    await sql('update pharmacy_orders set collected_at = now()')
    expect(await server.send()).toEqual([])
    expect(await states()).toEqual([])
    await sql('delete from order_pickup_settings')
  })

  it('goes at night if a person wants it so', async () => {
    server.time.now = tomorrow('21:00:00Z')
    const recordId = await consented()
    await server.notify(recordId)
    await server.send()
    await server.notify(recordId, { now: true })
    expect(await server.send()).toHaveLength(1)
  })

  it('in part is announced by a person, with no word of what', async () => {
    const recordId = await consented(`${PRODUCT}\nCrema mani`)
    const url = `/api/orders/${recordId}`
    await server.api('PUT', `${url}/lines`, { place: 1, text: 'Crema mani', isThere: true })
    expect(await server.details(recordId)).toMatchObject({ isPartlyReady: true })
    await server.api('PUT', `${url}/expected-on`, { day: '2099-06-01' })
    await server.notify(recordId, { kind: 'part' })
    const [sent] = await server.send()
    expect(sent).toMatchObject({ template: 'bancone_ordine_in_parte_lei_1' })
    expect(sent?.text).toMatch(/^\d+ \| \S.* \| per lunedì 1 giugno \| WA-\d+$/)
    await server.setPickup(recordId, 'ready')
    await server.notify(recordId)
    expect(await server.send()).toHaveLength(1)
  })

  it('in part is not announced when by now no part is there', async () => {
    const recordId = await consented(`${PRODUCT}\nCrema mani`)
    const mark = (isThere: boolean) =>
      server.api('PUT', `/api/orders/${recordId}/lines`, { place: 1, text: 'Crema mani', isThere })
    await mark(true)
    await server.notify(recordId, { kind: 'part' })
    await mark(false)
    expect(await server.notify(recordId, { kind: 'part' })).toMatchObject({ status: 409 })
    expect(await server.send()).toEqual([])
    expect(await states()).toEqual(['part failed outdated'])
  })
})

it('what waits about an order is taken back when it is cancelled, except a reply of the staff', async () => {
  const recordId = await consented()
  await server.write('Arriva oggi?')
  const reply = { id: crypto.randomUUID(), text: 'Purtroppo no' }
  await server.api('POST', `/api/whatsapp/orders/${recordId}/replies`, reply)
  await server.notify(recordId)
  await server.setStatus(recordId, 'Annullato')
  expect(await server.send()).toMatchObject([{ text: 'Purtroppo no' }])
})

describe('an order that is not collected', () => {
  async function overdue(phone?: string) {
    const recordId = await consented('Crema mani', phone)
    await sql(
      `update pharmacy_orders set ready_at = now() - interval '4 days' where airtable_order_id = $1`,
      [recordId],
    )
    return recordId
  }
  const age = () => sql(`update whatsapp_outbox set created_at = created_at - interval '4 days'`)

  it('is reminded of by itself, twice at most, in the hours of the messages', async () => {
    server.time.now = tomorrow('03:00:00Z')
    await overdue()
    await consented('Crema mani', '333 7654321')
    await server.runTask('whatsapp.day')
    await server.runTask('whatsapp.day')
    expect(await server.send()).toEqual([])
    expect(await states()).toEqual(['reminder queued hours'])
    server.time.now = tomorrow('09:00:00Z')
    const [sent] = await server.send()
    expect(sent).toMatchObject({ template: 'bancone_promemoria_ritiro_lei_1' })
    await server.runTask('whatsapp.day')
    expect(await states()).toEqual(['reminder accepted'])
    for (const sentNow of [1, 0]) {
      await age()
      await server.runTask('whatsapp.day')
      expect(await server.send()).toHaveLength(sentNow)
    }
  })

  it('is reminded of again after a failure, but not every morning', async () => {
    await overdue()
    await server.runTask('whatsapp.day')
    const [sent] = await server.send()
    if (sent) await server.report(sent, 'failed', 131_026)
    await server.runTask('whatsapp.day')
    expect(await states()).toEqual(['reminder failed not_on_whatsapp'])
    await age()
    await server.runTask('whatsapp.day')
    expect(await states()).toEqual(['reminder failed not_on_whatsapp', 'reminder queued'])
  })

  it('is reminded of by a person, and no more when it is collected or kept', async () => {
    const recordId = await overdue()
    const remind = () => server.notify(recordId, { kind: 'reminder' })
    for (const left of [1, 0]) {
      await remind()
      await remind()
      expect(await server.send()).toHaveLength(1)
      expect(await server.details(recordId)).toMatchObject({ remindersLeft: left })
    }
    expect(await remind()).toMatchObject({ status: 409, body: { code: 'whatsapp.reminded_twice' } })

    const other = await overdue('333 7654321')
    await server.notify(other, { kind: 'reminder' })
    await server.setPickup(other, 'put_back')
    expect(await server.send()).toEqual([])
    await server.setPickup(other, 'ready')
    await server.notify(other, { kind: 'reminder' })
    await server.api('PUT', `/api/orders/${other}/kept-until`, { until: '2099-01-01' })
    expect(await server.send()).toEqual([])
    expect((await states()).at(-1)).toBe('reminder failed outdated')
  })

  it('is not reminded of by itself without the setting, the consent, or with medicines', async () => {
    await change({ sendsReminders: false })
    await overdue()
    await server.runTask('whatsapp.day')
    expect(await states()).toEqual([])
    await change()
    await sql(`update pharmacy_orders set order_details = $1`, [PRODUCT])
    await server.runTask('whatsapp.day')
    expect(await server.send()).toEqual([])
    expect((await states()).join()).toMatch(/^reminder held_back (medicine|unknown_products)$/)
    await server.clear()
    const recordId = await overdue()
    await server.consent(recordId, false)
    await server.runTask('whatsapp.day')
    expect(await server.send()).toEqual([])
    expect(await states()).toEqual([])
  })
})

describe('a first answer', () => {
  const NIGHT = '21:00:00Z'
  const ordered = (text = 'Vorrei ordinare Crema mani') => server.write(`${text}\nCodice: ${CODE}`)

  it('goes at once while the pharmacy is closed, one until it opens', async () => {
    server.time.now = tomorrow(NIGHT)
    await ordered()
    const [sent, ...others] = await server.send(0)
    expect(others).toEqual([])
    expect(sent).toMatchObject({ template: null })
    expect(sent?.text).toContain(`la Sua richiesta ${CODE}.`)
    expect(sent?.text).toContain('riapre domani alle 08:30')
    await ordered('Vorrei ordinare anche altro')
    expect(await server.send(0)).toEqual([])
    expect(await states()).toEqual(['received accepted'])
    server.time.now += 86_400_000
    await ordered('Vorrei ordinare di nuovo')
    expect(await server.send(0)).toHaveLength(1)
    // The code, by which it is known what was ordered, is kept no longer than what the customer wrote.
    await sql(`update whatsapp_outbox set created_at = now() - interval '31 days'`)
    await server.runTask('whatsapp.day')
    expect(await states()).toEqual([])
  })

  it('repeats a code of the page, of letters alone or not, and no word that looks like one', async () => {
    server.time.now = tomorrow(NIGHT)
    await server.write('Vorrei ordinare\nCodice: BRUFEN')
    expect(await server.send(0)).toEqual([])
    await server.write('Vorrei ordinare\nCodice: XYZ234')
    expect((await server.send(0))[0]?.text).toContain('la Sua richiesta XYZ234.')
  })

  it('goes not for a message from before the closing that Meta repeats', async () => {
    const { event } = await ordered()
    expect(await server.send(0)).toEqual([])
    server.time.now = tomorrow(NIGHT)
    await server.receive({ ...event, repeated: true })
    expect(await server.send(0)).toEqual([])
  })

  it('goes to a person whose two contacts turn out to be one', async () => {
    const [userId, phone] = ['IT.1', '393331234567']
    server.time.now = tomorrow(NIGHT)
    for (const sender of [{ userId }, { phone }]) {
      await server.write(`Vorrei ordinare Crema mani\nCodice: ${CODE}`, sender)
      expect(await server.send(0)).toHaveLength(1)
    }
    await server.write(`Vorrei ordinare anche altro\nCodice: ${CODE}`, { userId, phone })
    const { rows } = await sql('select user_id, phone from whatsapp_contacts')
    expect(rows).toEqual([{ user_id: userId, phone: `+${phone}` }])
    expect(await server.send(0)).toEqual([])
  })

  it('goes neither while it is open, nor without known hours, nor after STOP', async () => {
    await ordered()
    expect(await server.send(0)).toEqual([])
    server.time.now = tomorrow(NIGHT)
    await sql('delete from pharmacy_profiles')
    expect(await messages()).toMatchObject({ hasOpeningHours: false })
    await ordered()
    expect(await server.send(0)).toEqual([])
    expect(await states()).toEqual([])
    await sql(
      `insert into pharmacy_profiles (pharmacy_id, opening_week, closings) values ($1, $2, '[]')`,
      [server.pharmacyId, hours],
    )
    await server.write('STOP')
    await server.send(0)
    await ordered()
    expect(await server.send(0)).toEqual([])
  })

  it('goes about an order that has come in, to a customer with consent who has none yet', async () => {
    // Closed now, by the clock of the database as well, and open the day after tomorrow.
    server.time.now = Date.now() + 60_000
    const weekday = (new Date(addDays(dayOf(server.time.now), 2)).getUTCDay() + 6) % 7
    const week = Array.from({ length: 7 }, (_, day) =>
      day === weekday ? [{ from: '08:30', to: '19:30' }] : [],
    )
    await sql('update pharmacy_profiles set opening_week = $1', [JSON.stringify(week)])
    await consented()
    const { body } = await server.api('POST', '/api/api-keys', { name: 'Sito' })
    const { key } = z.object({ key: z.string() }).parse(body)
    const make = async (token: string) =>
      server.app.inject({
        method: 'POST',
        url: '/api/orders',
        headers: { authorization: token, 'idempotency-key': randomUUID() },
        payload: {
          fields: { Cliente: 'Anna Rossi', 'Phone Number': '333 1234567', Ordine: 'Crema mani' },
        },
      })
    // The staff write it down for a customer who is there.
    const { authorization } = await server.owner()
    expect((await make(authorization)).statusCode).toBe(201)
    expect(await states()).toEqual([])
    expect((await make(`Bearer ${key}`)).statusCode).toBe(201)
    const [sent] = await server.send(0)
    expect(sent).toMatchObject({ template: 'bancone_ricevuto_da_chiusi_lei_1' })
    expect(sent?.text).toMatch(/^\d+ \| \S.* \| \S+dì alle 08:30$|\| (sabato|domenica) alle 08:30$/)
    await ordered()
    expect(await server.send(0)).toEqual([])
  })
})

describe('the meter', () => {
  it('counts the messages of the month by kind, with what they cost', async () => {
    expect((await messages()).usage).toEqual({ kinds: [], texts: 0, paid: 0 })
    const recordId = await consented()
    await server.notify(recordId)
    const [failed] = await server.send()
    if (failed) await server.report(failed, 'failed', 131_026)
    await server.write('Buongiorno')
    await server.notify(recordId)
    await server.send()
    const other = await consented('Crema mani', '333 7654321')
    await server.notify(other)
    await server.send()
    expect((await messages()).usage).toEqual({
      kinds: [{ kind: 'ready', count: 2 }],
      texts: 1,
      paid: 1,
    })
    // Those of the last month count no more.
    await sql(`update whatsapp_outbox set accepted_at = accepted_at - interval '32 days'`)
    expect((await messages()).usage).toEqual({ kinds: [], texts: 0, paid: 0 })
  })

  it('stops what goes by itself at the limit of the month, and nothing that a person sends', async () => {
    await change({ monthlyLimit: 1, messagePrice: 0.0341 })
    expect(await messages()).toMatchObject({ monthlyLimit: 1, messagePrice: 0.0341 })
    const [first, second] = [await consented(), await consented('Crema mani', '333 7654321')]
    await server.setPickup(first, 'ready')
    await server.setPickup(second, 'ready')
    expect(await server.send()).toHaveLength(1)
    expect((await states()).toSorted()).toEqual(['ready accepted', 'ready held_back monthly_limit'])
    await server.notify(first)
    await server.notify(second)
    expect(await server.send()).toHaveLength(1)
  })

  it.each([{ monthlyLimit: -1 }, { messagePrice: 1.5 }, { messagePrice: 0.00001 }])(
    'refuses %j',
    async (wrong) => {
      expect(await change(wrong)).toMatchObject({ status: 400 })
    },
  )
})
