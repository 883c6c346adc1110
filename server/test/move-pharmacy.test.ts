import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { tablesOfPharmacy } from '../src/features/pharmacies/life/carried-tables.store.ts'
import { createSealing } from '../src/features/whatsapp/sealed.ts'
import { createSecrets } from '../src/platform/secrets.ts'
import { moveBetween } from '../src/wiring-transfer.ts'
import { testDatabase } from './database.ts'
import type { FilledPharmacy } from './life-server.ts'
import { testSecret } from './server.ts'
import { ask, filesOf, type TransferWorld, transferred, transferWorld } from './transfer-world.ts'

vi.setConfig({ testTimeout: 60_000 })

const otherSecret = 'another secret, that of the server to which it moves'

let world: TransferWorld
let pool: pg.Pool

beforeAll(async () => {
  world = await transferWorld()
  pool = world.server.database.pool
}, 120_000)

/** Another server, which has orders of its own. */
async function otherServer() {
  const database = await testDatabase()
  await ask(
    database.url,
    `insert into auth_users (id, email) values ('00000000-0000-4000-8000-00000000000a', 'there@example.it');
     insert into pharmacies (id, pharmacy_id, name, email)
       values ('00000000-0000-4000-8000-00000000000a', 'THERE', 'There', 'there@example.it');
     insert into pharmacy_orders (pharmacy_id, airtable_order_id, status, airtable_created, airtable_last)
       values ('00000000-0000-4000-8000-00000000000a', 'recThere', 'In attesa', now(), now())`,
  )
  const server = transferred(database.url, world.newFolder(), otherSecret)
  return { database, server: { ...server, publicUrl: 'https://second.example.it' } }
}

type OtherServer = Awaited<ReturnType<typeof otherServer>>['server']

/** The rows of a pharmacy by table, without the numbers that are others in another database. */
async function rowsOf(url: string, id: string): Promise<Record<string, unknown[]>> {
  const changing = ['auth_factors', 'whatsapp_connections', 'whatsapp_outbox', 'whatsapp_inbound']
  const rows: Record<string, unknown[]> = {}
  for (const { name, where } of tablesOfPharmacy(world.server.database.db, id)) {
    if (changing.includes(name)) continue
    const others: Record<string, string> = {
      pharmacies: "'is_active', 'updated_at'",
      used_pharmacy_codes: "'moved_to'",
      pharmacy_order_counts: "'closed_until', 'last_order_seq'",
    }
    const own = others[name] ?? "'order_id', 'order_seq'"
    const found = await ask<{ row: string }>(
      url,
      `select (to_jsonb(each) - array(select attname::text from pg_attribute
           where attrelid = '${name}'::regclass and attidentity <> '') - array[${own}])::text as row
       from ${name} each where ${where} order by 1`,
    )
    rows[name] = found.map(({ row }) => row)
  }
  return rows
}

const closing =
  'update pharmacy_order_counts set closed_until = now() + $2::interval where pharmacy_id = $1'

/** So many orders are added: a pharmacy may add no more in a minute. */
const ADDED = 20

/** Adds orders and changes them, until the server refuses the pharmacy. @returns the last acknowledged status of each */
async function work({ ask: call, change }: FilledPharmacy, isOver: () => boolean) {
  const statuses = new Map<string, string>()
  for (let n = 0; !isOver(); n += 1) {
    if (n < ADDED) {
      const fields = { Cliente: `Cliente ${n}`, Ordine: 'Crema', 'Phone Number': '333 7654321' }
      const added = await call('POST', '/api/orders', { fields })
      if (added.statusCode === 201) statuses.set(added.json<{ id: string }>().id, 'In attesa')
    }
    const [id = ''] = [...statuses.keys()].slice(n % statuses.size)
    const status = n % 3 === 0 ? 'Annullato' : 'Confermato'
    const changed = await change(id, status)
    if (changed.statusCode === 200) statuses.set(id, status)
    else if (changed.statusCode === 403) return { statuses, refused: changed.body }
  }
  return { statuses, refused: undefined }
}

