import { Analytics, type AnalyticsPoint, OrderAnalytics } from '@bancone/contract/analytics'
import { Traffic } from '@bancone/contract/analytics-traffic'
import { ErrorBody } from '@bancone/contract/errors'
import { type AirtableSandbox, startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  type AnalyticsPharmacy,
  analyticsServer,
  period,
  type QueuedPageEvent,
} from '../../../test/analytics-server.ts'
import { atEnd } from '../../../test/at-end.ts'

const HOUR = 60 * 60_000
const [baseId, tableId] = ['appTest0000000001', 'tblOrdini00000001']
const location = { baseId, tableId }

let airtable: AirtableSandbox
let server: Awaited<ReturnType<typeof analyticsServer>>
/** A pharmacy of its own for each test. */
let own: AnalyticsPharmacy
/** 10:20 in Rome, on a Tuesday. */
const now = Date.parse('2026-11-10T09:20:00Z')

beforeAll(async () => {
  airtable = await startAirtable({
    bases: { [baseId]: [ordersTable(tableId)] },
    requestsPerSecond: 10_000,
  })
  atEnd(() => airtable.close())
  server = await analyticsServer({
    clock: { now: () => now },
    airtable: {
      apiUrl: airtable.url,
      token: airtable.token,
      perSecond: 1_000,
      perSecondOfUser: 1_000,
      retryMs: 1,
    },
    timing: { copy: { maxAgeMs: 0 } },
  })
})

beforeEach(async () => {
  own = await server.pharmacy()
})

const sum = (points: readonly AnalyticsPoint[], of: 'views' | 'total') =>
  points.reduce((all, point) => all + point[of], 0)

describe.each([
  { day: '2026-03-29', before: '2026-03-28', after: '2026-03-30', hours: 23, first: -HOUR },
  { day: '2026-10-25', before: '2026-10-24', after: '2026-10-26', hours: 25, first: -2 * HOUR },
])('on $day, which has $hours hours,', ({ day, before, after, hours, first }) => {
  it('every figure is the same wherever it stands', async () => {
    const midnight = Date.parse(day) + first
    const events: QueuedPageEvent[] = []
    for (let hour = -1; hour <= hours; hour += 1) {
      const at = new Date(midnight + hour * HOUR + 30 * 60_000).toISOString()
      for (let n = -1; n <= hour % 5; n += 1) events.push({ at, isVisitor: n === 0 })
      await own.order(at, 'Confermato')
    }
    await own.happen(events)
    const within = events.filter(
      ({ at }) => Date.parse(at) >= midnight && Date.parse(at) < midnight + hours * HOUR,
    )

    const { points, summary, bucket } = await own.figures(day)
    expect(bucket).toBe('hour')
    expect(points).toHaveLength(hours)
    expect(new Set(points.map(({ at }) => at)).size).toBe(hours)
    expect(points[0]?.at).toBe(new Date(midnight).toISOString())
    expect([sum(points, 'views'), sum(points, 'total')]).toEqual([within.length, hours])
    expect(summary).toMatchObject({
      totalPageViews: within.length,
      uniqueVisitors: within.filter(({ isVisitor }) => isVisitor).length,
      totalOrders: hours,
      completedOrders: hours,
    })

    const { labels, rows } = await own.csvOf('panoramica', day)
    expect(labels).toEqual(['Ora', 'Visualizzazioni', 'Periodo precedente'])
    expect(rows.map((row) => Number(row[1]))).toEqual(points.map(({ views }) => views))
    const names = rows.map(([name]) => name)
    expect(new Set(names).size).toBe(hours)
    expect(names.slice(1, 4)).toEqual(
      hours === 25
        ? ['01:00', '02:00, ora legale', '02:00, ora solare']
        : ['01:00', '03:00', '04:00'],
    )

    const around = await own.figures(before, after)
    expect(around.points.map(({ views, total }) => [views, total])).toEqual([
      [1, 1],
      [within.length, hours],
      [events.length - within.length - 1, 1],
    ])
    const { weekHours } = Traffic.parse((await own.ask(`/traffic${period(day)}`)).json())
    expect(weekHours[6]?.reduce((all, views) => all + views, 0)).toBe(within.length)
  })
})

