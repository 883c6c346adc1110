import { WhatsAppDraft } from '@bancone/contract/whatsapp-drafts'
import { orderMessage } from '@bancone/contract/whatsapp-order'
import { UnreadCustomer } from '@bancone/contract/whatsapp-orders'
import { metaEvents, webhookSignature } from '@bancone/sandbox/meta'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { untilBlocked } from '../../../../test/lock-waits.ts'
import { type MessageServer, messageServer, PRODUCT } from '../../../../test/message-server.ts'
import { metaApplication, otherProcesses } from '../../../../test/meta-server.ts'
import { databaseOver } from '../../../database/database.ts'
import { lockContacts } from '../contacts.store.ts'

const BSUID = 'IT.1349120865530274'
const ANNA = { phone: '393331234567' }

let server: MessageServer

beforeAll(async () => {
  server = await messageServer()
})
// Whatever is sent, and for whatever reason.
afterAll(() => expect(server.meta.wire.join('\n')).not.toMatch(/tachipirina|crema mani/i))
beforeEach(async () => {
  server.time.now = Date.now()
  await server.clear()
  await server.switchOn()
})

const now = () => Math.floor(server.time.now / 1_000)
const deliver = (type: string, content: unknown, id: string, sender = ANNA) =>
  server.receive(metaEvents.message(server.place, sender, { id, timestamp: now() }, type, content))
const replied = (recordId: string, text = 'Sì, certo', id = crypto.randomUUID()) =>
  server.api('POST', `/api/whatsapp/orders/${recordId}/replies`, { id, text })
const drafts = async () =>
  z
    .object({ drafts: z.array(WhatsAppDraft) })
    .parse((await server.api('GET', '/api/whatsapp/drafts')).body).drafts
const consents = async () => {
  const { rows } = await server.database.pool.query<{ is_given: boolean; channel: string }>(
    'select is_given, channel from whatsapp_consents order by id',
  )
  return rows.map(({ is_given, channel }) => `${is_given} ${channel}`)
}
const newCode = async (code: string) => {
  await server.database.pool.query(
    `insert into offer_order_codes (pharmacy_id, code, offer_ids, day) values ($1, $2, '{}', now())
     on conflict do nothing`,
    [server.pharmacyId, code],
  )
}
const coded = (code: string) =>
  orderMessage(
    [
      {
        name: 'Crema mani',
        cents: 900,
        quantity: 2,
        equivalent: false,
        discounted: false,
        medicine: false,
      },
    ],
    code,
  )

describe('a consent', () => {
  it('ends with one word and exactly one confirmation, and its history stays', async () => {
    const recordId = await server.addOrder()
    await server.consent(recordId)
    server.time.now += 1_000
    const { event } = await server.write('Stop')
    await server.receive(event)
    await server.write('BASTA')
    const answers = await server.send(0)
    expect(answers).toMatchObject([{ template: null, to: ANNA.phone }])
    expect(answers[0]?.text).toContain('non Le manderà altri avvisi')
    expect(await consents()).toEqual(['true counter', 'false message'])
    expect(await server.notify(recordId)).toMatchObject({ body: { code: 'whatsapp.no_consent' } })
    server.time.now += 1_000
    await server.consent(recordId)
    // Meta repeats webhooks for days.
    await server.receive({ ...event, repeated: true })
    expect((await server.details(recordId)).consent).toMatchObject({ isGiven: true })
    server.time.now += 1_000
    await server.write('annulla')
    expect(await server.send(0)).toHaveLength(1)
    const { consents: history } = await server.details(recordId)
    expect(history.map(({ isGiven, wording }) => [isGiven, wording.slice(0, 7)])).toEqual([
      [false, 'annulla'],
      [true, 'Vuole c'],
      [false, 'Stop'],
      [true, 'Vuole c'],
    ])
  })

  it('is given by a message of the customer, and ends also while messages are off', async () => {
    const recordId = await server.addOrder()
    await server.write('Sì, avvisami!')
    expect(await server.send(0)).toHaveLength(1)
    // Both are of one second, as often.
    await server.database.pool.query(
      'update whatsapp_outbox set created_at = (select at from whatsapp_inbound)',
    )
    const { consent, conversation } = await server.details(recordId)
    expect(consent).toMatchObject({ isGiven: true, by: null })
    expect(conversation.map(({ from, order }) => [from, order])).toEqual([
      ['customer', null],
      ['pharmacy', null],
    ])
    await server.api('DELETE', '/api/whatsapp/messages')
    server.time.now += 1_000
    await server.write('stop')
    await server.write('Avete la crema?')
    expect(await consents()).toEqual(['true message', 'false message'])
    await server.switchOn()
    expect(await server.send(0)).toEqual([])
    // Nothing is kept of what was written meanwhile.
    expect((await server.details(recordId)).conversation).toHaveLength(2)
  })

  it('of a number belongs to its person when the number is hidden later, and the id changes', async () => {
    const recordId = await server.addOrder()
    await server.consent(recordId)
    await server.write('Ciao', { ...ANNA, userId: BSUID })
    await server.write('Ci siete?', { userId: BSUID })
    const told = { id: 'wamid.change', timestamp: now() }
    const changed = { userId: 'IT.2' }
    await server.receive(
      metaEvents.changed(server.place, 'user_changed_user_id', { userId: BSUID }, changed, told),
    )
    await server.write('Sono sempre io', { userId: 'IT.2' })
    const { conversation, consent } = await server.details(recordId)
    expect(conversation.map(({ text }) => text)).toEqual([
      'Ciao',
      'Ci siete?',
      // Of WhatsApp.
      'Anna changed',
      'Sono sempre io',
    ])
    expect(consent?.isGiven).toBe(true)
  })
})

