import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { type TestServer, testServer } from '../../../test/server.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { createFolding } from './folding.ts'
import { createPageViewsStore, type PageEvent, type PageViewsStore } from './page-views.store.ts'

let server: TestServer
let store: PageViewsStore
let own: string
let other: string

beforeAll(async () => {
  server = await testServer()
  store = createPageViewsStore(server.database.db)
  const features = ['offers', 'analytics']
  own = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001', features })
  other = await server.addPharmacy({ email: 'other@example.it', code: 'PHARM-0002', features })
})

beforeEach(async () => {
  await rows('delete from pharmacy_orders')
  await rows('delete from priority_access_sessions')
  await rows(
    `truncate offer_page_views, offer_events, visitors, page_event_queue, offer_order_codes, analytics_hours,
       analytics_shares, analytics_offer_days, analytics_changes, pharmacy_analytics_cache`,
  )
})

const Row = z.record(z.string(), z.unknown())

async function rows(text: string, values: unknown[] = []) {
  const { rows: found } = await server.database.pool.query(text, values)
  return z.array(Row).parse(found)
}

async function number(text: string): Promise<number> {
  const [row = {}] = await rows(text)
  return Number(Object.values(row)[0])
}

const foldAll = () => createFolding({ store, log: { warn() {} } }).fold()

function view(at: string | number, visitor: string): PageEvent {
  return {
    pharmacy_id: own,
    happened_at: new Date(at).toISOString(),
    kind: 'view',
    visitor,
    visitor_before: null,
    session_id: visitor,
    user_agent: 'Chrome · Android',
    referrer: null,
    source: 'direct',
    device: 'phone',
  }
}

describe('what is recorded', () => {
  it.each([
    ['2026-03-29', '2026-03-28T23:00:00Z', 23],
    ['2026-10-25', '2026-10-24T22:00:00Z', 25],
  ])('on %s is in that day, and each in an hour of its own', async (day, midnight, hours) => {
    const start = Date.parse(midnight)
    const times = Array.from({ length: hours * 6 }, (_, n) => start + n * 600_000)
    const outside = [start - 1, start + hours * 3_600_000]
    await store.record([...times, ...outside].map((at) => view(at, `visitor ${at}`)))
    await foldAll()
    expect(
      await rows(
        `select date, page_views, unique_visitors, visits from pharmacy_analytics_cache
       where date = $1`,
        [day],
      ),
    ).toEqual([
      { date: day, page_views: times.length, unique_visitors: times.length, visits: times.length },
    ])
    const found = await rows(
      `select hour, page_views from analytics_hours
       where hour >= rome_midnight($1) and hour < rome_midnight($1::date + 1)`,
      [day],
    )
    expect(found.map(({ page_views }) => page_views)).toEqual(Array<number>(hours).fill(6))
    expect(await number('select sum(page_views) from analytics_hours')).toBe(times.length + 2)
  })

  it('is counted by its kind, and what was left out by its reason', async () => {
    const [{ id } = { id: '' }] = await rows(
      `insert into product_offers
         (pharmacy_id, pharmacy_code, product_name, category, list_price, offer_price, start_date, image_url)
       values ($1, 'PHARM-0001', 'Crema', 'Cosmetici', 990, 790, '2026-07-01', '/x') returning id`,
      [own],
    )
    const at = { pharmacy_id: own, happened_at: '2026-07-28T10:00:00Z' }
    const event = (kind: 'offer_seen' | 'offer_opened' | 'whatsapp_tapped' | 'call_tapped') => ({
      ...at,
      kind,
      visitor: 'v',
      visitor_before: null,
      session_id: 's',
      offer_ids: [String(id)],
      code: null,
    })
    await store.record([
      view(at.happened_at, 'v'),
      event('offer_seen'),
      event('offer_opened'),
      event('offer_opened'),
      event('whatsapp_tapped'),
      event('call_tapped'),
      { ...at, kind: 'excluded', reason: 'bot', amount: 7 },
      { ...at, kind: 'excluded', reason: 'privacy', amount: 2 },
    ])
    await foldAll()
    expect(
      await rows(
        `select page_views, visits, offers_opened, whatsapp_taps, call_taps, excluded
       from pharmacy_analytics_cache`,
      ),
    ).toEqual([
      { page_views: 1, visits: 1, offers_opened: 2, whatsapp_taps: 1, call_taps: 1, excluded: 9 },
    ])
    expect(
      await rows('select seen, opened, whatsapp_taps, ordered from analytics_offer_days'),
    ).toEqual([{ seen: 1, opened: 2, whatsapp_taps: 1, ordered: 0 }])
    expect(
      await rows('select dimension, value, amount from analytics_shares order by 1, 2'),
    ).toEqual([
      { dimension: 'device', value: 'phone', amount: 1 },
      { dimension: 'excluded', value: 'bot', amount: 7 },
      { dimension: 'excluded', value: 'privacy', amount: 2 },
      { dimension: 'source', value: 'direct', amount: 1 },
    ])
  })

  it('counts exactly once, when four processes record and fold and one is killed', async () => {
    const fixture = join(await temporaryFolder(), 'fold.mjs')
    // Bundled, because it starts several times as fast as from the sources.
    buildSync({
      entryPoints: [fileURLToPath(new URL('fold.fixture.ts', import.meta.url))],
      outfile: fixture,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['pg-native'],
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
      },
    })
    const Said = z.object({ accepted: z.number(), folded: z.number() })
    const start = async (name: string, ...more: string[]) => {
      const args = [server.database.url, own, name, ...more]
      const child = fork(fixture, args, { execArgv: [] })
      onTestFinished(() => void child.kill('SIGKILL'))
      const ended = once(child, 'exit')
      const said = Said.parse((await once(child, 'message'))[0])
      return { child, ended, said }
    }
    const startAndKill = async () => {
      const started = await start('killed', 'stops')
      expect(started.said.folded).toBeGreaterThan(0)
      // The others wait for its fold until then.
      started.child.kill('SIGKILL')
      return started
    }
    const others = ['one', 'two', 'three'].map((name) => start(name))
    const all = await Promise.all([startAndKill(), ...others])
    await Promise.all(all.map(({ ended }) => ended))
    const accepted = all.reduce((sum, { said }) => sum + said.accepted, 0)
    expect(accepted).toBe(10_000)
    await foldAll()
    expect(
      await rows(`select page_views, unique_visitors, visits from pharmacy_analytics_cache`),
    ).toEqual([{ page_views: accepted, unique_visitors: accepted, visits: accepted }])
    expect(await number('select count(*) from page_event_queue')).toBe(0)
    expect(await number('select count(*) from offer_page_views')).toBe(accepted)
  }, 30_000)
})