describe('a period', () => {
  it('that ends today is compared with the same hours', async () => {
    await own.happen([
      // A week ago, and until 10:20 of the day before: a third of the last hour counts.
      { at: '2026-11-03T10:00:00Z', isVisitor: true },
      { at: '2026-11-09T07:10:00Z', isVisitor: true },
      ...Array.from({ length: 3 }, (_, n) => ({ at: `2026-11-09T09:0${n}:00Z`, isVisitor: n < 1 })),
      { at: '2026-11-09T15:00:00Z', isVisitor: true },
      { at: '2026-11-10T07:10:00Z', isVisitor: true },
    ])
    for (const at of ['2026-11-09T09:19:00Z', '2026-11-09T09:21:00Z', '2026-11-10T08:00:00Z']) {
      await own.order(at)
    }
    const today = await own.figures('2026-11-10')
    expect(today.compared).toEqual({
      dal: '2026-11-09',
      al: '2026-11-09',
      until: '2026-11-09T09:20:00.000Z',
    })
    expect(today.summary).toMatchObject({ totalPageViews: 1, totalOrders: 1, conversionRate: 100 })
    expect(today.previous).toMatchObject({ totalPageViews: 2, uniqueVisitors: 1, totalOrders: 1 })
    expect(today.points).toHaveLength(24)
    // The hours to come are in the line of the other day.
    expect(today.previousPoints.reduce((all, { views }) => all + views, 0)).toBe(5)

    const { labels, rows } = await own.csvOf('panoramica', '2026-11-10')
    expect(labels).toEqual(['Ora', 'Visualizzazioni', 'Periodo precedente'])
    expect(rows.slice(10, 12)).toEqual([
      ['10:00', '0', '3'],
      ['11:00', '', '0'],
    ])

    const week = await own.figures('2026-11-10', '2026-11-10', '&confronto=anno')
    expect(week.compared).toMatchObject({ dal: '2025-11-11', until: '2025-11-11T09:20:00.000Z' })
    expect(week.previous).toBeNull()
    expect(week.previousPoints).toEqual([])

    const [yesterday] = (await own.figures('2026-11-09')).points
    expect(yesterday?.at).toBe('2026-11-08T23:00:00.000Z')
    const past = await own.figures('2026-11-09', '2026-11-09')
    expect(past.compared.until).toBeNull()
    expect(past.summary).toMatchObject({ totalPageViews: 5, totalOrders: 2 })
  })

  it('is compared with page views and orders from the day on which each was first counted', async () => {
    await own.order('2026-01-05T10:00:00Z')
    await own.happen([
      { at: '2026-11-05T10:00:00Z', isVisitor: true },
      { at: '2026-11-06T10:00:00Z', isVisitor: true },
    ])
    const both = await own.figures('2026-11-05', '2026-11-06')
    expect(both).toMatchObject({
      firstDay: '2026-01-05',
      previous: {
        totalPageViews: null,
        uniqueVisitors: null,
        totalOrders: 0,
        conversionRate: null,
      },
      previousPoints: [],
    })
    expect((await own.figures('2026-11-03', '2026-11-06')).summary.dailyVisitors).toBe(1)
    // One day of the compared period alone was counted.
    const partly = await own.figures('2026-11-06', '2026-11-07')
    expect(partly.previous?.totalPageViews).toBeNull()
    expect((await own.figures('2026-11-06')).previous?.totalPageViews).toBe(1)
  })

  it('of more than a year is not compared with itself', async () => {
    const { compared } = await own.figures('2024-11-10', '2025-11-10', '&confronto=anno')
    // 366 days, back by 53 weeks.
    expect(compared).toMatchObject({ dal: '2023-11-05', al: '2024-11-04' })
  })

  it('is shown by days up to a year, and by months beyond', async () => {
    await own.happen([
      { at: '2025-11-09T10:00:00Z', isVisitor: true },
      { at: '2026-01-01T10:00:00Z', isVisitor: true },
      { at: '2026-01-01T10:01:00Z' },
      { at: '2026-01-31T22:59:00Z', isVisitor: true },
      { at: '2026-01-31T23:00:00Z', isVisitor: true },
    ])
    const year = await own.figures('2025-11-10', '2026-11-10')
    expect([year.bucket, year.points.length]).toEqual(['day', 366])
    expect(year.points[52]).toMatchObject({ views: 2, uniqueVisitors: 1 })
    const longer = await own.figures('2025-11-09', '2026-11-10')
    expect([longer.bucket, longer.points.length]).toEqual(['month', 13])
    expect(longer.points[0]).toMatchObject({ at: '2025-11-08T23:00:00.000Z', views: 1 })
    expect(longer.points.slice(2, 4)).toMatchObject([
      { at: '2025-12-31T23:00:00.000Z', views: 3, uniqueVisitors: null },
      { at: '2026-01-31T23:00:00.000Z', views: 1 },
    ])
    expect(longer.summary).toMatchObject({ totalPageViews: 5, uniqueVisitors: 1 })
    // 4 visitors in 367 days.
    expect((await own.csvOf('panoramica', '2025-11-09', '2026-11-10')).rows[2]?.[0]).toBe(
      '="01/2026"',
    )
  })

  it.each([
    ['2019-12-31', '2026-01-01'],
    ['2026-01-02', '2026-01-01'],
    ['2026-11-10', '2026-11-11'],
  ])('from %s to %s is refused', async (dal, al) => {
    const reply = await own.ask(period(dal, al))
    expect(ErrorBody.parse(reply.json()).code).toBe('request.invalid')
  })
})

