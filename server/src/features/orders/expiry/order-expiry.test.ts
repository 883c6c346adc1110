import { OrderDetails } from '@bancone/contract/order-details'
import { OrdersPage } from '@bancone/contract/orders'
import { maskedName } from '@bancone/contract/support-session-responses'
import { beforeEach, describe, expect, it } from 'vitest'
import { detailsOf } from '../../../../test/details-server.ts'
import { DAYS, daysAgo, expiryServer, PERSONAL } from '../../../../test/expiry-server.ts'
import { tablesWith } from '../../../../test/tables-with.ts'
import { EXPIRY_OF_PHARMACY_TASK } from './order-expiry.store.ts'

/** Of priority access. */
const SESSIONS_TASK = 'priority.end_day'

/** Texts that lead to the customer. */
const TRACES = [
  'zanetti',
  'E••• Z•••',
  '7654321',
  'calle lunga',
  'ramipril',
  'amica',
  Buffer.from('Ramipril').toString('hex'),
]

const world = await expiryServer()
const { server, pharmacyId, headers, onAirtable, query, keepFor, save, saveOld, expire, names } =
  world

beforeEach(world.empty)

async function page(): Promise<OrdersPage> {
  const reply = await server.app.inject({ url: '/api/airtable-orders', headers })
  return OrdersPage.parse(reply.json())
}

async function note(recordId: string, text: string) {
  const reply = await server.app.inject({
    method: 'POST',
    url: `/api/orders/${recordId}/notes`,
    headers,
    payload: { text },
  })
  expect(reply.statusCode, reply.body).toBe(200)
}

/** A contact of WhatsApp with another number, who is linked with the order, and a message about it. */
async function converse(
  recordId: string,
  { lastInbound, sent, state = 'accepted' }: { lastInbound: string; sent: string; state?: string },
) {
  await query(
    `with contact as (
      insert into whatsapp_contacts (pharmacy_id, phone, name, last_inbound_at)
      values ($1, '+390410000000', 'Bruno', $3) returning id
    ), link as (
      insert into whatsapp_order_contacts (order_id, pharmacy_id, contact_id)
      select o.id, $1, contact.id from pharmacy_orders o, contact where airtable_order_id = $2
    )
    insert into whatsapp_outbox (
      pharmacy_id, order_id, contact_id, kind, state, text, due_at, expires_at, created_at
    )
    select $1, o.id, contact.id, 'reply', $5, 'Ramipril', $4, $4, $4
    from pharmacy_orders o, contact where airtable_order_id = $2`,
    pharmacyId,
    recordId,
    lastInbound,
    sent,
    state,
  )
}

/** A priority session of the customer with priority access, which ended then. */
async function prioritySession(recordId: string, endedAt: string) {
  await query(
    `insert into priority_access_sessions (
      pharmacy_id, airtable_order_id, order_number, user_name, user_phone, place, status, code, expires_at, ended_at
    ) values ($1, $2, '7', 'Ermenegilda Zanetti', '3337654321', 'con un''amica', 'served', '123', $3, $3)`,
    pharmacyId,
    recordId,
    endedAt,
  )
}

async function picture(recordId: string) {
  await query(
    `with kept as (
      update pharmacy_orders set image_kept = true, attachments =
        '[{"url":"u","ref":"r","name":"Zanetti","type":null,"bytes":null}]'
      where airtable_order_id = $2 returning id
    ), file as (
      insert into order_image_files (pharmacy_id, key) values ($1, 'orders/1')
    )
    insert into order_images (order_id, pharmacy_id, ref, state, key, content_type, bytes, width, height)
    select id, $1, 'attZanetti', 'stored', 'orders/1', 'image/png', 10, 1, 1 from kept
    on conflict (pharmacy_id, order_id) do update set
      ref = excluded.ref, state = excluded.state, key = excluded.key, content_type = excluded.content_type,
      bytes = excluded.bytes, width = 1, height = 1`,
    pharmacyId,
    recordId,
  )
}

