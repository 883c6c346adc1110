import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { type App, accounts, password } from './app.ts'
import { launch } from './launch.ts'

/** For all journeys of a worker, with and without notifications; they end with the worker. */
const browsers = new Map<boolean, Promise<Browser>>()

function launched(notifications: boolean): Promise<Browser> {
  const browser = launch({ notifications })
  browsers.set(notifications, browser)
  return browser
}

async function browserWith(notifications: boolean): Promise<Browser> {
  const browser = await (browsers.get(notifications) ?? launched(notifications))
  // A browser that has crashed fails its own journey, and not those that follow.
  return browser.isConnected() ? browser : launched(notifications)
}

const contexts: BrowserContext[] = []

/** How many windows with a profile of their own are open. */
export function openContexts(): number {
  return contexts.length
}

/** The toasts, alerts and dialogs of each open page, for the report of a failed journey. */
export async function noticesShown(): Promise<string> {
  const pages = contexts.flatMap((context) => context.pages())
  const notices = '[data-sonner-toast], [role=alert], [role=dialog], [role=alertdialog]'
  const texts = pages.map(async (page) => {
    const shown = await page.locator(notices).allInnerTexts()
    return [page.url(), ...shown.map((text) => JSON.stringify(text))].join('\n  ')
  })
  const settled = await Promise.allSettled(texts)
  return settled.map((text) => (text.status === 'fulfilled' ? text.value : 'closed')).join('\n')
}

/** Closes all but the first so many of them. */
export async function closeContexts(kept: number): Promise<void> {
  for (const context of contexts.splice(kept)) await context.close()
}

export type Look = {
  width?: number
  height?: number
  /** Pixels of the screen for each CSS pixel. */
  scale?: number
  dark?: boolean
  /** What the browser calls itself: without a window it says that it is a program. */
  userAgent?: string
  /** Whether notifications can be shown. */
  notifications?: boolean
}

/** A window of a new browser profile, on that application. */
export async function openPage(app: App, look: Look = {}): Promise<Page> {
  const context = await openContext(app, look)
  return context.newPage()
}

export async function openContext(app: App, look: Look = {}): Promise<BrowserContext> {
  const browser = await browserWith(look.notifications ?? false)
  const context = await browser.newContext({
    baseURL: app.url,
    locale: 'it-IT',
    timezoneId: 'Europe/Rome',
    colorScheme: look.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    viewport: { width: look.width ?? 1440, height: look.height ?? 900 },
    deviceScaleFactor: look.scale ?? 1,
    ...(look.userAgent && { userAgent: look.userAgent }),
  })
  contexts.push(context)
  // For a machine that is busy.
  context.setDefaultTimeout(30_000)
  return context
}

/** Waits until the page is connected. After a broken connection a hidden status says it as well. */
export const untilLive = (page: Page): Promise<void> =>
  page.getByRole('paragraph').filter({ hasText: 'In tempo reale' }).waitFor()

/** Fills the login screen that is shown, of whichever area, and sends it. */
export async function enter(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Accedi', exact: true }).click()
}

/** Fills the form for a new password and sends it. */
export async function choosePassword(page: Page, text: string, again = text): Promise<void> {
  await page.getByLabel('Nuova password', { exact: true }).fill(text)
  await page.getByLabel('Ripeti la password', { exact: true }).fill(again)
  await page.getByRole('button', { name: 'Salva la nuova password' }).click()
}

/** Where each part of the app keeps its session. */
const sessionKeys = { pharmacy: 'bancone-pharmacy-auth', admin: 'bancone-admin-auth' }

/** The login screens have journeys of their own; here a new session is stored in the browser as they would. */
async function storeSession(page: Page, area: keyof typeof sessionKeys, email: string) {
  const reply = await page.request.post('/auth/v1/token?grant_type=password', {
    data: { email, password },
  })
  if (!reply.ok()) throw new Error(`could not sign in: ${reply.status()} ${await reply.text()}`)
  await page.goto('/healthz')
  const stored: [string, string] = [sessionKeys[area], await reply.text()]
  await page.evaluate(([key, session]) => {
    localStorage.clear()
    localStorage.setItem(key, session)
  }, stored)
}

/**
 * Opens the dashboard with a new session of that account, and waits until the orders, or the failure to load them, are
 * shown: what comes with them moves the page.
 */
export async function signIn(page: Page, email: string = accounts.sanMarco): Promise<void> {
  await openPharmacy(page, '/', email)
  const list = page.getByRole('region', { name: 'Elenco degli ordini' })
  const failure = page.getByRole('alert')
  await list.and(page.locator('[aria-busy=false]')).or(failure).first().waitFor()
}

/** Opens a page of the dashboard with a new session of that account. */
export async function openPharmacy(
  page: Page,
  path: string,
  email: string = accounts.sanMarco,
): Promise<void> {
  await storeSession(page, 'pharmacy', email)
  await page.goto(path)
}

/** Opens a page of the administration with a new session of the demo's administrator. */
export async function openAdministration(page: Page, path: string): Promise<void> {
  await storeSession(page, 'admin', accounts.admin)
  await page.goto(path)
}

/** On the dashboard: opens the details of the first order whose customer can be written to. */
export async function openWritable(page: Page): Promise<Locator> {
  const openers = page.getByRole('button', { name: /^Dettagli/ })
  await openers.first().waitFor()
  const details = page.getByRole('dialog', { name: 'Dettaglio Ordine' })
  for (const opener of await openers.all()) {
    await opener.click()
    await details.getByText('Cronologia').waitFor()
    if (await details.getByRole('button', { name: 'WhatsApp' }).isVisible()) return details
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
  }
  throw new Error('no order of the page has a telephone number')
}