describe('orders', () => {
  const add = (count: number, day: string, status: string, details = 'Crema') =>
    rows(
      `insert into pharmacy_orders
         (pharmacy_id, airtable_order_id, status, order_details, airtable_created, airtable_last)
       select $1, gen_random_uuid(), $4, $5, rome_midnight($3) + interval '12 hours', now()
       from generate_series(1, $2) returning id`,
      [own, count, day, status, details],
    )

  /** The figures, and what they must be: the orders of each day by their present status. */
  async function expectFigures() {
    await foldAll()
    const columns = 'total_orders, completed_orders, cancelled_orders, processing_orders'
    const figures = await rows(
      `select date, ${columns} from pharmacy_analytics_cache where total_orders <> 0 order by date`,
    )
    const counted = await rows(
      `select rome_day(airtable_created) as date, count(*)::int as total_orders,
         count(*) filter (where status in ('Confermato', 'Prenotato in Giornata', 'Prenotato Domani'))::int
           as completed_orders,
         count(*) filter (where status = 'Annullato')::int as cancelled_orders,
         count(*) filter (where status like 'Prenotato%')::int as processing_orders
       from pharmacy_orders group by 1 order by 1`,
    )
    expect(figures).toEqual(counted)
    return figures
  }

  it('are counted under the status that they have now, on the day on which they were made', async () => {
    await add(300, '2026-07-27', 'In attesa')
    await add(2, '2026-07-28', 'Annullato')
    const [late = {}] = await add(1, '2026-07-28', 'Prenotato Domani')
    expect(await expectFigures()).toHaveLength(2)
    await rows("update pharmacy_orders set status = 'Confermato' where status = 'In attesa'")
    await rows(
      "update pharmacy_orders set airtable_created = airtable_created - interval '3 days' where id = $1",
      [late['id']],
    )
    await rows("update pharmacy_orders set customer_name = 'Anna'")
    expect(await expectFigures()).toHaveLength(3)
    await rows("delete from pharmacy_orders where status = 'Annullato' or id % 2 = 0")
    await expectFigures()
    await rows('delete from pharmacy_orders')
    expect(await expectFigures()).toEqual([])
    expect(await number('select sum(abs(completed_orders)) from pharmacy_analytics_cache')).toBe(0)
  })

  it('are confirmed once, after so many minutes', async () => {
    const [{ id } = { id: 0 }] = await add(1, '2026-07-28', 'In attesa')
    await rows("update pharmacy_orders set airtable_created = now() - interval '42 minutes'")
    for (const status of ['Prenotato in Giornata', 'In attesa', 'Confermato']) {
      await rows('update pharmacy_orders set status = $1', [status])
    }
    const confirmations = () => rows('select order_id, minutes from order_confirmations')
    expect(await confirmations()).toEqual([{ order_id: id, minutes: 42 }])
    await rows(
      "update pharmacy_orders set airtable_created = airtable_created + interval '12 minutes'",
    )
    expect(await confirmations()).toEqual([{ order_id: id, minutes: 30 }])
    expect(
      await number(
        'select count(*) from order_confirmations join pharmacy_orders on id = order_id where ordered_at = airtable_created',
      ),
    ).toBe(1)
    // Confirmed by mistake.
    await rows("update pharmacy_orders set status = 'In attesa'")
    expect(await confirmations()).toEqual([])
  })

  it('are joined with the offers of their message by its code, once', async () => {
    const offers = await rows(
      `insert into product_offers
         (pharmacy_id, pharmacy_code, product_name, category, list_price, offer_price, start_date, image_url)
       select $1, 'PHARM-0001', 'Crema', 'Cosmetici', 990, 790, '2026-07-01', '/x'
       from generate_series(1, 2) returning id`,
      [own],
    )
    const tapped = (pharmacyId: string, code: string): PageEvent => ({
      pharmacy_id: pharmacyId,
      happened_at: '2026-07-28T10:00:07Z',
      kind: 'whatsapp_tapped',
      visitor: 'v',
      visitor_before: null,
      session_id: 's',
      offer_ids: offers.map(({ id }) => String(id)),
      code,
    })
    await store.record([
      view('2026-07-28T09:59:00Z', 'v'),
      tapped(own, 'ABC234'),
      tapped(other, 'XYZ789'),
    ])
    const message = (code: string) => `Ciao, vorrei ordinare:\nProdotto: Crema\nCodice: ${code}`
    await add(2, '2026-07-28', 'In attesa', message('ABC234'))
    await add(1, '2026-07-28', 'In attesa', message('ABC234'))
    // That of another pharmacy, and of none.
    await add(1, '2026-07-28', 'In attesa', message('XYZ789'))
    await add(1, '2026-07-28', 'In attesa', message('ABC2345'))
    await foldAll()
    const found = await rows(
      'select whatsapp_taps, ordered from analytics_offer_days where ordered > 0',
    )
    expect(found).toEqual(offers.map(() => ({ whatsapp_taps: 1, ordered: 1 })))
    // Nothing of a code leads to a visitor.
    const codes = await rows('select * from offer_order_codes order by code')
    const day = '2026-07-28'
    expect(codes).toEqual([
      {
        pharmacy_id: own,
        code: 'ABC234',
        offer_ids: expect.any(Array) as unknown,
        day,
        order_id: expect.anything() as unknown,
      },
      { pharmacy_id: other, code: 'XYZ789', offer_ids: [], day, order_id: null },
    ])
    const taps = await rows(
      `select distinct event.visitor_ip, event.session_id in (select session_id from offer_page_views) as is_known,
         event.happened_at = date_trunc('hour', event.happened_at) as is_of_hour
       from pharmacy_orders as sale
         join offer_order_codes as known on known.code = substring(order_details from 'Codice: (.{6})$')
         join offer_events as event on rome_day(event.happened_at) = known.day and event.offer_id = any (known.offer_ids)`,
    )
    expect(taps).toEqual([{ visitor_ip: '', is_known: false, is_of_hour: true }])
    // An order that is deleted does not count; the next one with its code does.
    const ordered = async () => {
      await foldAll()
      return rows(
        `select sum(coded_orders)::int as coded,
           (select sum(ordered)::int from analytics_offer_days) as ordered from pharmacy_analytics_cache`,
      )
    }
    expect(await ordered()).toEqual([{ coded: 1, ordered: 2 }])
    await rows('delete from pharmacy_orders')
    expect(await ordered()).toEqual([{ coded: 0, ordered: 0 }])
    // However people write it.
    await add(1, '2026-07-29', 'In attesa', 'Crema, codice *abc234* grazie')
    expect(await ordered()).toEqual([{ coded: 1, ordered: 2 }])
  })
})