describe('a pharmacy that moves while it works', () => {
  it('has every acknowledged change there, once, and is refused here', async () => {
    const pharmacy = await world.server.filled()
    const { database, server: to } = await otherServer()
    const { seal, keyId } = createSealing(createSecrets(testSecret))
    await pool.query(
      `update whatsapp_connections set token = $2, pin = null, key_id = $3, phone_number_id = '39333' where pharmacy_id = $1`,
      [pharmacy.id, seal(pharmacy.id, 'token', 'the token at Meta'), keyId],
    )
    // Another pharmacy there is at work: nothing waits for it.
    const busy = new pg.Client(database.url)
    await busy.connect()
    onTestFinished(() => busy.end())
    await busy.query("begin; update pharmacy_orders set status = 'Annullato'")

    let isOver = false
    const working = work(pharmacy, () => isOver)
    const moved = await moveBetween(world.source, to, pharmacy.code).finally(() => {
      isOver = true
    })
    const { statuses, refused } = await working
    await busy.query('commit')

    expect(refused).toContain('pharmacy.inactive')
    expect(statuses.size).toBeGreaterThan(2)
    const orders = await ask<{ id: string; status: string }>(
      to.url,
      'select airtable_order_id as id, status from pharmacy_orders where pharmacy_id = $1',
      [pharmacy.id],
    )
    const acknowledged = Object.fromEntries(statuses)
    const arrived = Object.fromEntries(orders.map(({ id, status }) => [id, status]))
    expect(arrived).toMatchObject(acknowledged)
    expect(orders.length).toBe(Object.keys(arrived).length)
    expect(await rowsOf(to.url, pharmacy.id)).toEqual(
      await rowsOf(world.server.database.url, pharmacy.id),
    )
    expect(moved.pausedMs).toBeGreaterThan(0)
    const state = 'select is_active from pharmacies where id = $1'
    expect(await ask(to.url, state, [pharmacy.id])).toEqual([{ is_active: true }])
    expect(await ask(world.source.url, state, [pharmacy.id])).toEqual([{ is_active: false }])
    // Numbers of orders are others, and everything still refers to them.
    const [found] = await ask(
      to.url,
      `select count(*)::int as orders, count(s.order_id)::int as sought,
         (select total from pharmacy_order_counts where pharmacy_id = $1) as counted
       from pharmacy_orders o left join order_search s on s.pharmacy_id = o.pharmacy_id and s.order_id = o.id
       where o.pharmacy_id = $1`,
      [pharmacy.id],
    )
    expect(found).toEqual({ orders: orders.length, sought: orders.length, counted: orders.length })
    const [connection] = await ask<{ token: Buffer; key_id: string }>(
      to.url,
      'select token, key_id from whatsapp_connections',
    )
    const { open } = createSealing(createSecrets(otherSecret))
    expect(connection && open(pharmacy.id, 'token', connection.token, connection.key_id)).toBe(
      'the token at Meta',
    )
    await expect(moveBetween(world.source, to, pharmacy.code)).rejects.toThrow('is there already')

    // What is addressed to it here leads there, and it is not activated here any more.
    const address = 'https://second.example.it'
    const code = 'select moved_to from used_pharmacy_codes where code = $1'
    expect(await ask(world.source.url, code, [pharmacy.code])).toEqual([{ moved_to: address }])
    const views = async () => (await pharmacy.ask('GET', '/api/orders/views')).json<object>()
    const details = { movedTo: address }
    await expect.poll(views).toMatchObject({ code: 'pharmacy.inactive', details })
    const activated = await world.server.ask('PATCH', `/api/admin/pharmacies/${pharmacy.id}`, {
      is_active: true,
    })
    expect(activated.json()).toMatchObject({ code: 'pharmacies.moved' })
  })

  it('moves once when two commands go on after one that was killed, and says what stayed behind', async () => {
    const pharmacy = await world.server.filled()
    const { server: to } = await otherServer()
    await pool.query('update pharmacies set is_active = false where id = $1', [pharmacy.id])
    await pool.query(closing, [pharmacy.id, '15 minutes'])
    const add = "insert into order_notes (pharmacy_id, record_id, text) values ($1, $2, 'tardi')"
    const first = moveBetween(world.source, to, pharmacy.code)
    const second = moveBetween(world.source, to, pharmacy.code)
    // As a server that has accepted it long before.
    const late = vi.waitFor(async () => {
      const { rowCount } = await pool.query(
        'select from used_pharmacy_codes where code = $1 and moved_to is not null',
        [pharmacy.code],
      )
      expect(rowCount).toBe(1)
      await pool.query(add, [pharmacy.id, pharmacy.recordId])
    }, 10_000)
    const results = await Promise.allSettled([first, second])
    await late
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    )
    const moved = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(refused).toEqual([expect.stringMatching(/on its way|is there already/)])
    expect(moved).toMatchObject([{ late: ['order_notes'] }])
    const state = `select is_active,
      (select count(*)::int from pharmacy_orders where pharmacy_id = $1) as orders from pharmacies where id = $1`
    expect(await ask(to.url, state, [pharmacy.id])).toEqual([{ is_active: true, orders: 1 }])
  })

  const failures: [string, string, string][] = [
    [
      'when the move fails at the end',
      `create function fail() returns trigger language plpgsql as $$ begin raise 'at the end'; end $$;
       create trigger fails before insert on audit_events for each row execute function fail()`,
      'at the end',
    ],
    [
      'when the other database refuses a row',
      "alter table order_events add constraint refused check (record_id <> 'rec9')",
      'refused',
    ],
    [
      'when the connection to the other database breaks',
      `create function fail() returns trigger language plpgsql as $$
       begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
       create trigger fails before insert on audit_events for each row execute function fail()`,
      'terminat',
    ],
  ]
  it.each(failures)(
    'works on where it was %s, and leaves nothing there',
    async (_why, prepare, message) => {
      const pharmacy = await world.server.filled()
      const { server: to } = await otherServer()
      await ask(to.url, prepare)
      // So many that PostgreSQL goes on sending them.
      if (message === 'refused')
        await pool.query(
          `insert into order_events (pharmacy_id, record_id, kind, source)
           select $1, 'rec' || n, 'gone', 'system' from generate_series(1, 100000) n`,
          [pharmacy.id],
        )
      await expect(moveBetween(world.source, to, pharmacy.code)).rejects.toThrow(message)
      const left = Object.entries(await rowsOf(to.url, pharmacy.id))
      expect(left.filter(([, rows]) => rows.length > 0)).toEqual([])
      expect(await filesOf(to.dataDir)).toEqual([])
      await vi.waitFor(async () => {
        const fields = { Cliente: 'Anna', Ordine: 'Crema', 'Phone Number': '333 1234567' }
        const added = await pharmacy.ask('POST', '/api/orders', { fields })
        expect(added.statusCode, added.body).toBe(201)
      })
    },
  )

  it('stays there with its files when an error follows the last transaction', async () => {
    const pharmacy = await world.server.filled()
    const { server: to } = await otherServer()
    await pool.query(`
      create function fail() returns trigger language plpgsql as $$ begin raise 'afterwards'; end $$;
      create trigger fails before insert on audit_events for each row
        when (new.action = 'pharmacy_moved_out') execute function fail()`)
    onTestFinished(async () => {
      await pool.query('drop function fail cascade')
    })
    const moving = moveBetween(world.source, to, pharmacy.code)
    await expect(moving).rejects.toThrow(/has moved, and is inactive here.*afterwards/)
    expect(await rowsOf(to.url, pharmacy.id)).toEqual(await rowsOf(world.source.url, pharmacy.id))
    expect((await filesOf(to.dataDir)).length).toBeGreaterThan(2)
    const state = 'select is_active from pharmacies where id = $1'
    expect(await ask(to.url, state, [pharmacy.id])).toEqual([{ is_active: true }])
    expect(await ask(world.source.url, state, [pharmacy.id])).toEqual([{ is_active: false }])
  })

  it('stays inactive when it was', async () => {
    const pharmacy = await world.server.filled()
    const { server: to } = await otherServer()
    await pool.query('update pharmacies set is_active = false where id = $1', [pharmacy.id])
    expect(await moveBetween(world.source, to, pharmacy.id)).toMatchObject({ pausedMs: null })
    expect(
      await ask(to.url, 'select is_active from pharmacies where id = $1', [pharmacy.id]),
    ).toEqual([{ is_active: false }])
  })
})