describe('a conversation', () => {
  it('has what customers of orders write, encrypted, without files, for 30 days', async () => {
    const recordId = await server.addOrder({ phone: '+39 333/1234567' })
    await server.write(`Avete ${PRODUCT}?`)
    await server.write('Un passante', { phone: '393200000000' })
    const told = { id: 'wamid.media', timestamp: now() }
    const asked = server.meta.wire.length
    const photo = { id: 'media-1', mime_type: 'image/jpeg' }
    await server.receive(metaEvents.message(server.place, ANNA, told, 'image', photo))
    expect(server.meta.wire).toHaveLength(asked)
    const { pool } = server.database
    const { rows } = await pool.query<{ text: Buffer | null }>('select text from whatsapp_inbound')
    expect(rows).toHaveLength(2)
    expect(Buffer.concat(rows.map(({ text }) => text ?? Buffer.of())).toString()).not.toContain(
      'Tachi',
    )
    const shown = async () =>
      (await server.details(recordId)).conversation.map(({ from, text }) => [from, text])
    expect(await shown()).toEqual([
      ['customer', `Avete ${PRODUCT}?`],
      ['customer', null],
    ])
    await pool.query("update whatsapp_inbound set at = at - interval '31 days' where type = 'text'")
    await server.runTask('whatsapp.day')
    expect(await shown()).toEqual([['customer', null]])
  })

  it('has what customers send of any kind, with its words', async () => {
    const recordId = await server.addOrder()
    await deliver('document', { id: '2', caption: 'È questa?' }, 'wamid.document')
    await deliver('button', { text: 'Va bene', payload: 'x' }, 'wamid.button')
    await deliver('unsupported', undefined, 'wamid.unsupported')
    await deliver('poll_of_2030', { caption: 'Quale?', options: 7 }, 'wamid.poll')
    const { conversation } = await server.details(recordId)
    expect(conversation.map(({ content, text }) => [content, text])).toEqual([
      ['document', 'È questa?'],
      ['text', 'Va bene'],
      ['other', null],
      ['other', 'Quale?'],
    ])
    // The products of the catalogue are an order.
    await deliver(
      'order',
      { text: 'Grazie', product_items: [{ product_retailer_id: 'CREMA' }] },
      'wamid.order',
    )
    expect(await drafts()).toMatchObject([{ text: '1 × CREMA\nGrazie' }])
  })

  it('shows what a customer has edited or deleted, before and after', async () => {
    const recordId = await server.addOrder()
    const { id } = await server.write('Mi servono 2 scatole')
    const gone = await server.write('E una crema')
    const text = { type: 'text', text: { body: 'Mi servono 3 scatole' } }
    await deliver('edit', { original_message_id: id, message: text }, 'wamid.edit')
    await deliver('revoke', { original_message_id: gone.id }, 'wamid.revoke')
    const { conversation } = await server.details(recordId)
    expect(conversation.map((each) => [each.content, each.text, each.change])).toEqual([
      ['text', 'Mi servono 2 scatole', 'edited'],
      ['text', 'E una crema', 'deleted'],
      ['edit', 'Mi servono 3 scatole', null],
      ['deletion', null, null],
    ])
  })

  it('is answered in the window, once, also to a person without a number', async () => {
    await newCode('ABC234')
    await server.write(coded('ABC234'), { userId: BSUID })
    const [draft] = await drafts()
    const { body } = await server.api('POST', `/api/whatsapp/drafts/${draft?.id}/order`, {
      fields: { Cliente: 'Anna', Ordine: 'Crema mani' },
    })
    const { id: recordId } = z.object({ id: z.string() }).parse(body)
    const id = crypto.randomUUID()
    await replied(recordId, 'Arriva domani, grazie', id)
    await replied(recordId, 'Arriva domani, grazie', id)
    const sent = await server.send(0)
    expect(sent).toMatchObject([{ to: BSUID, text: 'Arriva domani, grazie', template: null }])
    if (sent[0]) await server.report(sent[0], 'delivered')
    const { conversation, windowEndsAt } = await server.details(recordId)
    expect(conversation.map(({ from, state }) => [from, state])).toEqual([
      ['customer', null],
      ['pharmacy', 'delivered'],
    ])
    expect(windowEndsAt).not.toBeNull()
    server.time.now += 24 * 3_600_000
    expect((await server.details(recordId)).windowEndsAt).toBeNull()
    expect(await replied(recordId)).toMatchObject({ body: { code: 'whatsapp.window_closed' } })
  })
})

