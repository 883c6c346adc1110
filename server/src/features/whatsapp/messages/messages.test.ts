import { eraseCustomerData } from '@bancone/contract/customer-data'
import { WhatsAppMessages } from '@bancone/contract/whatsapp-messages'
import { whatsAppTerms, whatsAppTermsText } from '@bancone/contract/whatsapp-terms'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { capturedLog } from '../../../../test/captured-log.ts'
import { type MessageServer, messageServer, PRODUCT } from '../../../../test/message-server.ts'

const { lines, log } = capturedLog('trace')
let server: MessageServer

beforeAll(async () => {
  server = await messageServer(log)
})

/** 10:00 in Rome, tomorrow: after what the database holds back for half a minute. */
function tomorrow(utc = '09:00:00Z'): number {
  return Date.parse(`${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T${utc}`)
}

const settings = {
  announcesReady: true,
  sendsReminders: true,
  answersClosed: true,
  sendsLinks: true,
  sendsCalls: true,
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
  (await server.outbox()).map(({ state, reason }) => `${state} ${reason ?? ''}`.trim())

// Whatever is sent, and for whatever reason.
afterAll(() => expect(server.meta.wire.join('\n')).not.toMatch(/tachipirina|crema mani/i))
beforeEach(async () => {
  server.time.now = tomorrow()
  await server.clear()
  await server.switchOn()
  await change()
})

/** An order that is announced by itself. */
async function harmless() {
  await server.database.pool.query(
    `insert into product_offers (pharmacy_id, pharmacy_code, product_name, category, image_url, list_price, offer_price, start_date)
     select id, pharmacy_id, 'Crema mani', 'Cosmetici', 'https://example.it/1.jpg', 10, 9, now()
     from pharmacies where id = $1 and not exists (select from product_offers)`,
    [server.pharmacyId],
  )
  const recordId = await server.addOrder({ details: 'Crema mani' })
  await server.consent(recordId)
  return recordId
}

async function consented(details = PRODUCT) {
  const recordId = await server.addOrder({ details })
  await server.consent(recordId)
  return recordId
}

describe('the switch', () => {
  it('is turned by an owner who has read the present text, which is kept', async () => {
    await server.api('DELETE', '/api/whatsapp/messages')
    const colleague = 'messages-staff@example.it'
    const { pharmacyId } = server
    await server.addColleague({ email: colleague, pharmacyId, role: 'staff' })
    const staff = await server.signIn(colleague)
    const accept = (version: number, headers?: typeof staff) =>
      server.api('POST', '/api/whatsapp/messages/acceptances', { version }, headers)
    const { version } = whatsAppTerms
    expect(await accept(version, staff)).toMatchObject({ status: 403 })
    expect(await accept(version - 1)).toMatchObject({
      status: 409,
      body: { code: 'whatsapp.other_terms' },
    })
    expect(await messages()).toMatchObject({ isOn: false })
    const recordId = await server.addOrder()
    expect(await server.consent(recordId)).toMatchObject({
      body: { code: 'whatsapp.messages_off' },
    })
    expect(await server.notify(recordId)).toMatchObject({ body: { code: 'whatsapp.messages_off' } })
    await accept(version)
    expect(await messages()).toMatchObject({ isOn: true, acceptance: { version } })
    const { rows } = await server.database.pool.query(
      'select version, text, accepted_by from whatsapp_acceptances order by id desc limit 1',
    )
    expect(rows).toEqual([{ version, text: whatsAppTermsText, accepted_by: pharmacyId }])
  })

  it('is off again for a text that has changed, and takes back what waits', async () => {
    const recordId = await consented()
    await server.notify(recordId)
    await server.database.pool.query('update whatsapp_message_settings set terms_version = 0')
    expect(await messages()).toMatchObject({ isOn: false })
    expect(await server.send()).toEqual([])
    expect(await states()).toEqual(['failed off'])
    await server.switchOn()
    const other = await consented()
    await server.notify(other)
    await server.api('DELETE', '/api/whatsapp/messages')
    expect(await states()).toEqual(['failed off'])
  })
})

describe('a notice', () => {
  it('goes by the button to who has consented, with number, pharmacy and page alone', async () => {
    const recordId = await server.addOrder({ number: '4711' })
    expect(await server.notify(recordId)).toMatchObject({ body: { code: 'whatsapp.no_consent' } })
    await server.consent(recordId)
    const { consent, products } = await server.details(recordId)
    expect(consent).toMatchObject({ isGiven: true, channel: 'counter' })
    expect(consent?.wording).toContain('WhatsApp')
    expect(products).toBe('unknown_products')
    await server.notify(recordId)
    await server.notify(recordId)
    expect(await server.pickup(recordId)).toBe('ready')
    expect(await server.send(10)).toEqual([])
    const [sent, ...others] = await server.send(21)
    expect(others).toEqual([])
    expect(sent).toMatchObject({ to: '393331234567', template: 'bancone_ordine_pronto_lei_1' })
    expect(sent?.text).toMatch(/^4711 \| \S.* \| WA-\d+$/)
    const { lastOutboundAt } = (await server.connection(await server.owner())) ?? {}
    expect(Date.now() - Date.parse(lastOutboundAt ?? '')).toBeLessThan(60_000)
    // Accepted is not delivered.
    const state = async () => (await server.details(recordId)).notices[0]?.state
    expect(await state()).toBe('accepted')
    await server.notify(recordId)
    expect(await server.send()).toEqual([])
    if (!sent) return
    await server.report(sent, 'read')
    await server.report(sent, 'delivered')
    expect(await state()).toBe('read')
    const { body } = await server.api('GET', `/api/orders/${recordId}`)
    expect(body).toMatchObject({
      history: [
        { kind: 'message', from: 'ready', to: 'delivered', source: 'system' },
        { kind: 'message', from: 'ready', to: 'read' },
        { kind: 'pickup', to: 'ready' },
        { kind: 'received' },
      ],
    })
  })

  it('goes by itself once, though the order becomes ready, is undone and becomes ready', async () => {
    const recordId = await harmless()
    await server.setPickup(recordId, 'ready')
    await server.setPickup(recordId, 'none')
    expect(await states()).toEqual([])
    await server.setPickup(recordId, 'ready')
    await server.setPickup(recordId, 'ready')
    expect(await states()).toEqual(['queued'])
    expect(await server.send()).toHaveLength(1)
    await server.setPickup(recordId, 'none')
    await server.setPickup(recordId, 'ready')
    expect(await server.send()).toEqual([])
    expect(await states()).toEqual(['accepted'])
  })

  it('is the same one when two processes send it, and is left to Meta without a response', async () => {
    const recordId = await consented()
    await server.notify(recordId)
    server.time.now += 31_000
    const [{ id: messageId } = { id: '' }] = await server.outbox()
    await Promise.all(
      [1, 2, 3].map(() =>
        server
          .runTask('whatsapp.send', { pharmacyId: server.pharmacyId, messageId })
          .catch(() => {}),
      ),
    )
    expect(server.meta.messages).toHaveLength(1)
    const other = await consented()
    await server.notify(other)
    server.meta.fail({ mode: 'hang-up', of: '/messages', times: 1 })
    await server.send()
    expect(await states()).toContain('unsure no_response')
    const { id: lost = '' } = (await server.outbox()).at(-1) ?? {}
    await server.report(
      { id: 'wamid.lost', to: '', template: null, text: '', reference: lost },
      'delivered',
    )
    expect((await server.details(other)).notices[0]?.state).toBe('delivered')
  })

  it('that counted as failed is reported after all, beside the one that was added since', async () => {
    const recordId = await consented()
    await server.notify(recordId)
    server.meta.fail({ mode: 'hang-up', of: '/messages', times: 1 })
    await server.send()
    server.time.now += 11 * 60_000
    await server.send()
    expect(await states()).toEqual(['failed no_response'])
    const [{ id: lost } = { id: '' }] = await server.outbox()
    await server.notify(recordId)
    await server.report(
      { id: 'wamid.late', to: '', template: null, text: '', reference: lost },
      'delivered',
    )
    expect(await states()).toEqual(['failed no_response', 'queued'])
    const { body } = await server.api('GET', `/api/orders/${recordId}`)
    expect(body).toMatchObject({ history: [{ kind: 'message', to: 'delivered' }, {}, {}] })
  })

  it('does not go by itself for medicines, unknown products and without consent', async () => {
    for (const details of [PRODUCT, 'Ciao, vorrei prenotare:\nProdotto: Crema mani']) {
      const recordId = await consented(details)
      await server.setPickup(recordId, 'ready')
    }
    const silent = await server.addOrder({ details: 'Crema mani', phone: '320 0000000' })
    await server.setPickup(silent, 'ready')
    expect(await server.send()).toEqual([])
    expect(await states()).toEqual(['held_back unknown_products', 'held_back medicine'])
    expect((await server.details(silent)).notices).toEqual([])
  })

  it('is taken back by a person, and with the order', async () => {
    const recordId = await consented()
    await server.notify(recordId)
    const [notice] = (await server.details(recordId)).notices
    const url = `/api/whatsapp/orders/${recordId}/notices/${notice?.id}`
    expect(await server.api('DELETE', url)).toMatchObject({ status: 200, body: { notices: [] } })
    expect(await server.api('DELETE', url)).toMatchObject({
      body: { code: 'whatsapp.notice_gone' },
    })
    await server.notify(recordId)
    await server.setPickup(recordId, 'ready')
    await server.setPickup(recordId, 'none')
    expect(await states()).toEqual(['queued'])
    await server.setPickup(recordId, 'collected')
    expect(await states()).toEqual([])
    await server.setPickup(recordId, 'none')
    await server.notify(recordId)
    await server.setStatus(recordId, 'Annullato')
    expect(await states()).toEqual([])
  })

  it('that waits by itself is of the person who asks for it', async () => {
    const recordId = await harmless()
    await server.setPickup(recordId, 'ready')
    await server.notify(recordId)
    await server.setPickup(recordId, 'none')
    expect(await states()).toEqual(['queued'])
    expect(await server.send()).toHaveLength(1)
  })

  it('goes the next day beyond the bound of the day', async () => {
    await change({ dailyLimit: 1 })
    for (const phone of ['333 1234567', '333 1234568']) {
      const recordId = await server.addOrder({ phone })
      await server.consent(recordId)
      await server.notify(recordId)
    }
    expect(await server.send()).toHaveLength(1)
    expect(await states()).toEqual(['accepted', 'queued budget'])
  })

  it('is free text while the customer has written, and a template when Meta says that this is over', async () => {
    const recordId = await consented()
    await server.write('Buongiorno')
    await server.notify(recordId)
    const [text] = await server.send()
    expect(text).toMatchObject({ template: null })
    expect(text?.text).toContain('/offers/WA-')
    if (!text) return
    await server.report(text, 'failed', 131_047)
    expect(await states()).toEqual(['queued'])
    const { body } = await server.api('GET', `/api/orders/${recordId}`)
    expect(body).toMatchObject({ history: [{ kind: 'pickup' }, { kind: 'received' }] })
    const become = (state: string) =>
      server.database.pool.query(`update whatsapp_outbox set ${state}`)
    await become("state = 'sending', claimed_until = now()")
    await server.report(text, 'sent')
    expect(await states(), 'a late report about the first').toEqual(['sending'])
    await become("state = 'queued', claimed_until = null")
    const [template] = await server.send(0)
    expect(template).toMatchObject({ template: 'bancone_ordine_pronto_lei_1' })
    if (template) await server.report(template, 'delivered')
    // The ids of both lead to the customer.
    const deliveries = () =>
      server.database.pool.query('select message_id from whatsapp_deliveries')
    expect((await deliveries()).rowCount).toBe(2)
    await server.api('POST', eraseCustomerData.path, { phone: '3331234567', identity: 'document' })
    expect((await deliveries()).rows).toEqual([])
  })
})

describe('a refusal of Meta', () => {
  const refused = async (code: number) => {
    const recordId = await consented()
    await server.notify(recordId)
    server.meta.fail({ mode: 'graph', code, of: '/messages', times: 1 })
    await server.send()
    return recordId
  }
  const job = (kind: string) =>
    server.runTask('whatsapp.refusal', { pharmacyId: server.pharmacyId, kind })

  it.each([
    [131_049, 'queued person', 24 * 3_600],
    [130_429, 'queued rate', 30],
    [131_056, 'queued rate', 30],
    [2, 'queued connection', 30],
    [132_001, 'queued template', 900],
    [131_042, 'queued payment', 3_600],
    [131_037, 'queued name', 3_600],
    [131_045, 'queued registration', 3_600],
  ])('%i lets the message wait: %s', async (code, state, seconds) => {
    const recordId = await refused(code)
    expect(await states()).toEqual([state])
    const [waiting] = await server.outbox()
    expect(waiting?.due).toBe(server.time.now + seconds * 1_000)
    await server.runTask('whatsapp.templates', { pharmacyId: server.pharmacyId })
    server.time.now += (seconds - 2) * 1_000
    if (code !== 132_001) expect(await server.send(0)).toEqual([])
    expect(await server.send(3)).toHaveLength(1)
    expect((await server.details(recordId)).notices[0]?.state).toBe('accepted')
  })

  it.each([131_026, 131_030])('%i marks the number, until its owner writes', async (code) => {
    const recordId = await refused(code)
    expect(await states()).toEqual(['failed not_on_whatsapp'])
    await server.notify(recordId)
    expect(await server.send()).toEqual([])
    await server.write('Eccomi')
    await server.notify(recordId)
    expect(await server.send()).toHaveLength(1)
  })

  it('190 asks for another connection, and loses nothing', async () => {
    await refused(190)
    await job('expired')
    expect((await server.connection(await server.owner()))?.state).toBe('needs_reauth')
    expect(await states()).toEqual(['queued connection'])
    expect(await server.send(600)).toEqual([])
    await server.connect(await server.owner())
    expect(await server.send(0)).toHaveLength(1)
  })

  it('that the pharmacy can mend is shown until a notice is delivered', async () => {
    const refusal = async () => (await server.connection(await server.owner()))?.refusal?.kind
    const recordId = await consented()
    await server.notify(recordId)
    const [notice] = await server.send()
    // Meta has accepted it before.
    if (notice) await server.report(notice, 'failed', 131_042)
    expect(await states()).toEqual(['queued payment'])
    await job('payment')
    expect(await refusal()).toBe('payment')
    const [again] = await server.send(3_600)
    if (again) await server.report(again, 'delivered')
    expect(await refusal()).toBeUndefined()
    await job('name')
    expect(await refusal()).toBe('name')
    // 'Verifica ora' tries what waits.
    await refused(131_037)
    await server.runTask('whatsapp.check', { pharmacyId: server.pharmacyId })
    expect(await server.send(0)).toHaveLength(1)
  })

  it('368 and the third against the rules switch the messages off', async () => {
    await refused(368)
    const waiting = await consented()
    await server.notify(waiting)
    await job('restricted')
    expect(await messages()).toMatchObject({ isOn: false, stoppedFor: 'restricted' })
    expect(await states()).toEqual(['failed restricted'])
    expect((await server.connection(await server.owner()))?.refusal?.kind).toBe('restricted')
    await server.switchOn()
    expect(await messages()).toMatchObject({ isOn: true, stoppedFor: null })
    await refused(131_048)
    for (const isOn of [true, true, false]) {
      await job('policy')
      expect(await messages()).toMatchObject({ isOn })
    }
  })

  it('quality red stops the notices, until it is better', async () => {
    const [number] = server.meta.accounts.number.numbers
    Object.assign(number ?? {}, { quality_rating: 'RED' })
    await server.runTask('whatsapp.check', { pharmacyId: server.pharmacyId })
    const recordId = await consented()
    await server.notify(recordId)
    expect(await server.send()).toEqual([])
    expect(await states()).toEqual(['queued quality'])
    Object.assign(number ?? {}, { quality_rating: 'GREEN' })
    await server.runTask('whatsapp.check', { pharmacyId: server.pharmacyId })
    expect(await server.send(0)).toHaveLength(1)
  })

  it('and what Meta makes of a template stop the notices that need it', async () => {
    const [template] = server.meta.accounts.number.templates
    Object.assign(template ?? {}, { category: 'MARKETING' })
    await server.runTask('whatsapp.templates', { pharmacyId: server.pharmacyId })
    await server.notify(await consented())
    expect(await server.send()).toEqual([])
    expect(await states()).toEqual(['queued template'])
    Object.assign(template ?? {}, { category: 'UTILITY' })
    await server.runTask('whatsapp.templates', { pharmacyId: server.pharmacyId })
    expect(await server.send(0)).toHaveLength(1)
  })
})

describe('priority access', () => {
  it('sends the link of the customer, and the call with its desk unless it is taken back', async () => {
    const recordId = await consented()
    await server.notify(recordId, { kind: 'link' })
    const [link] = await server.send()
    expect(link?.text).toMatch(new RegExp(`/priority/WA-\\d+/${recordId}#t=\\S{20,}`))
    const { pool } = server.database
    await pool.query(
      `update priority_access_sessions set status = 'user_arrived', arrived_at = now()
       where airtable_order_id = $1`,
      [recordId],
    )
    const move = async (from: string, to: string) => {
      const { rows } = await pool.query<{ id: string; version: number }>(
        'select id, status_version as version from priority_access_sessions where airtable_order_id = $1',
        [recordId],
      )
      return server.api('POST', `/api/priority/sessions/${rows[0]?.id}/status`, {
        from,
        to,
        version: rows[0]?.version,
        desk: 'Banco 2',
      })
    }
    await move('user_arrived', 'called')
    expect(await states()).toEqual(['accepted', 'queued'])
    await move('called', 'user_arrived')
    expect(await states()).toEqual(['accepted'])
    await move('user_arrived', 'called')
    await server.setStatus(recordId, 'Annullato')
    expect(await states()).toEqual(['accepted'])
    // The priority session returns with its order, and so does its call.
    await server.setStatus(recordId, 'In attesa')
    expect(await states()).toEqual(['accepted', 'queued'])
    // The database knows nothing of the time of the test, and a call is of no use after ten minutes.
    const tenMinutesOn = new Date(server.time.now + 600_000).toISOString()
    await pool.query(`update whatsapp_outbox set expires_at = $1 where kind = 'call'`, [
      tenMinutesOn,
    ])
    const [sent] = await server.send(13)
    expect(sent?.template).toBe('bancone_chiamata_lei_1')
    expect(sent?.text).toContain('Banco 2')
  })
})

it('nothing that was ordered or written is in a request to Meta, or in the log', async () => {
  const recordId = await consented()
  await server.write(`Avete ${PRODUCT}?`)
  await server.notify(recordId)
  await server.send()
  const reply = (text: string) =>
    server.api('POST', `/api/whatsapp/orders/${recordId}/replies`, {
      id: crypto.randomUUID(),
      text,
    })
  expect(await reply('La tachipirina è pronta')).toMatchObject({
    body: { code: 'whatsapp.names_product' },
  })
  await server.database.pool.query(
    `insert into medicines (code, name, pack, is_authorised)
     values ('012345678', 'VIVIN C', '20 cpr', true) on conflict do nothing`,
  )
  expect(await reply('Anche il Vivin C è qui')).toMatchObject({
    body: { code: 'whatsapp.names_product' },
  })
  await reply('Sì, passi quando vuole')
  await server.send()
  const wire = server.meta.wire.join('\n')
  expect(wire).toContain('passi quando vuole')
  expect(wire).not.toMatch(/tachipirina|\bfarmac[oi]\b|medicinal/i)
  expect(lines.join('\n')).not.toMatch(/tachipirina|passi quando vuole/i)
  const { rows } = await server.database.pool.query<{ payload: object }>(
    'select payload from graphile_worker._private_jobs',
  )
  expect(JSON.stringify(rows)).not.toMatch(/tachipirina|passi quando/i)
})

it("says 'Lei', or 'tu' with another template where the pharmacy has chosen so", async () => {
  const recordId = await server.addOrder()
  await server.consent(recordId)
  await change({ saysTu: true })
  expect((await messages()).templates[0]?.preview).toMatch(/^Ciao, la tua richiesta/)
  await server.runTask('whatsapp.templates', { pharmacyId: server.pharmacyId })
  await server.notify(recordId)
  expect(await server.send()).toMatchObject([{ template: 'bancone_ordine_pronto_1' }])
  await change()
  await server.runTask('whatsapp.templates', { pharmacyId: server.pharmacyId })
  expect((await messages()).templates[0]?.preview).toMatch(/^Buongiorno, la Sua richiesta/)
})