it('a pharmacy without anything has zeros, and nothing to compare with', async () => {
  const { summary, points, ...rest } = await own.figures('2026-11-04', '2026-11-10')
  expect(points).toHaveLength(7)
  expect(new Set(Object.values(summary))).toEqual(new Set([0]))
  expect(rest).toMatchObject({ previous: null, firstDay: null, source: 'database', notes: [] })
  const traffic = Traffic.parse((await own.ask(`/traffic${period('2026-11-10')}`)).json())
  expect(traffic).toMatchObject({ sources: [], offers: [], funnel: { views: 0, ordered: null } })
  expect((await own.ask('/now')).json()).toEqual({ visitors: 0, views: 0 })
})

describe('orders', () => {
  it('count by their present status, also before that is folded', async () => {
    const id = await own.order('2026-11-05T10:00:00Z')
    await own.order('2026-11-05T11:00:00Z', 'Annullato')
    await own.order('2026-11-05T12:00:00Z', 'Prenotato Domani')
    const page = async () =>
      Analytics.parse((await own.ask(period('2026-11-04', '2026-11-06'))).json())
    const waiting = { total: 3, completed: 1, processing: 1, cancelled: 1, pending: 1 }
    expect((await page()).points[1]).toMatchObject(waiting)
    await server.query(`update pharmacy_orders set status = 'Confermato' where id = $1`, id)
    const confirmed = { total: 3, completed: 2, processing: 1, cancelled: 1, pending: 0 }
    expect((await page()).points[1]).toMatchObject(confirmed)
    expect((await page()).summary.completionRate).toBe(66.67)
    const folded = (await own.figures('2026-11-05')).points.find(({ total }) => total > 0)
    expect(folded).toMatchObject({ at: '2026-11-05T10:00:00.000Z', total: 1, completed: 1 })
    const { labels, rows } = await own.csvOf('ordini', '2026-11-05', '2026-11-06')
    expect(labels).toEqual([
      'Giorno',
      'Confermati',
      'Prenotati',
      'In attesa',
      'Annullati',
      'Totale',
    ])
    expect(rows).toEqual([
      ['05/11/2026', '1', '1', '0', '1', '3'],
      ['06/11/2026', '0', '0', '0', '0', '0'],
    ])
  })

  it('are those of Airtable, or of the copy while it does not answer', async () => {
    onTestFinished(() => airtable.fail({ mode: 'ok' }))
    const linked = await server.pharmacy({ airtable: location })
    const create = () =>
      airtable.create(baseId, tableId, [
        {
          createdTime: Date.parse('2026-11-05T10:00:00Z'),
          fields: { Cliente: 'Anna', Stato: 'In attesa' },
        },
      ])
    create()
    const first = await linked.figures('2026-11-05', '2026-11-05')
    expect(first).toMatchObject({ source: 'airtable', isStale: false, summary: { totalOrders: 1 } })
    expect(first.syncedAt).not.toBeNull()
    create()
    airtable.fail({ mode: '500' })
    const stale = await linked.figures('2026-11-05', '2026-11-05')
    expect(stale).toMatchObject({ isStale: true, ordersFailed: false, summary: { totalOrders: 1 } })
    airtable.fail({ mode: 'ok' })
    await server.query('update pharmacies set use_supabase_orders = true where id = $1', linked.id)
    server.sessions.invalidate(linked.id)
    const copied = await linked.figures('2026-11-05', '2026-11-05')
    expect(copied).toMatchObject({
      source: 'database',
      isStale: false,
      syncedAt: null,
      summary: { totalOrders: 1 },
    })
  })

  it('that arrive are counted by their day, also after their sessions are deleted', async () => {
    const features = ['analytics', 'priority_access']
    const [counted, lasting] = [
      await server.pharmacy({ features }),
      await server.pharmacy({ features }),
    ]
    for (const { id } of [counted, lasting]) {
      await server.query(
        `insert into priority_access_sessions (pharmacy_id, airtable_order_id, code, expires_at, status, arrived_at, called_at)
         select $1, 'rec' || n, '10' || n, now(), 'called', at, at + interval '4 minutes'
         from unnest('{2026-11-04 09:00Z,2026-11-05 09:00Z}'::timestamptz[]) with ordinality as session (at, n)`,
        id,
      )
    }
    await server.query('delete from priority_access_sessions where pharmacy_id = $1', lasting.id)
    const arrivals = async (whose: AnalyticsPharmacy) =>
      OrderAnalytics.parse((await whose.ask(`/orders${period('2026-11-04', '2026-11-06')}`)).json())
        .priority
    const sums = { arrivals: 2, called: 2, noShows: 0, bucket: 'day' }
    const points = [1, 1, 0].map((each) => ({ arrivals: each, called: each, noShows: 0 }))
    expect(await arrivals(lasting)).toMatchObject({ ...sums, points, medianWait: null })
    await lasting.figures('2026-11-04')
    expect(await arrivals(lasting)).toMatchObject({ ...sums, points })
    const { rows } = await lasting.csvOf('arrivi', '2026-11-05', '2026-11-06')
    expect(rows[0]).toEqual(['05/11/2026', '1', '1', '0'])
    await server.lose('pharmacy_analytics_cache')
    expect(await arrivals(counted)).toMatchObject({ ...sums, points, medianWait: 240 })
  })

  it('wait for their confirmation, by the hour they came at', async () => {
    const id = await own.order('2026-11-05T10:00:00Z')
    await server.query(`update pharmacy_orders set status = 'Confermato' where id = $1`, id)
    await server.query('update order_confirmations set minutes = 12 where order_id = $1', id)
    const reply = await own.ask(`/orders${period('2026-11-05')}`)
    const { waits, priority } = OrderAnalytics.parse(reply.json())
    expect(waits).toMatchObject({ confirmed: 1, medianMinutes: 12, p90Minutes: 12 })
    expect(waits.hours[11]).toEqual({ hour: 11, confirmed: 1, medianMinutes: 12 })
    expect(priority).toBeNull()
  })
})