describe('arrivals', () => {
  async function figures() {
    await foldAll()
    return rows(
      `select date, arrivals, called, not_present from pharmacy_analytics_cache
       where (arrivals, called, not_present) <> (0, 0, 0) order by date`,
    )
  }

  it('count once for each priority session, unless the customer takes them back', async () => {
    const [{ id } = { id: '' }] = await rows(
      `insert into priority_access_sessions (pharmacy_id, airtable_order_id, code, expires_at)
       values ($1, 'rec1', '123', now() + interval '1 day') returning id`,
      [own],
    )
    const set = (columns: string) =>
      rows(`update priority_access_sessions set ${columns} where id = $1`, [id])
    const [{ today } = { today: '' }] = await rows('select rome_day(now())::text as today')
    const day = { date: today, arrivals: 1, called: 0, not_present: 0 }

    await set("status = 'user_arrived', arrived_at = now()")
    expect(await figures()).toEqual([day])
    await set("status = 'link_sent', arrived_at = null")
    expect(await figures()).toEqual([])
    await set("status = 'user_arrived', arrived_at = now()")
    await set("status = 'link_sent', arrived_at = null, times_not_present = 1")
    expect(await figures()).toEqual([{ ...day, not_present: 1 }])
    // Who comes again, on another day as here, is the same arrival.
    await set("status = 'user_arrived', arrived_at = rome_midnight(rome_day(now()) + 1)")
    await set('called_at = arrived_at')
    const [{ tomorrow } = { tomorrow: '' }] = await rows(
      'select (rome_day(now()) + 1)::text as tomorrow',
    )
    const last = { date: tomorrow, arrivals: 1, called: 1, not_present: 1 }
    expect(await figures()).toEqual([last])
    await rows('delete from priority_access_sessions')
    expect(await figures()).toEqual([last])
  })
})

