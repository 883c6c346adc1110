import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, accounts, startApp } from './support/app.ts'
import { choosePassword, enter, openPage, openWritable, signIn } from './support/browser.ts'
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
    await page.getByRole('dialog', { name: 'Dettaglio Ordine' }).getByText('Cronologia').waitFor()
  },
  'message to a customer': async (page) => {
    await signIn(page)
    const details = await openWritable(page)
    await details.getByRole('button', { name: 'WhatsApp' }).click()
    await details.getByRole('button', { name: 'Modifica testi' }).click()
    await details.getByRole('button', { name: 'Nuovo testo' }).click()
    await details.getByLabel('Titolo').waitFor()
  },
  'new order': async (page) => {
    await signIn(page)
    await page.getByRole('button', { name: 'Nuovo ordine', exact: true }).click()
    await page.getByRole('button', { name: 'Salva' }).click()
    await page.getByText('Scrivi il nome del cliente.').waitFor()
  },
  export: async (page) => {
    await signIn(page)
    const more = page.getByRole('button', { name: 'Altro', exact: true })
    if (await more.isVisible()) {
      await more.click()
      await page.getByRole('menuitem', { name: 'Esporta' }).click()
    } else await page.getByRole('button', { name: 'Esporta', exact: true }).click()
    await page.getByText('Tutti i 480 ordini.').waitFor()
  },
  'the day': async (page) => {
    await signIn(page)
    await page.goto('/orders/day')
    await page.getByRole('heading', { level: 2 }).first().waitFor()
  },
  'API keys': async (page) => {
    await signIn(page)
    await page.goto('/account/api-keys')
    await page.getByText('Nessuna chiave').waitFor()
  },
  'new API key': async (page) => {
    await signIn(page)
    await page.goto('/account/api-keys')
    await page.getByRole('button', { name: 'Nuova chiave' }).click()
    await page.getByRole('button', { name: 'Crea' }).click()
    await page.getByText('Dai un nome alla chiave.').waitFor()
  },
  'product sheet': async (page) => {
    await signIn(page)
    await page.goto('/product-draft')
    await page.getByLabel('Nome del prodotto').fill('Oki bustine')
    await page.getByLabel('Codice prodotto (Minsan)').fill('934208014')
    await page.getByRole('button', { name: 'Da un link' }).click()
    await page.getByRole('button', { name: 'Genera con AI' }).click()
    await page.getByText('Proposta per «Oki bustine»').waitFor()
  },
  'nothing found': async (page) => {
    await signIn(page)
    await page.getByRole('searchbox', { name: 'Cerca' }).fill('nessuno si chiama così')
    await page.getByText('Nessun ordine trovato').waitFor()
  },
  'filters and views': async (page) => {
    await signIn(page)
    await page.getByRole('button', { name: /^Confermato/ }).click()
    await page.getByRole('button', { name: /^(Filtri|Viste)/ }).click()
    await page.getByRole('button', { name: 'Salva questa vista' }).click()
    await page.getByLabel('Nome della vista').waitFor()
  },
  'selected orders': async (page) => {
    await signIn(page)
    const choose = page.getByRole('button', { name: 'Seleziona', exact: true })
    const boxes = page.getByRole('checkbox', { name: /^Seleziona ordine/ })
    await choose.or(boxes.first()).first().waitFor()
    if (await choose.isVisible()) await choose.click()
    await boxes.nth(1).check()
    await page.getByRole('region', { name: 'Ordini selezionati' }).waitFor()
  },
  shortcuts: async (page) => {
    await signIn(page)
    await page.getByText('Pagina 1 di 24 • 480 ordini totali').waitFor()
    await page.waitForFunction(() => document.querySelector('[data-order]') !== null)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Scorciatoie da tastiera' }).waitFor()
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
    for (const name of ['dashboard', 'the day', 'API keys', 'product sheet', 'privacy']) {
      const page = await openPage(app, look)
      await screens[name]?.(page)
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect([name, excess]).toEqual([name, 0])
    }
  })
})
