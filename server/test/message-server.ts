import { OrderWhatsApp } from '@bancone/contract/whatsapp-orders'
import { whatsAppTerms } from '@bancone/contract/whatsapp-terms'
import { metaEvents, type SentMessage, webhookSignature } from '@bancone/sandbox/meta'
import type { FastifyBaseLogger } from 'fastify'
import { type MetaServer, metaApplication, metaServer } from './meta-server.ts'

type Headers = { authorization: string }

export type OrderText = { customer?: string; phone?: string; details?: string; number?: string }

/** A text of customers that must not leave the server. */
export const PRODUCT = 'Tachipirina 1000'

let made = 0

export type MessageServer = MetaServer & Awaited<ReturnType<typeof withMessages>>

/** The real application with a pharmacy that sends messages, and a clock that the test sets. */
export async function messageServer(log?: FastifyBaseLogger): Promise<MessageServer> {
  const time = { now: Date.now() }
  const server = await metaServer({ clock: { now: () => time.now } }, log)
  return { ...server, ...(await withMessages(server, time)) }
}

async function withMessages(server: MetaServer, time: { now: number }) {
  const pharmacy = await server.newPharmacy(['whatsapp_integration', 'offers', 'priority_access'])
  const { id, numbers } = server.meta.accounts.number
  const place = { accountId: id, numberId: numbers[0]?.id ?? '' }
  const { pool } = server.database

  let signedIn = { headers: pharmacy.headers, at: Number.NaN }
  /** Sessions are of the same clock. */
  async function owner(): Promise<Headers> {
    const isValid = Math.abs(time.now - signedIn.at) < 1_800_000
    if (!isValid) signedIn = { headers: await server.signIn(pharmacy.email), at: time.now }
    return signedIn.headers
  }

  async function api(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    headers?: Headers,
  ) {
    const caller = headers ?? (await owner())
    const reply = await server.app.inject({
      method,
      url,
      headers: caller,
      ...(payload && { payload }),
    })
    const body: unknown = reply.json()
    return { status: reply.statusCode, body }
  }

  async function outbox(): Promise<
    { id: string; kind: string; state: string; reason: string | null; due: number }[]
  > {
    const { rows } = await pool.query<{
      id: string
      kind: string
      state: string
      reason: string | null
      due_at: Date | string
    }>('select id, kind, state, reason, due_at from whatsapp_outbox order by created_at, id')
    return rows.map(({ due_at, ...row }) => ({ ...row, due: new Date(due_at).getTime() }))
  }

  return {
    pharmacyId: pharmacy.id,
    owner,
    place,
    time,
    api,
    outbox,
    /** Connects the number and switches the messages on, with the templates. */
    async switchOn(): Promise<void> {
      const { rows } = await pool.query(
        `select from whatsapp_message_settings join whatsapp_connections using (pharmacy_id)
         where is_on and terms_version = $1 and state = 'connected' and quality = 'GREEN'`,
        [whatsAppTerms.version],
      )
      if (rows.length > 0) return
      await server.connect(await owner())
      await api('POST', '/api/whatsapp/messages/acceptances', { version: whatsAppTerms.version })
      await server.runTask('whatsapp.templates', { pharmacyId: pharmacy.id })
    },
    /** Adds an order as a reading of the order store does. @returns its record id */
    async addOrder({
      customer = 'Anna Rossi',
      phone = '333 1234567',
      details = PRODUCT,
      number,
    }: OrderText = {}) {
      made += 1
      const recordId = `recMessage${made}`
      await pool.query(
        `insert into pharmacy_orders (pharmacy_id, airtable_order_id, order_number, customer_name, customer_phone,
           order_details, status, airtable_created, airtable_last, seen_at)
         values ($1, $2, $3, $4, $5, $6, 'In attesa', now(), now(), now())`,
        [pharmacy.id, recordId, number ?? String(1000 + made), customer, phone, details],
      )
      return recordId
    },
    async setStatus(recordId: string, status: string) {
      return api('PATCH', `/api/airtable-orders/${recordId}`, { fields: { Stato: status } })
    },
    setPickup: (recordId: string, to: string) =>
      api('POST', '/api/orders/pickup', { changes: [{ recordId, to }] }),
    async pickup(recordId: string) {
      const { rows } = await pool.query<{ pickup: string }>(
        `select order_pickup(ready_at, collected_at, put_back_at) as pickup from pharmacy_orders
         where airtable_order_id = $1`,
        [recordId],
      )
      return rows[0]?.pickup
    },
    consent: (recordId: string, isGiven = true) =>
      api('POST', `/api/whatsapp/orders/${recordId}/consents`, { isGiven, version: 1 }),
    notify: (recordId: string, body: object = {}) =>
      api('POST', `/api/whatsapp/orders/${recordId}/notices`, { kind: 'ready', ...body }),
    async details(recordId: string) {
      return OrderWhatsApp.parse((await api('GET', `/api/whatsapp/orders/${recordId}`)).body)
    },
    /** Runs the jobs of what is due now; the time moves on by so many seconds before. */
    async send(seconds = 31): Promise<SentMessage[]> {
      time.now += seconds * 1_000
      const before = server.meta.messages.length
      for (const { id: messageId, state } of await outbox())
        if (['queued', 'sending', 'unsure'].includes(state))
          await server.runTask('whatsapp.send', { pharmacyId: pharmacy.id, messageId })
      return server.meta.messages.slice(before)
    },
    /** Receives the event as from Meta and processes it. */
    async receive(event: object): Promise<void> {
      const payload = JSON.stringify(event)
      await server.app.inject({
        method: 'POST',
        url: '/webhooks/whatsapp',
        headers: {
          'content-type': 'application/json',
          'x-hub-signature-256': webhookSignature(metaApplication.appSecret, payload),
        },
        payload,
      })
      await server.runTask('whatsapp.inbox')
    },
    /** Has the customer write, now. @returns the id of the message */
    async write(
      text: string,
      sender: { phone?: string; userId?: string } = { phone: '393331234567' },
    ) {
      made += 1
      const told = { id: `wamid.in.${made}`, timestamp: Math.floor(time.now / 1_000) }
      const event = metaEvents.text(place, sender, told, text)
      await this.receive(event)
      return { ...told, event }
    },
    /** Has Meta report of a sent message. */
    report(message: SentMessage, status: 'sent' | 'delivered' | 'read' | 'failed', code?: number) {
      const told = { id: message.id, timestamp: Math.floor(time.now / 1_000) }
      return this.receive(metaEvents.status(place, status, told, code, message.reference))
    },
    /** Forgets customers and messages; the pharmacy stays as it is. */
    async clear(): Promise<void> {
      await pool.query(
        'truncate whatsapp_outbox, whatsapp_inbound, whatsapp_consents, whatsapp_contacts cascade',
      )
      await pool.query('truncate whatsapp_deliveries, whatsapp_inbox')
      await pool.query('delete from pharmacy_orders')
      await pool.query(
        'update whatsapp_message_settings set paused_until = null, policy_errors = 0',
      )
      server.meta.messages.length = 0
      server.meta.fail({ mode: 'ok' })
      Object.assign(server.meta.accounts.number.numbers[0] ?? {}, { quality_rating: 'GREEN' })
    },
  }
}
