import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { accounts, password, startAppOn } from './support/app.ts'
import { newDataFolder } from './support/data-folder.ts'
import { launch } from './support/launch.ts'
import { root } from './support/process.ts'

/**
 * `npm run screenshots` takes the pictures of the README. With a folder as its argument it takes every
 * screen there, narrow, middle and wide, light and dark: to be looked at.
 */
const [folder] = process.argv.slice(2)
const app = await startAppOn(await newDataFolder())
const browser = await launch()

async function open(width: number, dark: boolean): Promise<Page> {
  const context = await browser.newContext({
    baseURL: app.url,
    locale: 'it-IT',
    timezoneId: 'Europe/Rome',
    colorScheme: dark ? 'dark' : 'light',
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

async function everyScreen(target: string) {
  await mkdir(target, { recursive: true })
  for (const width of [360, 768, 1440]) {
    for (const dark of [false, true]) {
      const page = await open(width, dark)
      const shoot = (name: string) =>
        page.screenshot({ path: join(target, `${name}-${width}-${dark ? 'dark' : 'light'}.png`) })
      for (const path of ['login', 'privacy', 'non-esiste']) {
        await page.goto(`/${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await shoot(path)
      }
      await signIn(page)
      await shoot('dashboard')
      await page
        .getByRole('button', { name: /Dettagli/ })
        .nth(1)
        .click()
      await page.getByRole('dialog').waitFor()
      await shoot('dialog')
      await page.context().close()
    }
  }
}

try {
  if (folder) await everyScreen(folder)
  else {
    const page = await open(1440, false)
    await signIn(page)
    await page.screenshot({ path: join(root, 'docs/dashboard.png') })
    const phone = await open(390, false)
    await phone.goto('/offers/PHARM-0001')
    await phone.getByRole('article').first().waitFor()
    await phone.evaluate(() => document.fonts.ready)
    await phone.screenshot({ path: join(root, 'docs/public-page.png') })
  }
} finally {
  await browser.close()
  await app.dispose()
}