describe('ready orders', () => {
  async function ready(readyAt: string, moments: Record<string, string> = {}, madeAt = readyAt) {
    const id = await own.order(madeAt)
    const set = Object.entries({ ready_at: readyAt, ...moments })
    const columns = set.map(([column], n) => `${column} = $${n + 2}`).join(', ')
    const values = set.map(([, value]) => value)
    await server.query(`update pharmacy_orders set ${columns} where id = $1`, id, ...values)
  }
  const pickups = async (dal: string, al = dal) =>
    OrderAnalytics.parse((await own.ask(`/orders${period(dal, al)}`)).json()).pickups

  it('are told how soon they were ready and collected, and how many nobody collected', async () => {
    expect(await pickups('2026-11-05')).toMatchObject({ hasBegun: false, ready: 0 })
    // On Thursday: after 60 and 180 minutes, collected after 30; put back; cancelled.
    const thursday = '2026-11-05T10:00:00Z'
    const collected = { collected_at: '2026-11-05T10:30:00Z' }
    await ready(thursday, collected, '2026-11-05T09:00:00Z')
    await ready(thursday, { put_back_at: '2026-11-09T10:00:00Z' }, '2026-11-05T07:00:00Z')
    await ready(thursday, { status: 'Annullato' })
    // On Saturday: overdue today, kept, and collected late.
    const saturday = '2026-11-07T10:00:00Z'
    await ready(saturday)
    await ready(saturday, { kept_until: '2026-11-10' })
    await ready(saturday, { collected_at: '2026-11-10T09:00:00Z' })
    // Collected without having been ready.
    const unready = await own.order(saturday)
    await server.query('update pharmacy_orders set collected_at = now() where id = $1', unready)

    const { weekdays, previous, hasBegun, ...all } = await pickups('2026-11-04', '2026-11-09')
    expect(all).toMatchObject({ ready: 5, collected: 2, notCollected: 2, readyMedian: 0 })
    expect({ previous, hasBegun }).toEqual({ previous: null, hasBegun: true })
    expect(weekdays[3]).toEqual({
      ready: 2,
      readyMedian: 120,
      readyP90: 168,
      collected: 1,
      collectedMedian: 30,
      collectedP90: 30,
      notCollected: 1,
    })
    expect(weekdays[5]).toMatchObject({
      ready: 3,
      collected: 1,
      collectedMedian: 71 * 60,
      notCollected: 1,
    })
    expect(weekdays.map((day) => day.ready)).toEqual([0, 0, 0, 2, 0, 3, 0])

    const { labels, rows } = await own.csvOf('ritiro', '2026-11-04', '2026-11-09')
    expect(labels.slice(0, 3)).toEqual([
      'Giorno',
      'Ordini pronti',
      "Dall'ordine a pronto, mediana (minuti)",
    ])
    expect(rows[3]).toEqual(['Giovedì', '2', '120', '168', '1', '30', '30', '1'])
    expect(rows[6]).toEqual(['Domenica', '0', '', '', '0', '', '', '0'])
  })

  it('are counted on their day in Rome, also when the clocks change', async () => {
    for (const at of ['2026-10-24T21:59:00Z', '2026-10-24T22:00:00Z', '2026-10-25T22:59:00Z']) {
      await ready(at)
    }
    await ready('2026-10-25T23:00:00Z')
    const { ready: ofSunday, weekdays } = await pickups('2026-10-25')
    expect([ofSunday, weekdays[6]?.ready]).toEqual([2, 2])
  })

  it('are compared with the same hours of the days before, once there were some', async () => {
    await ready('2026-11-08T08:00:00Z', {}, '2026-11-08T07:00:00Z')
    await ready('2026-11-09T09:19:00Z', {}, '2026-11-09T08:59:00Z')
    await ready('2026-11-09T09:21:00Z')
    await ready('2026-11-10T09:00:00Z')
    expect((await pickups('2026-11-10')).previous).toEqual({ ready: 1, readyMedian: 20 })
    expect((await pickups('2026-11-08', '2026-11-10')).previous).toBeNull()
  })
})