async function migrationRun(recordId: string) {
  const customer = maskedName(PERSONAL.customerName)
  const example = { recordId, orderNumber: '7', customer, columns: [] }
  const examples = { new: [example], changed: [example], conflicts: [example] }
  await query(
    `insert into migration_runs (
      pharmacy_id, base_id, table_id, mode, state, ended_at, findings
    ) values ($1, 'app1', 'tbl1', 'full', 'completed', now(), $2)`,
    pharmacyId,
    { ...examples, result: { examples: { ...examples, onlyHere: [example] } } },
  )
}

describe('an order whose last change is long ago', () => {
  it('leads to its customer in no table, and counts as before', async () => {
    const recordId = await saveOld()
    await note(recordId, 'Zanetti passa alle 18')
    await query(`update order_notes set created_at = $1`, daysAgo(DAYS + 1))
    await picture(recordId)
    await converse(recordId, { lastInbound: daysAgo(DAYS + 1), sent: daysAgo(DAYS + 1) })
    await prioritySession(recordId, daysAgo(31))
    await migrationRun(recordId)
    await query(`update pharmacy_orders set lines_there = '{0}', expected_on = '2026-11-30'`)
    expect(await tablesWith(server.database.pool, TRACES)).toEqual([
      'migration_runs',
      'order_images',
      'order_notes',
      'order_search',
      'pharmacy_orders',
      'priority_access_sessions',
      'whatsapp_outbox',
    ])
    const { records, ...before } = await page()
    expect(records).toHaveLength(1)

    await server.runTask(SESSIONS_TASK)
    await expire()
    expect(await tablesWith(server.database.pool, TRACES)).toEqual([])
    const { rows: runs } = await query('select findings from migration_runs')
    expect(runs).toMatchObject([{ findings: { result: { examples: { onlyHere: [] } } } }])
    const { rows } = await query('select from whatsapp_order_contacts')
    expect(rows).toEqual([])
    const lines = await query('select lines_there, expected_on from pharmacy_orders')
    expect(lines.rows).toEqual([{ lines_there: null, expected_on: null }])
    const after = await page()
    expect(after).toMatchObject({ statistics: before.statistics, counts: before.counts })
    expect(after.records).toMatchObject([{ id: recordId, fields: { Stato: 'Confermato' } }])
    expect(Object.keys(after.records[0]?.fields ?? {}).sort()).toEqual([
      'Created',
      'ID Ordine',
      'Last',
      'Stato',
    ])
  })

  it('is named in these tables, of which each was looked at for data of the customer', async () => {
    const { rows } = await query<{ name: string }>(
      `select distinct table_name as name from information_schema.columns
        where table_schema = 'public' and column_name in ('order_id', 'record_id', 'airtable_order_id')
        order by 1`,
    )
    // A table that is added has no customer's data, deletes them earlier, or belongs into the test above.
    expect(rows.map(({ name }) => name)).toEqual([
      'migration_items',
      'migration_records',
      'offer_order_codes',
      'order_aliases',
      'order_attachments',
      'order_changes',
      'order_confirmations',
      'order_creations',
      'order_events',
      'order_holds',
      'order_images',
      'order_notes',
      'order_notices',
      'order_pickup_changes',
      'order_requests',
      'order_search',
      'order_set_aside',
      'pharmacy_orders',
      'priority_access_sessions',
      'whatsapp_order_contacts',
      'whatsapp_outbox',
    ])
  })

  it('says in its history why it has no customer, and the audit log how many there were', async () => {
    const recordId = await saveOld()
    await expire()
    const { history } = OrderDetails.parse(await detailsOf(server, recordId, headers))
    expect(history.map(({ kind, source, columns }) => [kind, source, columns])).toEqual([
      ['content', 'system', ['Cliente', 'Phone Number', 'Indirizzo', 'Ordine', 'Image']],
      ['received', 'system', []],
    ])
    await expire()
    const { rows } = await query(
      `select pharmacy_id, details from audit_events where action = 'orders_expired'
        order by id desc limit 1`,
    )
    expect(rows).toEqual([{ pharmacy_id: pharmacyId, details: { orders: 1 } }])
  })

  it('is cancelled if it waits, 180 days later than others', async () => {
    await save(pharmacyId, { updatedAt: daysAgo(DAYS + 179) })
    await save(pharmacyId, { updatedAt: daysAgo(DAYS + 181) })
    await expire()
    const { rows } = await query(
      'select customer_name, status, changed_from from pharmacy_orders order by id',
    )
    expect(rows).toMatchObject([
      { customer_name: PERSONAL.customerName, status: 'In attesa' },
      { customer_name: null, status: 'Annullato', changed_from: 'system' },
    ])
  })

  it('is one of many that were created in the same moment, between others that stay', async () => {
    const noted = await saveOld()
    await note(noted, 'Richiama')
    // Of which JavaScript keeps no account.
    await query(
      `update pharmacy_orders set airtable_created = airtable_created + interval '7 microseconds'`,
    )
    await query(
      `insert into pharmacy_orders (pharmacy_id, airtable_order_id, customer_name, status,
        airtable_created, airtable_last)
      select pharmacy_id, 'recTante' || lpad(n::text, 9, '0'), 'Zanetti', status, airtable_created,
        case when n % 2 = 0 then airtable_last else now() end
      from pharmacy_orders, generate_series(1, 2_400) n`,
    )
    await expire()
    const { rows } = await query(
      `select count(*) filter (where customer_name is null)::int as expired, count(*)::int as orders
      from pharmacy_orders`,
    )
    expect(rows).toEqual([{ expired: 1_200, orders: 2_401 }])
  })

  it('is announced before the time is set', async () => {
    await server.addPharmacy({ email: 'other@example.it', code: 'PHARM-0003' })
    await server.database.pool.query(
      `insert into admin_users (user_id) select id from auth_users where email = 'other@example.it'`,
    )
    const administrator = await server.signIn('other@example.it')
    await keepFor(null)
    await saveOld()
    await save(onAirtable, { status: 'Confermato', updatedAt: daysAgo(DAYS + 1) })
    const preview = async (days: string) => {
      const url = `/api/admin/order-retention/preview?orderDays=${days}`
      const reply = await server.app.inject({ url, headers: administrator })
      return [reply.statusCode, reply.statusCode === 200 ? reply.json<object>() : {}]
    }
    expect(await preview('90')).toEqual([200, { orders: 1 }])
    expect(await preview('92')).toEqual([200, { orders: 0 }])
    expect((await preview('29'))[0]).toBe(400)
    // That of the platform does not concern a pharmacy with its own.
    await world.choose(60, null, null)
    expect(await preview('90')).toEqual([200, { orders: 0 }])
  })
})