it('a STOP in the second of a consent ends it, whichever came first', async () => {
  const recordId = await server.addOrder()
  await server.consent(recordId)
  // Meta tells the second only, in which the consent was recorded before.
  await server.write('Stop grazie')
  expect((await server.details(recordId)).consent).toMatchObject({ isGiven: false })
  await server.consent(recordId)
  await server.write('avvisami')
  expect((await server.details(recordId)).consent).toMatchObject({ isGiven: false })
})

it('what is added for a customer whose data are erased at that moment is refused', async () => {
  const recordId = await server.addOrder()
  await server.write('È arrivata?', ANNA)
  const { pool } = server.database
  const whileErased = async <T>(add: () => Promise<T>) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('delete from whatsapp_contacts')
      const added = add()
      await untilBlocked(pool)
      await client.query('commit')
      return await added
    } finally {
      client.release()
    }
  }
  const refused = { status: 409, body: { code: 'orders.changed_meanwhile' } }
  expect(await whileErased(() => replied(recordId))).toMatchObject(refused)
  await server.write('È arrivata?', ANNA)
  expect(await whileErased(() => server.consent(recordId))).toMatchObject(refused)
  // Of an order whose customer was no contact yet.
  const { rows } = await pool.query<{ n: number }>(
    'select count(*)::int as n from whatsapp_contacts',
  )
  expect(rows).toEqual([{ n: 0 }])
  const client = await pool.connect()
  await client.query('begin')
  await lockContacts(databaseOver(client), server.pharmacyId)
  await client.query('update pharmacy_orders set customer_phone = null')
  const late = server.consent(recordId)
  await untilBlocked(pool)
  await client.query('commit')
  client.release()
  expect(await late).toMatchObject(refused)
  expect((await pool.query('select from whatsapp_contacts')).rowCount).toBe(0)
})

it('what the pharmacy writes in the Business app is shown to it, and does nothing else', async () => {
  const recordId = await server.addOrder()
  await newCode('RST234')
  const told = (id: string) => ({ id, timestamp: now() })
  const echo = (id: string, to: object, text: string) =>
    server.receive(metaEvents.echo(server.place, to, told(id), text))
  await server.write('È arrivata?', { ...ANNA, userId: BSUID })
  await echo('wamid.echo.1', ANNA, coded('RST234'))
  await echo('wamid.echo.2', { userId: BSUID }, 'stop')
  await echo('wamid.echo.2', { userId: BSUID }, 'stop')
  // Nothing is kept of those who have neither an order nor a consent.
  await echo('wamid.echo.3', { phone: '393200000000' }, 'A stasera')
  await server.write('Buongiorno', { phone: '393200000001' })
  await echo('wamid.echo.4', { phone: '393200000001' }, 'Salve')
  const { conversation, windowEndsAt } = await server.details(recordId)
  expect(conversation.map(({ from, text, state, order }) => [from, text, state, order])).toEqual([
    ['customer', 'È arrivata?', null, 'possible'],
    ['pharmacy', coded('RST234'), null, null],
    ['pharmacy', 'stop', null, null],
  ])
  expect(windowEndsAt).not.toBeNull()
  expect([await drafts(), await consents(), await server.outbox()]).toEqual([[], [], []])
  const { rows } = await server.database.pool.query('select phone from whatsapp_contacts')
  expect(rows).toHaveLength(2)
  const echoId = conversation.at(-1)?.id
  expect(
    await server.api('POST', `/api/whatsapp/drafts/${echoId}/order`, {
      fields: { Cliente: 'Anna', Ordine: 'Crema' },
    }),
  ).toMatchObject({ status: 404 })
})

