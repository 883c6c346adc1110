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
  await query(app, 'delete from offer_page_views')
  await query(app, 'delete from offer_events')
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
     left join product_offers offer on offer.id = event.offer_id order by event.id`,
  )
  return z.array(z.object({ kind: z.string(), product: z.string().nullable() })).parse(rows)
}

/** Opens the page, and waits until it has done all that it does by itself. */
async function look(page: Page): Promise<void> {
  await page.goto(PAGE)
  await page.getByRole('heading', { name: 'Offerte Speciali' }).waitFor()
  await page.waitForLoadState('networkidle')
}

const order = (page: Page) => page.getByRole('link', { name: /^(Ordina|Prenota) via WhatsApp/ })

describe('a customer', () => {
  it('leaves one view, and each message that is begun with its product', async () => {
    const page = await customer()
    await look(page)
    await expect.poll(views).toHaveLength(1)
    const [view] = await views()
    expect(view).toMatchObject({ user_agent: PHONE, referrer: null })
    expect(view?.visitor_ip).toMatch(/^[\w-]{22}$/)
    expect(await events()).toEqual([])

    const product = await page.getByRole('article').first().getByRole('heading').innerText()
    const chat = page.waitForEvent('popup')
    await order(page).first().click()
    await (await chat).close()
    await expect.poll(events).toEqual([{ kind: 'whatsapp_tapped', product }])
  })

  it('who loads the page again at once has seen it once, and later twice', async () => {
    const page = await customer()
    await look(page)
    await expect.poll(views).toHaveLength(1)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    await page.waitForLoadState('networkidle')
    expect(asked).toContain(PAGE)
    expect(asked).not.toContain('/api/public/visits')

    // The server knows it too, whatever the page has forgotten.
    await lookAnew(page)
    expect(await views()).toHaveLength(1)
    await query(app, "update offer_page_views set viewed_at = viewed_at - interval '31 seconds'")
    await lookAnew(page)
    const [first, second, ...others] = await views()
    expect(others).toEqual([])
    expect(second?.visitor_ip).toBe(first?.visitor_ip)
  })
})

/** Loads it again when the page does not know any more that it was seen just now. */
async function lookAnew(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith('bancone-visit:')) sessionStorage.removeItem(key)
    }
  })
  const answered = page.waitForResponse('**/api/public/visits')
  await page.reload()
  expect((await answered).status()).toBe(200)
}

describe('whoever is no customer', () => {
  it('leaves nothing: staff in whose browser somebody is signed in', async () => {
    const context = await openContext(app, { userAgent: PHONE })
    await withoutWhatsApp(context)
    const page = await context.newPage()
    await signIn(page)
    const sent = visitsOf(page)
    await look(page)
    const chat = page.waitForEvent('popup')
    await order(page).first().click()
    await (await chat).close()
    expect([sent, await views(), await events()]).toEqual([[], [], []])
  })

  it('leaves nothing: a program, which this browser without a window says it is', async () => {
    const context = await openContext(app)
    const page = await context.newPage()
    const answered = page.waitForResponse('**/api/public/visits')
    await look(page)
    expect((await answered).status()).toBe(200)
    expect(await views()).toEqual([])
  })
})

function visitsOf(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/public/visits')) sent.push(request.method())
  })
  return sent
}