describe('a customer stays in an order', () => {
  it.each([
    [
      'that was changed since',
      () => save(pharmacyId, { status: 'Confermato', updatedAt: daysAgo(DAYS - 1) }),
    ],
    [
      'that Airtable has',
      () => save(onAirtable, { status: 'Confermato', updatedAt: daysAgo(DAYS + 1) }),
    ],
    ['on which there is a later note', async () => note(await saveOld(), 'Richiama')],
    [
      'about which there is a later message',
      async () =>
        converse(await saveOld(), { lastInbound: daysAgo(DAYS + 1), sent: daysAgo(DAYS - 1) }),
    ],
    [
      'whose customer has written since',
      async () =>
        converse(await saveOld(), { lastInbound: daysAgo(DAYS - 1), sent: daysAgo(DAYS + 1) }),
    ],
    [
      'about which a message waits',
      async () =>
        converse(await saveOld(), {
          lastInbound: daysAgo(DAYS + 1),
          sent: daysAgo(DAYS + 1),
          state: 'queued',
        }),
    ],
    [
      'from whose telephone number somebody has written since',
      async () => {
        await saveOld()
        await query(
          `insert into whatsapp_contacts (pharmacy_id, phone, last_inbound_at)
            values ($1, '+393337654321', $2)`,
          pharmacyId,
          daysAgo(DAYS - 1),
        )
      },
    ],
    [
      'from one of whose telephone numbers somebody has written since',
      async () => {
        await save(pharmacyId, {
          status: 'Confermato',
          updatedAt: daysAgo(DAYS + 1),
          customerPhone: '041 5551234 / 333 765 4321',
        })
        await query(
          `insert into whatsapp_contacts (pharmacy_id, phone, last_inbound_at)
            values ($1, '+393337654321', $2)`,
          pharmacyId,
          daysAgo(DAYS - 1),
        )
      },
    ],
    ['whose customer was here since', async () => prioritySession(await saveOld(), daysAgo(29))],
    ['that is held', async () => world.hold(await saveOld(), 'Reclamo')],
    [
      'of a pharmacy that has chosen a longer time',
      async () => {
        await saveOld()
        await world.choose(DAYS + 2)
      },
    ],
  ])('%s', async (_name, add) => {
    await add()
    await server.runTask(SESSIONS_TASK)
    await expire()
    expect(await names()).toEqual([PERSONAL.customerName])
  })

  it('as long as the order where no time is set', async () => {
    await keepFor(null)
    await save(pharmacyId, { status: 'Confermato', updatedAt: daysAgo(3_000) })
    await expire()
    expect(await names()).toEqual([PERSONAL.customerName])
  })

  it('of a pharmacy that is on Airtable, or has lost the id of its base for a moment', async () => {
    await save(onAirtable, { status: 'Confermato', updatedAt: daysAgo(DAYS + 1) })
    await server.runTask(EXPIRY_OF_PHARMACY_TASK, { pharmacyId: onAirtable })
    const inBase = (baseId: string) =>
      query('update pharmacies set airtable_base_id = $2 where id = $1', onAirtable, baseId)
    await inBase('')
    await query(
      `insert into order_copies (pharmacy_id, base_id, table_id, read_at)
        values ($1, 'app1', 'tbl1', now() - interval '29 days')
        on conflict (pharmacy_id) do update set read_at = excluded.read_at`,
      onAirtable,
    )
    await expire()
    expect(await names()).toEqual([PERSONAL.customerName])
    await query(`update order_copies set read_at = now() - interval '31 days'`)
    await expire()
    expect(await names()).toEqual([null])
    await inBase('appAltra000000001')
  })

  it('of a pharmacy whose orders are in Airtable again, where they come back', async () => {
    const moveTo = (phase: string) =>
      query('update pharmacies set orders_phase = $2 where id = $1', onAirtable, phase)
    await moveTo('retired')
    const order = {
      status: 'Confermato',
      updatedAt: daysAgo(DAYS + 1),
      recordId: 'recBack0000000001',
    }
    await save(onAirtable, order)
    const here = [
      await save(onAirtable, { status: 'Confermato', updatedAt: daysAgo(DAYS + 1) }),
      await save(onAirtable, { status: 'Confermato', updatedAt: daysAgo(0) }),
    ]
    await query(
      `insert into order_creations (pharmacy_id, order_id, kept_here)
        select pharmacy_id, id, true from pharmacy_orders where airtable_order_id = any($1)`,
      here,
    )
    await expire()
    expect(await names()).toEqual([null, null, PERSONAL.customerName])
    await moveTo('airtable')
    await save(onAirtable, order)
    await expire()
    expect(await names()).toEqual([PERSONAL.customerName, null, PERSONAL.customerName])
    const { rows } = await query('select kept_here from order_creations order by order_id')
    expect(rows).toEqual([{ kept_here: true }, { kept_here: false }])
  })
})

