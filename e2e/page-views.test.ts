import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type App, startApp } from './support/app.ts'
import { openContext, signIn } from './support/browser.ts'
import { query } from './support/database.ts'

const PHONE =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
const PAGE = '/offers/PHARM-0001'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

beforeEach(async () => {
  await query(app, 'truncate offer_page_views, offer_events, visitors, page_event_queue')
})

async function customer(): Promise<Page> {
  const context = await openContext(app, { width: 360, height: 780, userAgent: PHONE })
  await withoutWhatsApp(context)
  return context.newPage()
}

/** Nothing of a journey leaves this machine. */
const withoutWhatsApp = (context: BrowserContext) =>
  context.route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }))

const View = z.object({ visitor_ip: z.string(), user_agent: z.string(), referrer: z.null() })

async function views() {
  const rows = await query(app, 'select visitor_ip, user_agent, referrer from offer_page_views')
  return z.array(View).parse(rows)
}

async function events() {
  const rows = await query(
    app,
    `select kind, product_name as product from offer_events event
     left join product_offers offer on offer.id = event.offer_id order by event.happened_at`,
  )
  return z.array(z.object({ kind: z.string(), product: z.string().nullable() })).parse(rows)
}

/** What waits to be counted, by kind and by source or reason. */
async function queued() {
  const rows = await query(
    app,
    `select kind, coalesce(source, reason, '') as why, sum(amount)::integer as amount
     from page_event_queue group by 1, 2 order by 1, 2`,
  )
  return rows.map((row) => Queued.parse(row)).map(({ kind, why, amount }) => [kind, why, amount])
}

const Queued = z.object({ kind: z.string(), why: z.string(), amount: z.number() })

/** Opens the page, and waits until it has done all that it does by itself. */
async function look(page: Page, address = PAGE): Promise<void> {
  await page.goto(address)
  await page.getByRole('heading', { name: 'Offerte Speciali' }).waitFor()
  await page.waitForLoadState('networkidle')
}

const order = (page: Page) => page.getByRole('link', { name: /^(Ordina|Prenota) via WhatsApp/ })

describe('a customer', () => {
  it('leaves one view, what they have seen, and each message with its product', async () => {
    const page = await customer()
    await look(page, `${PAGE}?da=volantino`)
    expect(new URL(page.url()).search).toBe('')
    await expect.poll(views).toHaveLength(1)
    const [view] = await views()
    expect(view).toMatchObject({ user_agent: 'Chrome · Android', referrer: null })
    expect(view?.visitor_ip).toMatch(/^[\w-]{22}$/)
    expect(await events()).toEqual([])

    const product = await page.getByRole('article').first().getByRole('heading').innerText()
    // Longer than an offer must be on the screen.
    await page.waitForTimeout(1_500)
    const chat = page.waitForEvent('popup')
    await order(page).first().click()
    await (await chat).close()
    await expect.poll(events).toEqual([{ kind: 'whatsapp_tapped', product }])
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0])
    expect(await page.context().cookies()).toEqual([])
    // By hand: in a page that is really left, the browser calls itself a program again.
    await page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
    await expect.poll(queued).toEqual([
      ['offer_seen', '', 1],
      ['view', 'flyer', 1],
      ['whatsapp_tapped', '', 1],
    ])
  })

  it('who loads the page again at once has seen it once, and later twice', async () => {
    const page = await customer()
    await look(page)
    await expect.poll(views).toHaveLength(1)
    await lookAgain(page)
    expect(await views()).toHaveLength(1)
    await query(app, "update visitors set viewed_at = viewed_at - interval '31 seconds'")
    await lookAgain(page)
    const [first, second, ...others] = await views()
    expect(others).toEqual([])
    expect(second?.visitor_ip).toBe(first?.visitor_ip)
  })
})

async function lookAgain(page: Page): Promise<void> {
  const answered = page.waitForResponse('**/api/public/page-events')
  await page.reload()
  expect((await answered).status()).toBe(200)
}

describe('visitors who are no customers are not counted', () => {
  it('staff, whose browser has a session', async () => {
    const context = await openContext(app, { userAgent: PHONE })
    await withoutWhatsApp(context)
    const page = await context.newPage()
    await signIn(page)
    await look(page)
    const chat = page.waitForEvent('popup')
    await order(page).first().click()
    await (await chat).close()
    await expect.poll(queued).toEqual([['excluded', 'staff', 1]])
  })

  it('a visitor who asks not to be tracked', async () => {
    const context = await openContext(app, { userAgent: PHONE })
    await context.setExtraHTTPHeaders({ dnt: '1', 'sec-gpc': '1' })
    await context.addInitScript(() =>
      Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }),
    )
    const page = await context.newPage()
    const sent = pageEventsOf(page)
    await look(page)
    await expect.poll(queued).toEqual([['excluded', 'privacy', 1]])
    expect(sent).toEqual([])
  })
})

function pageEventsOf(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/public/page-events')) sent.push(request.method())
  })
  return sent
}