it('changes no order once its orders are closed, whatever a server believes', async () => {
  const pharmacy = await world.server.filled()
  const fields = { Cliente: 'Anna', Ordine: 'Crema', 'Phone Number': '333 1234567' }
  const replies = async () => [
    (await pharmacy.change(pharmacy.recordId, 'Annullato')).statusCode,
    (await pharmacy.ask('POST', '/api/orders', { fields })).statusCode,
  ]
  await pool.query(closing, [pharmacy.id, '1 minute'])
  expect(await replies()).toEqual([503, 503])
  // An administrator who activates it opens them too.
  for (const is_active of [false, true])
    await world.server.ask('PATCH', `/api/admin/pharmacies/${pharmacy.id}`, { is_active })
  await expect.poll(replies).toEqual([200, 201])
})

describe('a pharmacy does not move', () => {
  const refusals: [string, (to: OtherServer) => Promise<OtherServer>, string][] = [
    [
      'to a server of another version',
      async (to) => {
        await ask(to.url, "insert into schema_migrations (name) values ('9999_newer.sql')")
        return to
      },
      'bring both servers to the same version',
    ],
    [
      'where rows cannot be copied without triggers',
      async (to) => {
        const owner = new URL(to.url)
        await ask(
          to.url,
          `create role mover_${owner.pathname.slice(1)} login password 'mover' in role pg_read_all_data`,
        )
        owner.username = `mover_${owner.pathname.slice(1)}`
        owner.password = 'mover'
        return { ...to, url: owner.href }
      },
      'grant set on parameter session_replication_role',
    ],
  ]
  it.each(refusals)('%s', async (_where, prepare, message) => {
    const [pharmacy] = world.pharmacies
    const { server } = await otherServer()
    const to = await prepare(server)
    await expect(moveBetween(world.source, to, pharmacy.code)).rejects.toThrow(message)
    onTestFinished(async () => {
      const role = new URL(to.url).username
      if (role.startsWith('mover_')) await ask(server.url, `drop role ${role}`)
    })
    const state = 'select is_active from pharmacies where id = $1'
    expect(await ask(world.source.url, state, [pharmacy.id])).toEqual([{ is_active: true }])
  })
})