it('what is added to an order without a customer expires, too', async () => {
  const [noted, waiting] = [await saveOld(), await saveOld()]
  await expire()
  await note(noted, 'Zanetti ha richiamato')
  await query('update order_notes set created_at = $1', daysAgo(DAYS + 1))
  await query(
    `update pharmacy_orders set status = 'In attesa', airtable_last = $1 where airtable_order_id = $2`,
    daysAgo(DAYS + 181),
    waiting,
  )
  await expire()
  expect(await tablesWith(server.database.pool, TRACES)).toEqual([])
  const { rows } = await query('select status from pharmacy_orders order by id')
  expect(rows).toEqual([{ status: 'Confermato' }, { status: 'Annullato' }])
})

it('finds orders that become older, that are closed later, and with a shorter time', async () => {
  await save(pharmacyId, { status: 'Confermato', updatedAt: daysAgo(DAYS - 1) })
  const waiting = await save(pharmacyId, { updatedAt: daysAgo(DAYS + 1) })
  await expire()
  expect(await names()).toEqual([PERSONAL.customerName, PERSONAL.customerName])
  await query(
    `update pharmacy_orders set status = 'Annullato', airtable_last = now() - interval '31 days'
      where airtable_order_id = $1`,
    waiting,
  )
  await keepFor(30)
  await expire()
  expect(await names()).toEqual([null, null])
})
