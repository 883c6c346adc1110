import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Airtable, FROM_AIRTABLE, startAirtable } from './support/airtable.ts'
import { type App, accounts, startApp } from './support/app.ts'
import { openContext, signIn, untilLive } from './support/browser.ts'
import { type PushService, startPushService } from './support/push-service.ts'

let airtable: Airtable
let push: PushService
let app: App
beforeAll(async () => {
  ;[airtable, push] = await Promise.all([startAirtable(), startPushService()])
  app = await startApp({ ...airtable.env, OUTBOUND_ALLOW: push.url })
})
afterAll(async () => {
  await app.dispose()
  await Promise.all([airtable.dispose(), push.dispose()])
})

const Manifest = z.looseObject({
  icons: z.array(z.object({ src: z.string(), sizes: z.string(), purpose: z.string().optional() })),
})

type Shown = { title: string; body: string; tag: string; requireInteraction: boolean }

/** The notifications that the system would show now. */
function shown(page: Page): Promise<Shown[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const notifications = await registration.getNotifications()
    return notifications.map(({ title, body, tag, requireInteraction }) => ({
      title,
      body,
      tag,
      requireInteraction,
    }))
  })
}

const twoOrders: Shown = {
  title: 'Bancone - Nuovi ordini',
  body: 'Hai 2 nuovi ordini',
  tag: 'new-orders',
  requireInteraction: true,
}

async function allowed(): Promise<BrowserContext> {
  const context = await openContext(app, { notifications: true })
  await context.grantPermissions(['notifications'], { origin: app.url })
  return context
}

/** As when another tab is in front of it: this browser without a screen shows every tab. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })
    Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

describe('a hidden tab', () => {
  it('raises a notification that says how many orders are new, and nothing of them', async () => {
    const page = await (await allowed()).newPage()
    await signIn(page)
    await page.getByRole('button', { name: 'Notifiche sistema attive' }).waitFor()
    await untilLive(page)
    // Before the service worker is active the page raises a notification itself.
    expect(await shown(page)).toEqual([])
    await hide(page)
    await airtable.order({ Cliente: 'Riservata Molto', Ordine: 'Cosa segreta' })
    await expect.poll(() => shown(page), FROM_AIRTABLE).toHaveLength(1)
    await airtable.order({ Cliente: 'Riservata Troppo', Ordine: 'Altra cosa segreta' })
    await expect.poll(() => shown(page), FROM_AIRTABLE).toEqual([twoOrders])
  }, 180_000)
})

describe('the application', () => {
  it('can be installed, under its name and with its icons', async () => {
    const context = await openContext(app)
    const page = await context.newPage()
    await page.goto('/login')
    const session = await context.newCDPSession(page)
    const { errors, data } = await session.send('Page.getAppManifest')
    expect(errors).toEqual([])
    const manifest = Manifest.parse(JSON.parse(data ?? ''))
    expect(manifest).toMatchObject({ name: 'Bancone', display: 'standalone', start_url: '/' })
    const sizes = await page.evaluate(
      (sources) =>
        Promise.all(
          sources.map(async (source) => {
            const image = new Image()
            image.src = source
            await image.decode()
            return `${image.naturalWidth}x${image.naturalHeight}`
          }),
        ),
      manifest.icons.map(({ src }) => src),
    )
    const wanted = manifest.icons.map(({ sizes: said }, index) =>
      said === 'any' ? sizes[index] : said,
    )
    expect(sizes).toEqual(wanted)
    expect(wanted).toEqual(expect.arrayContaining(['192x192', '512x512']))
    expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true)
  })
})

describe('Web Push', () => {
  it('tells of a new order with every tab of ours closed', async () => {
    const context = await allowed()
    const device = await push.addDevice()
    // A browser gets its subscription from a service of its maker, which is not here.
    await context.addInitScript(pretendToSubscribe, device.subscription)
    const page = await context.newPage()
    await signIn(page)
    await page.getByRole('button', { name: 'Notifiche sistema attive' }).waitFor()
    await page.getByRole('button', { name: /^Avvisi/ }).click()
    await page.getByRole('button', { name: 'Invia una notifica di prova' }).click()
    const messages = async () =>
      (await push.messages(device.id)).map((text): unknown => JSON.parse(text))
    await expect.poll(messages, { timeout: 10_000 }).toMatchObject([{ kind: 'test' }])

    const workers = await serviceWorkers(context, page)
    await page.goto('about:blank')
    await airtable.order({ Cliente: 'Riservata Ancora', Ordine: 'Cosa segreta' })
    await expect
      .poll(async () => (await messages()).at(-1), { timeout: 100_000 })
      .toMatchObject({ kind: 'new-orders', count: expect.any(Number) as unknown })
    const text = (await push.messages(device.id)).at(-1) ?? ''
    expect(text).not.toContain('segreta')

    // What the service would hand over, handed over.
    await workers.deliver(text)
    await page.goto('/privacy')
    await expect.poll(() => shown(page), { timeout: 10_000 }).toHaveLength(1)
    expect(await shown(page)).toMatchObject([
      { title: 'Bancone - Nuovi ordini', tag: 'new-orders', requireInteraction: true },
    ])
  }, 180_000)

  it('ends with the session', async () => {
    const context = await allowed()
    const device = await push.addDevice()
    await context.addInitScript(pretendToSubscribe, device.subscription)
    const page = await context.newPage()
    await signIn(page)
    await page.getByRole('button', { name: /^Avvisi/ }).click()
    const test = page.getByRole('button', { name: 'Invia una notifica di prova' })
    await test.click()
    await expect.poll(() => push.messages(device.id), { timeout: 10_000 }).toHaveLength(1)
    await page.keyboard.press('Escape')
    const token = await app.token(accounts.sanMarco)
    await page.getByRole('button', { name: 'Farmacia San Marco' }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.waitForURL('**/login')
    await expect
      .poll(async () => {
        const reply = await fetch(`${app.url}/api/notifications/test`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ endpoint: device.subscription.endpoint }),
        })
        return reply.status
      })
      .toBe(404)
  })
})

/** Runs in the page: its push manager subscribes at once, to that service. */
function pretendToSubscribe(given: { endpoint: string; keys: { p256dh: string; auth: string } }) {
  const bytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
      one.charCodeAt(0),
    ).buffer
  let options: PushSubscriptionOptionsInit | undefined
  const subscription = {
    endpoint: given.endpoint,
    expirationTime: null,
    get options() {
      return { userVisibleOnly: true, applicationServerKey: options?.applicationServerKey ?? null }
    },
    getKey: (name: 'p256dh' | 'auth') => bytes(given.keys[name]),
    toJSON: () => given,
    unsubscribe: async () => {
      options = undefined
      return true
    },
  }
  Object.assign(PushManager.prototype, {
    getSubscription: async () => (options ? subscription : null),
    subscribe: async (wanted: PushSubscriptionOptionsInit) => {
      options = wanted
      return subscription
    },
  })
}

/** What a browser does with a message that its push service hands over. */
async function serviceWorkers(context: BrowserContext, page: Page) {
  const session: CDPSession = await context.newCDPSession(page)
  const known = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await known
  return {
    deliver: (data: string) =>
      session.send('ServiceWorker.deliverPushMessage', { origin: app.url, registrationId, data }),
  }
}