describe('the days of page views', () => {
  it('are there when a view comes, and dropped when they are old', async () => {
    const partitions = async () =>
      (
        await rows(
          `select relname from pg_class where relnamespace = 'page_views'::regnamespace and relkind = 'r'
           and relname ~ '_2025' order by 1`,
        )
      ).map(({ relname }) => relname)
    await store.record([view('2025-02-03T10:00:00Z', 'a'), view('2025-02-02T10:00:00Z', 'b')])
    expect(await partitions()).toEqual(
      ['offer_events', 'offer_page_views', 'visitors'].flatMap((table) => [
        `${table}_20250202`,
        `${table}_20250203`,
      ]),
    )
    expect(await store.dropPartitions('2025-02-03', '2025-02-04')).toBeGreaterThanOrEqual(4)
    expect(await partitions()).toEqual(['offer_events_20250203', 'offer_page_views_20250203'])
    expect(await rows('select visitor_ip from offer_page_views')).toEqual([{ visitor_ip: 'a' }])
  })

  it('are created and dropped beside page views and changes of pharmacies that are not committed', async () => {
    const day = '2025-03-03'
    await store.createPartitions(day, day)
    const client = await server.database.pool.connect()
    const record = (visitor: string) =>
      client.query('select record_page_events($1)', [
        JSON.stringify([view(`${day}T10:00:00Z`, visitor)]),
      ])
    try {
      await client.query("begin; set local lock_timeout = '5s'")
      await client.query('update pharmacies set name = name')
      await record('a')
      await store.createPartitions('2025-03-04', '2025-03-05')
      // Gives up, and recording goes on.
      await expect(store.dropPartitions(day, day)).rejects.toMatchObject({ code: '55P03' })
      await record('b')
      await client.query('commit')
    } finally {
      client.release()
    }
    expect(await number('select count(*) from offer_page_views')).toBe(2)
    await store.dropPartitions('2025-04-01', '2025-04-01')
    expect(await number('select count(*) from offer_page_views')).toBe(0)
  })
})
