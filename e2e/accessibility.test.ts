import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, accounts, startApp } from './support/app.ts'
import { choosePassword, enter, openPage, signIn } from './support/browser.ts'
import { query } from './support/database.ts'
import { nthMail } from './support/mail.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

const screens: Record<string, (page: Page) => Promise<void>> = {
  login: async (page) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'Accedi' }).waitFor()
  },
  dashboard: async (page) => {
    await signIn(page)
    await page.getByText('Pagina 1 di 24 • 480 ordini totali').waitFor()
  },
  'detail dialog': async (page) => {
    await signIn(page)
    await page
      .getByRole('button', { name: /Dettagli/ })
      .first()
      .click()
    await page.getByRole('dialog', { name: 'Dettaglio Ordine' }).waitFor()
  },
  'administrator login': async (page) => {
    await page.goto('/admin/login')
    await page.getByRole('button', { name: 'Accedi' }).waitFor()
  },
  administration: async (page) => {
    await page.goto('/admin/login')
    await enter(page, accounts.admin)
    await page.getByRole('heading', { level: 1, name: /Dashboard/ }).waitFor()
  },
  'link of a mail': async (page) => {
    await page.goto('/confirm#token_hash=invented&type=recovery')
    await page.getByRole('button', { name: 'Continua' }).waitFor()
  },
  'link that was used': async (page) => {
    await page.goto('/confirm#token_hash=invented&type=recovery')
    await page.getByRole('button', { name: 'Continua' }).click()
    await page.getByText('Il link è scaduto o è già stato usato.').waitFor()
  },
  'new password': async (page) => {
    await openNewPassword(page)
    await choosePassword(page, 'password12', 'altra')
    await page.getByText(/Debole|Discreta/).waitFor()
  },
  privacy: async (page) => {
    await page.goto('/privacy')
    await page.getByRole('heading', { level: 1 }).waitFor()
  },
  'not found': async (page) => {
    await page.goto('/non-esiste')
    await page.getByRole('heading', { name: /Pagina non trovata/ }).waitFor()
  },
}

let recoveries = 0

/** The form a recovery link leads to. */
async function openNewPassword(page: Page): Promise<void> {
  recoveries += 1
  // An account may ask for one mail a minute.
  await query(app, 'delete from rate_limits')
  await page.goto('/login')
  await page.getByLabel('Email').fill(accounts.garibaldi)
  await page.getByRole('button', { name: 'Password dimenticata?' }).click()
  await page.goto((await nthMail(app, accounts.garibaldi, recoveries)).link)
  await page.getByRole('button', { name: 'Continua' }).click()
  await page.getByLabel('Nuova password', { exact: true }).waitFor()
}

const looks = [
  { width: 1440, dark: false },
  { width: 1440, dark: true },
  { width: 360, dark: false },
  { width: 360, dark: true },
]

describe.each(looks)('at $width px, dark $dark', (look) => {
  it.each(Object.entries(screens))('axe finds nothing on: %s', async (_name, open) => {
    const page = await openPage(app, look)
    await open(page)
    const { violations, passes } = await new AxeBuilder({ page }).analyze()
    const found = violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])
    expect(found).toEqual([])
    expect(passes.length).toBeGreaterThan(10)
  })

  it('no page is wider than its window', async () => {
    const page = await openPage(app, look)
    for (const open of [screens['dashboard'], screens['privacy']]) {
      await open?.(page)
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(excess).toBe(0)
    }
  })
})