describe('a draft', () => {
  it('is made of a message with a code of this pharmacy, once, and is no order', async () => {
    await newCode('DEF567')
    const { event } = await server.write(coded('DEF567'))
    await server.receive({ ...event, repeated: true })
    // Of another pharmacy, and of a person who orders nothing.
    await server.write('La crema ZZZ999 arriva?', { phone: '393200000000' })
    // Longer than an order may be.
    await newCode('EFG234')
    const long = `${coded('EFG234')}\n${'x'.repeat(4_000)}`
    await server.write(long)
    expect(await drafts()).toMatchObject([
      { customer: 'Anna', phone: '+393331234567', text: coded('DEF567') },
      { text: long },
    ])
    const { body } = await server.api('GET', '/api/airtable-orders')
    expect(body).toMatchObject({ statistics: { total: 0 } })
  })

  it.each([
    'Ciao vorrei prenotare una crema, grazie',
    'Codice: abc 999',
    'Quello del link: def-567 grazie',
  ])('is made of what a customer has left of the message: %s', async (text) => {
    await newCode('DEF567')
    await server.write(text)
    expect(await drafts()).toMatchObject([{ text }])
  })

  it('is made of an old message that is sent again, not of one whose order is there', async () => {
    await newCode('TUV234')
    const { pool } = server.database
    await pool.query(
      `update offer_order_codes set order_id = made.id
       from pharmacy_orders as made where code = 'TUV234' and airtable_order_id = $1`,
      [await server.addOrder()],
    )
    await server.write(coded('TUV234'))
    expect(await drafts()).toEqual([])
    await pool.query("update pharmacy_orders set airtable_created = now() - interval '1 day'")
    await server.write(coded('TUV234'))
    expect(await drafts()).toMatchObject([{ text: coded('TUV234') }])
  })

  it('is the latest version of a message, in whatever order the versions come', async () => {
    const stranger = { phone: '393200000002' }
    const edit = (id: string, of: string, body: string, timestamp = now()) => {
      const content = { original_message_id: of, message: { type: 'text', text: { body } } }
      return metaEvents.message(server.place, stranger, { id, timestamp }, 'edit', content)
    }
    const { id } = await server.write('Ciao, vorrei ordinare 2 creme', stranger)
    await server.receive(edit('wamid.second', id, 'Anzi 3 creme', now() + 5))
    await server.receive(edit('wamid.first', id, 'Ciao, vorrei ordinare 5 creme', now() + 2))
    await server.receive(edit('wamid.early', 'wamid.late', 'Ciao, vorrei ordinare il tè'))
    await server.receive(
      metaEvents.text(
        server.place,
        stranger,
        { id: 'wamid.late', timestamp: now() },
        'Ciao, vorrei ordinare',
      ),
    )
    const found = await drafts()
    expect(found.map(({ text }) => text).toSorted()).toEqual([
      'Anzi 3 creme',
      'Ciao, vorrei ordinare il tè',
    ])
    await deliver('revoke', { original_message_id: id }, 'wamid.gone', stranger)
    expect((await drafts()).find(({ text }) => text.startsWith('Anzi'))?.isDeleted).toBe(true)
  })

  it('becomes an order when it is confirmed, the same one for another press', async () => {
    await newCode('GHJ234')
    await server.write(coded('GHJ234'))
    const [draft] = await drafts()
    const fields = { Cliente: 'Anna Rossi', 'Phone Number': '+39 333 1234567', Ordine: draft?.text }
    const confirm = () => server.api('POST', `/api/whatsapp/drafts/${draft?.id}/order`, { fields })
    const [one, two] = await Promise.all([confirm(), confirm()])
    expect([one?.status, two?.status]).toEqual([201, 201])
    expect(one?.body).toMatchObject({ fields: { Stato: 'In attesa', Cliente: 'Anna Rossi' } })
    const { rows } = await server.database.pool.query('select origin from pharmacy_orders')
    expect(rows).toEqual([{ origin: 'person' }])
    expect(await drafts()).toEqual([])
  })

  it('is made of any other message of a customer by the staff', async () => {
    const recordId = await server.addOrder()
    await server.write('Mi mette da parte anche la crema?')
    const message = async () => (await server.details(recordId)).conversation[0]
    const { id, order } = (await message()) ?? {}
    expect(order).toBe('possible')
    expect(await drafts()).toEqual([])
    const fields = { Cliente: 'Anna Rossi', Ordine: 'Crema mani' }
    const confirm = () => server.api('POST', `/api/whatsapp/drafts/${id}/order`, { fields })
    const [one, two] = [await confirm(), await confirm()]
    const { id: made } = z.object({ id: z.string() }).parse(one.body)
    expect(two.body).toMatchObject({ id: made })
    expect((await message())?.order).toBe('made')
    // Without a number the new order is that of the same person.
    expect((await server.details(made)).conversation).toHaveLength(1)
  })

  it('is dismissed, and not offered when its order has come another way', async () => {
    await newCode('KLM234')
    await newCode('NPQ234')
    await server.write(coded('KLM234'))
    await server.write(coded('NPQ234'))
    // Messages of one second have no order.
    const draft = (await drafts()).find(({ text }) => text.includes('KLM234'))
    const dismiss = () => server.api('DELETE', `/api/whatsapp/drafts/${draft?.id}`)
    expect(await dismiss()).toMatchObject({ status: 200 })
    await server.database.pool.query(
      "update offer_order_codes set order_id = 1 where code = 'NPQ234'",
    )
    expect(await drafts()).toEqual([])
    expect(
      await server.api('POST', `/api/whatsapp/drafts/${draft?.id}/order`, {
        fields: { Cliente: 'Anna', Ordine: 'Crema' },
      }),
    ).toMatchObject({ status: 404 })
  })
})

