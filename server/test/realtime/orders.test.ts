import { describe, expect, it } from 'vitest'
import { connectDatabase } from '../../src/database/database.ts'
import { breakableConnection } from '../breakable-connection.ts'
import { clientOf, type Joined, join, until } from './clients.ts'
import {
  anotherServer,
  insertOrder,
  type Listening,
  newPharmacy,
  type Pharmacy,
  realtimeServer,
} from './servers.ts'

let pharmacy: Pharmacy
const server = await realtimeServer()

const screen = async (at: Listening = server) =>
  join(await clientOf(at, { token: pharmacy.token }), pharmacy.topic)

const orders = ({ broadcasts }: Joined) =>
  broadcasts.filter(({ event }) => event === 'orders').map(({ payload }) => payload)

describe('orders', () => {
  it('that come, change and go are told to every screen of every process', async () => {
    pharmacy = await newPharmacy(server)
    const other = await anotherServer(server.database)
    const screens = await Promise.all([screen(), screen(other)])
    const { pool } = server.database
    for (const change of [
      () => insertOrder(server, pharmacy.id),
      () =>
        pool.query("update pharmacy_orders set status = 'Confermato' where pharmacy_id = $1", [
          pharmacy.id,
        ]),
      () => pool.query('delete from pharmacy_orders where pharmacy_id = $1', [pharmacy.id]),
    ]) {
      const before = screens.map((one) => orders(one).length)
      await change()
      const hasEvent = (one: Joined, n: number) => orders(one).length > (before[n] ?? 0)
      await until(() => screens.every(hasEvent), 'it on every screen')
    }
  })

  it('are announced to their own pharmacy alone', async () => {
    pharmacy = await newPharmacy(server)
    const other = await newPharmacy(server)
    const one = await screen()
    await insertOrder(server, other.id)
    await insertOrder(server, pharmacy.id)
    await until(() => one.broadcasts.length > 0, 'their own')
    expect(one.broadcasts).toEqual([{ event: 'orders', payload: {} }])
  })

  it('are told again after the server was restarted', async () => {
    pharmacy = await newPharmacy(server)
    const first = await anotherServer(server.database)
    const one = await screen(first)
    await first.stop()
    await until(() => one.states.length > 1, 'the end of the connection')
    await anotherServer(server.database, { port: first.port })
    const isBack = () => one.states.filter((state) => state === 'SUBSCRIBED').length === 2
    await until(isBack, 'the channel is joined again')
    expect(one.states).not.toContain('CLOSED')
    await insertOrder(server, pharmacy.id)
    await until(() => orders(one).length > 0, 'the order')
    expect(orders(one)).toEqual([{}])
  })

  it('that may have been missed are told of when the line to the database is back', async () => {
    pharmacy = await newPharmacy(server)
    const line = await breakableConnection(server.database.url)
    const connection = connectDatabase(line.url)
    const far = await anotherServer({ ...connection, url: line.url })
    const one = await screen(far)
    line.down(true)
    await insertOrder(server, pharmacy.id)
    line.down(false)
    await until(
      () => one.broadcasts.some(({ event }) => event === 'missed'),
      'that some were missed',
    )
    await insertOrder(server, pharmacy.id)
    await until(() => orders(one).length > 0, 'the next')
    expect(one.states).toEqual(['SUBSCRIBED'])
    await far.stop()
    await connection.close()
  })
})

describe('a change of the pharmacy', () => {
  it('is told to its screens', async () => {
    pharmacy = await newPharmacy(server)
    const one = await screen()
    await server.database.pool.query("update pharmacies set name = 'Altro nome' where id = $1", [
      pharmacy.id,
    ])
    // The public page contains the pharmacy's name too.
    await until(() => one.broadcasts.length === 2, 'both')
    expect(one.broadcasts.toSorted((a, b) => a.event.localeCompare(b.event))).toEqual([
      { event: 'offers', payload: {} },
      { event: 'pharmacy', payload: {} },
    ])
  })
})

describe('a change of what a pharmacy offers', () => {
  it('is told to its screens, and that of a category to those of all', async () => {
    pharmacy = await newPharmacy(server)
    const other = await newPharmacy(server)
    const at = async ({ token, topic }: Pharmacy) => join(await clientOf(server, { token }), topic)
    const [one, another] = [await at(pharmacy), await at(other)]
    const { pool } = server.database
    await pool.query(
      `insert into product_offers (pharmacy_id, pharmacy_code, product_name, category, list_price, offer_price,
        start_date, image_url)
      select id, pharmacy_id, 'Crema', 'Cosmetici', 200, 100, '2026-01-01', '/p.svg'
      from pharmacies where id = $1`,
      [pharmacy.id],
    )
    await until(() => one.broadcasts.length === 1, 'the offer')
    await pool.query("insert into product_categories (name) values ('Ottica')")
    await until(() => one.broadcasts.length === 2, 'the category')
    const offers = { event: 'offers', payload: {} }
    expect([one.broadcasts, another.broadcasts]).toEqual([[offers, offers], [offers]])
  })
})

describe('what customers write over WhatsApp', () => {
  it('is told to the screens of their pharmacy, without what it is, and that it was read', async () => {
    pharmacy = await newPharmacy(server)
    const one = await screen()
    const { pool } = server.database
    const values = [pharmacy.id]
    await pool.query(
      "insert into whatsapp_contacts (pharmacy_id, phone) values ($1, '+393331234567')",
      values,
    )
    await pool.query(
      `insert into whatsapp_inbound (pharmacy_id, contact_id, message_id, type, at)
       select pharmacy_id, id, 'wamid.1', 'text', now() from whatsapp_contacts where pharmacy_id = $1`,
      values,
    )
    const written = { event: 'whatsapp', payload: {} }
    await until(() => one.broadcasts.length === 1, 'the message')
    await pool.query('update whatsapp_contacts set read_at = now() where pharmacy_id = $1', values)
    await until(() => one.broadcasts.length === 2, 'that it was read')
    expect(one.broadcasts).toEqual([written, written])
  })
})

describe('customers with priority access', () => {
  it('who arrive, are called or leave are told to the screens of their pharmacy, without who they are', async () => {
    pharmacy = await newPharmacy(server)
    const one = await screen()
    pharmacy = await newPharmacy(server)
    const other = await screen()
    const { pool } = server.database
    const values = [pharmacy.id]
    await pool.query(
      `insert into priority_access_sessions (pharmacy_id, airtable_order_id, user_name, status, expires_at, arrived_at)
       values ($1, 'recARRIVED', 'Anna Neri', 'user_arrived', now(), now())`,
      values,
    )
    const change = (set: string) =>
      pool.query(`update priority_access_sessions set ${set} where pharmacy_id = $1`, values)
    await change("status = 'called', called_at = now()")
    await change("status = 'served', ended_at = now()")
    await until(() => other.broadcasts.length >= 3, 'all three')
    // What is forgotten of a session that has ended is no news.
    await change('user_name = null')
    await insertOrder(server, pharmacy.id)
    await until(() => orders(other).length > 0, 'the order')
    const priority = { event: 'priority', payload: {} }
    expect(other.broadcasts.slice(0, -1)).toEqual([priority, priority, priority])
    expect(one.broadcasts).toEqual([])
  })
})