describe('figures that cannot be read', () => {
  it('are counted from page views and orders', async () => {
    const day = new Date(now).toISOString().slice(0, 10)
    await server.query('select create_page_view_partitions($1, $1)', day)
    await server.query(
      `insert into offer_page_views (pharmacy_id, session_id, visitor_ip, viewed_at)
       select $1, 's' || n % 3, 'v' || n % 2, $2::timestamptz - make_interval(hours => n) from generate_series(1, 6) n`,
      own.id,
      new Date(now).toISOString(),
    )
    await server.query(
      `insert into offer_events (pharmacy_id, offer_id, kind, session_id, visitor_ip, happened_at)
       select $1, gen_random_uuid(), 'whatsapp_tapped', 's', 'v', $2 from generate_series(1, 3)`,
      own.id,
      new Date(now - HOUR).toISOString(),
    )
    await own.order(new Date(now - HOUR).toISOString())
    await server.lose('pharmacy_analytics_cache')
    const live = await own.figures(day)
    expect(live.summary).toMatchObject({
      totalPageViews: 6,
      uniqueVisitors: 2,
      visits: 3,
      whatsappTaps: 1,
      totalOrders: 1,
    })
    expect([sum(live.points, 'views'), sum(live.points, 'total')]).toEqual([6, 1])
    expect(live).toMatchObject({ isLive: true, ordersFailed: false, firstDay: day })
    const traffic = Traffic.parse((await own.ask(`/traffic${period(day)}`)).json())
    expect(traffic).toMatchObject({
      funnel: { views: 6, whatsappTaps: 1 },
      sources: null,
      offers: null,
    })
    expect(traffic.weekHours.flat().reduce((all, views) => all + views)).toBe(6)
    const file = await own.ask(`/export${period(day, day, '&tabella=offerte&formato=csv')}`)
    expect(file.json()).toMatchObject({ code: 'analytics.failed' })
    expect((await own.figures('2026-11-04', day)).points.at(-1)).toMatchObject({
      views: 6,
      total: 1,
    })
  })

  it('are read as they are, or counted, while nothing can be folded', async () => {
    await own.happen([{ at: '2026-11-04T10:00:00Z', isVisitor: true }])
    await own.figures('2026-11-04')
    const other = await server.pharmacy()
    await server.lose('page_event_queue')
    expect(await own.figures('2026-11-05')).toMatchObject({
      firstDay: '2026-11-04',
      previous: { totalPageViews: 1, totalOrders: null },
    })
    const known = await own.figures('2026-11-04', '2026-11-05')
    expect(known.summary.dailyVisitors).toBe(0.5)
    await server.query('select create_page_view_partitions($1, $1)', '2026-11-05')
    await server.query(
      `insert into offer_page_views (pharmacy_id, session_id, visitor_ip, viewed_at)
       values ($1, 's', 'v', '2026-11-05T10:00:00Z')`,
      other.id,
    )
    expect(await other.figures('2026-11-05')).toMatchObject({
      firstDay: '2026-11-05',
      summary: { totalPageViews: 1, dailyVisitors: 1 },
    })
  })

  it('of orders are zero, and said to be so', async () => {
    await own.happen([{ at: '2026-11-05T10:00:00Z' }])
    await own.order('2026-11-05T10:00:00Z')
    await server.lose('pharmacy_orders')
    expect(await own.figures('2026-11-05')).toMatchObject({
      ordersFailed: true,
      summary: { totalPageViews: 1, totalOrders: 0, conversionRate: 0 },
    })
  })

  it('at all are an error that says so', async () => {
    await server.lose('analytics_hours')
    await server.lose('offer_page_views')
    const reply = await own.ask(`/traffic${period('2026-11-05')}`)
    expect([reply.statusCode, reply.json()]).toMatchObject([
      500,
      { code: 'analytics.failed', error: 'Errore nel caricamento analytics' },
    ])
  })
})

it('a year of the page is read without a single page view', async () => {
  await own.happen([{ at: '2026-11-05T10:00:00Z', source: 'flyer' }])
  await own.figures('2026-11-05')
  for (const table of ['offer_page_views', 'offer_events', 'visitors']) await server.lose(table)
  const year = ['2025-11-11', '2026-11-10'] as const
  expect((await own.figures(...year)).summary.totalPageViews).toBe(1)
  const replies = await Promise.all([
    own.ask(`/traffic${period(...year)}`),
    own.ask(`/orders${period(...year)}`),
    own.ask(`/export${period(...year, '&tabella=panoramica&formato=csv')}`),
  ])
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
})
