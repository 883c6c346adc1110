import { gunzipSync } from 'node:zlib'
import type { CountingPage } from '@bancone/contract/page-views'
import { countingPath } from '@bancone/contract/pages'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { type PublicPagesServer, publicPagesServer } from '../../../test/public-pages-server.ts'

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const PAGE = '/offers/FARM-1'
const explained: CountingPage[] = []

let server: PublicPagesServer
let own: string

beforeAll(async () => {
  server = await publicPagesServer({
    renderers: {
      counting: {
        render(page) {
          explained.push(page)
          return Promise.resolve('<h1>Che cosa contiamo</h1>')
        },
      },
    },
  })
  own = await server.pharmacy('FARM-1')
})

beforeEach(() => server.database.pool.query('truncate page_event_queue, analytics_settings'))

const ask = (headers: Record<string, string>, url = PAGE, method: 'GET' | 'HEAD' = 'GET') =>
  server.app.inject({ method, url, headers: { 'user-agent': PHONE, ...headers } })

const Sum = z.object({ reason: z.string(), amount: z.number() })

async function excluded() {
  const { rows } = await server.database.pool.query(
    `select reason, sum(amount)::int as amount from page_event_queue where pharmacy_id = $1 group by 1 order by 1`,
    [own],
  )
  return z.array(Sum).parse(rows)
}

it('requests of a page that are no page views are counted by their reason, from memory and not', async () => {
  const etag = String((await ask({})).headers['etag'])
  const robot = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }
  await ask(robot)
  await ask({ ...robot, 'if-none-match': etag })
  await ask({ 'user-agent': 'WhatsApp/2.23.20.0 A' }, `${PAGE}?da=link`)
  await ask({ 'sec-purpose': 'prefetch' })
  await ask({ 'sec-gpc': '1' })
  // What is no request of a page, and what none is shown for.
  await ask(robot, PAGE, 'HEAD')
  await ask(robot, '/offers/FARM-2')
  await ask(robot, countingPath('FARM-1'))
  await ask({}, `${PAGE}?da=volantino`)
  await expect.poll(excluded, { timeout: 5_000 }).toEqual([
    { reason: 'bot', amount: 2 },
    { reason: 'preview', amount: 2 },
    { reason: 'privacy', amount: 1 },
  ])
})

it('nothing is counted of a pharmacy that does not count, and its page is told at once', async () => {
  await server.database.pool.query(
    'insert into analytics_settings values ($1, false, true, false)',
    [own],
  )
  await expect
    .poll(async () => (await ask({}, '/api/public/offers/FARM-1')).json<unknown>())
    .toMatchObject({ pharmacy: { isCounting: false, hasOrderCodes: true } })
  await ask({ 'sec-gpc': '1' })
  await ask({ 'sec-gpc': '1' }, '/offers/FARM-1')
  await server.database.pool.query('delete from analytics_settings')
  await expect
    .poll(
      async () => {
        await ask({ 'sec-gpc': '1' })
        return excluded()
      },
      { timeout: 5_000, interval: 1_100 },
    )
    .toMatchObject([{ reason: 'privacy' }])
})

it('customers can read what is counted', async () => {
  const page = await ask({}, countingPath('farm-1'))
  expect([page.statusCode, page.body]).toEqual([200, '<h1>Che cosa contiamo</h1>'])
  expect(explained.at(-1)).toEqual({
    pharmacyName: 'Farmacia FARM-1',
    pharmacyCode: 'FARM-1',
    isCounting: true,
    hasOrderCodes: false,
    pageViewDays: 90,
    limit: { events: 600, minutes: 10, visitors: 50 },
  })
  const small = await ask({ 'accept-encoding': 'gzip' }, countingPath('farm-1'))
  expect(small.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(small.rawPayload).toString()).toBe(page.body)
  expect((await ask({}, countingPath('FARM-9'))).body).not.toContain('Che cosa')
})