it('a message that comes five times to four processes is one, with one answer', async () => {
  const recordId = await server.addOrder()
  await server.consent(recordId)
  const others = await otherProcesses(server)
  const told = { id: 'wamid.five', timestamp: now() + 1 }
  const event = metaEvents.text(server.place, ANNA, told, 'stop')
  const apps = [server.app, ...others.map(({ app }) => app)]
  await Promise.all(
    [0, 1, 2, 3, 0].map(async (process, copy) => {
      // Of one message in webhooks with other bytes.
      const payload = JSON.stringify({ ...event, copy: copy % 2 })
      const headers = {
        'content-type': 'application/json',
        'x-hub-signature-256': webhookSignature(metaApplication.appSecret, payload),
      }
      return apps[process]?.inject({ method: 'POST', url: '/webhooks/whatsapp', headers, payload })
    }),
  )
  await Promise.all([
    server.runTask('whatsapp.inbox'),
    ...others.map(async ({ wired }) => wired.jobs.tasks['whatsapp.inbox']?.run({})),
  ])
  expect(await consents()).toEqual(['true counter', 'false message'])
  const { conversation } = await server.details(recordId)
  expect(conversation.map(({ from }) => from).toSorted()).toEqual(['customer', 'pharmacy'])
  // The other processes have the time of the computer.
  expect(await server.send(5)).toHaveLength(1)
})

describe('a message that was not read', () => {
  const unread = async () =>
    z
      .object({ customers: z.array(UnreadCustomer) })
      .parse((await server.api('GET', '/api/whatsapp/unread')).body)
      .customers.map(({ recordId, name }) => [recordId, name])

  it('is listed with the order of its customer until it is read, or answered on the phone', async () => {
    const recordId = await server.addOrder()
    await server.write('Un passante', { phone: '393200000000' })
    expect(await unread()).toEqual([])
    await server.write('Siete aperti?')
    expect(await unread()).toEqual([[recordId, 'Anna Rossi']])
    const until = (await server.details(recordId)).conversation.at(-1)?.at
    const read = (body: object) => server.api('POST', `/api/whatsapp/orders/${recordId}/read`, body)
    expect(await read({ until: 'ieri' })).toMatchObject({ status: 400 })
    expect(await read({ until })).toMatchObject({ status: 200 })
    expect(await unread()).toEqual([])
    server.time.now += 2_000
    await server.write('Allora?')
    // Of a window that was left open.
    await read({ until })
    expect(await unread()).toHaveLength(1)
    server.time.now += 2_000
    const told = { id: 'wamid.answered', timestamp: now() }
    await server.receive(metaEvents.echo(server.place, ANNA, told, 'Sì'))
    expect(await unread()).toEqual([])
    await server.write('Grazie')
    await server.api('DELETE', '/api/whatsapp/messages')
    expect(await unread()).toEqual([])
  })
})
