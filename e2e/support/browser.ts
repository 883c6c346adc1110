import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { type App, accounts, password } from './app.ts'
import { launch } from './launch.ts'

let browser: Browser | undefined

export type Look = {
  width?: number
  height?: number
  dark?: boolean
  /** What the browser calls itself: without a window it says that it is a program. */
  userAgent?: string
}

/** A window of a new browser profile, on that application. */
export async function openPage(app: App, look: Look = {}): Promise<Page> {
  const context = await openContext(app, look)
  return context.newPage()
}

export async function openContext(app: App, look: Look = {}): Promise<BrowserContext> {
  browser ??= await launch()
  const context = await browser.newContext({
    baseURL: app.url,
    locale: 'it-IT',
    timezoneId: 'Europe/Rome',
    colorScheme: look.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    viewport: { width: look.width ?? 1440, height: look.height ?? 900 },
    ...(look.userAgent && { userAgent: look.userAgent }),
  })
  context.setDefaultTimeout(15_000)
  return context
}

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

/** Opens the login screen, fills it and waits for the dashboard. */
export async function signIn(page: Page, email: string = accounts.sanMarco): Promise<void> {
  await page.goto('/login')
  await enter(page, email)
  await page.getByRole('heading', { level: 1, name: 'Ordini' }).waitFor()
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

afterAll(async () => {
  await browser?.close()
  browser = undefined
})
