import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, accounts, startApp } from './support/app.ts'
import { confirmPresence } from './support/authenticator.ts'
import { openPage, openPharmacy } from './support/browser.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

const orders = (page: Page) => page.getByRole('heading', { level: 1, name: 'Ordini' })
const linked = (page: Page) => page.getByRole('region', { name: 'Accessi collegati' })

async function choose(page: Page, email: string) {
  await page.getByRole('button', { name: email }).click()
}

describe('another service', () => {
  it('lets in who has an account, back to the page they wanted', async () => {
    const page = await openPage(app, { width: 360, height: 740 })
    await page.goto('/account')
    await page.waitForURL('**/login')
    await page.getByRole('button', { name: 'Accedi con DemoID' }).click()
    await choose(page, accounts.garibaldi)
    await page.getByRole('heading', { level: 1, name: 'Sicurezza' }).waitFor()
    const address = new URL(page.url())
    expect([address.pathname, address.search, address.hash]).toEqual(['/account', '', ''])
    await linked(page).getByText(accounts.garibaldi).waitFor()
  })

  it('is linked and unlinked by who is signed in', async () => {
    const page = await openPage(app)
    await openPharmacy(page, '/account')
    await linked(page).getByRole('button', { name: 'Collega DemoID' }).click()
    await confirmPresence(page)
    await choose(page, 'ospite@demo.bancone.it')
    await linked(page).getByText('ospite@demo.bancone.it').waitFor()

    const elsewhere = await openPage(app)
    await elsewhere.goto('/login')
    await elsewhere.getByRole('button', { name: 'Accedi con DemoID' }).click()
    await choose(elsewhere, 'ospite@demo.bancone.it')
    await orders(elsewhere).waitFor()
    await elsewhere.getByText('Pagina 1 di 24 • 480 ordini totali').waitFor()

    await linked(page).getByRole('button', { name: 'Scollega DemoID' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Scollega' }).click()
    await linked(page).getByText('Non collegato').waitFor()

    const late = await openPage(app)
    await late.goto('/login')
    await late.getByRole('button', { name: 'Accedi con DemoID' }).click()
    await choose(late, 'ospite@demo.bancone.it')
    await late
      .getByRole('alert')
      .filter({ hasText: /account/ })
      .waitFor()
  })
})
