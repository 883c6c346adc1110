import { Analytics } from '@bancone/contract/analytics'
import { Traffic } from '@bancone/contract/analytics-traffic'
import { addDays, dayOf } from '@bancone/contract/dates'
import { beforeAll, expect, it } from 'vitest'
import { type AnalyticsPharmacy, analyticsServer, period } from '../../../test/analytics-server.ts'
import { seedDemoAnalytics } from '../../demo/demo.ts'

let own: AnalyticsPharmacy
let server: Awaited<ReturnType<typeof analyticsServer>>
const today = dayOf(Date.now())

beforeAll(async () => {
  server = await analyticsServer({})
  own = await server.pharmacy()
  await own.offers({ name: 'Crema' }, { name: 'Sapone' })
  await server.query('update product_offers set start_date = $1', today)
  await own.order(`${addDays(today, -100)}T10:00:00Z`, 'Confermato')
  await seedDemoAnalytics(server.database.db, own.id)
})

it('the demo has thirteen months of figures that fit together', async () => {
  const { summary, points, previous } = Analytics.parse(
    (await own.ask(period(addDays(today, -396), today))).json(),
  )
  const [first = 0, last = 0] = [addDays(today, -396), today].map(
    (day) => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)),
  )
  expect(points).toHaveLength(last - first + 1)
  expect(previous).toBeNull()
  expect(summary.totalPageViews).toBeGreaterThan(10_000)
  for (const [less, more] of [
    [summary.visits, summary.totalPageViews],
    [summary.offersOpened, summary.visits],
    [summary.whatsappTaps, summary.offersOpened],
  ]) {
    expect(less).toBeGreaterThan(0)
    expect(less).toBeLessThan(more ?? 0)
  }
  const [differing] = await server.query<{ days: number }>(
    `select count(*)::int as days from pharmacy_analytics_cache as day
     cross join lateral (
       select coalesce(sum(page_views), 0) as views, coalesce(sum(unique_visitors), 0) as visitors from analytics_hours
       where pharmacy_id = day.pharmacy_id and hour >= rome_midnight(date) and hour < rome_midnight(date + 1)
     ) as hours
     where (page_views, unique_visitors) <> (views, visitors) or unique_visitors > page_views
       or completed_orders + cancelled_orders > total_orders`,
  )
  expect(differing?.days).toBe(0)
  const reply = await own.ask(`/traffic${period(addDays(today, -6), today)}`)
  const { funnel, offers, sources } = Traffic.parse(reply.json())
  expect(new Set(offers?.map(({ name }) => name))).toEqual(new Set(['Crema', 'Sapone']))
  for (const { seen, opened, whatsappTaps, ordered } of offers ?? []) {
    const narrowing = [seen, opened, whatsappTaps, ordered ?? 0]
    expect(narrowing).toEqual(narrowing.toSorted((one, other) => other - one))
  }
  expect(funnel.ordered).toBeGreaterThan(0)
  expect(sources?.length).toBeGreaterThan(5)
})

it('the flyer of the demo shows, and offers that are gone', async () => {
  const reply = await own.ask(`/traffic${period(addDays(today, -48), addDays(today, -42))}`)
  const { sources, offers } = Traffic.parse(reply.json())
  expect(sources?.[0]?.source).toBe('flyer')
  expect(offers?.[0]?.state).toBe('gone')
})
