import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { accounts, password, startAppOn } from './support/app.ts'
import { newDataFolder } from './support/data-folder.ts'
import { launch } from './support/launch.ts'
import { root } from './support/process.ts'

/** `npm run screenshots` takes the pictures of the README. */
const app = await startAppOn(await newDataFolder())
const browser = await launch()

async function open(width: number): Promise<Page> {
  const context = await browser.newContext({
    baseURL: app.url,
    locale: 'it-IT',
    timezoneId: 'Europe/Rome',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    ...(width < 500
      ? { viewport: { width, height: 780 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }
      : { viewport: { width, height: 900 } }),
  })
  return context.newPage()
}

async function signIn(page: Page) {
  await page.goto('/login')
  await page.getByLabel('Email').fill(accounts.sanMarco)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByText(/480 ordini totali/).waitFor()
  await page.evaluate(() => document.fonts.ready)
}

try {
  const page = await open(1440)
  await signIn(page)
  await page.screenshot({ path: join(root, 'docs/dashboard.png') })
  const phone = await open(390)
  await phone.goto('/offers/PHARM-0001')
  await phone.getByRole('article').first().waitFor()
  await phone.evaluate(() => document.fonts.ready)
  await phone.screenshot({ path: join(root, 'docs/public-page.png') })
} finally {
  await browser.close()
  await app.dispose()
}
