import type { Page } from 'playwright-core'
import { openAdministration } from './browser.ts'

/** How each screen of the administration is opened. */
export const administrationScreens: Record<string, (page: Page) => Promise<void>> = {
  'settings of the platform': async (page) => {
    await openAdministration(page, '/admin/settings')
    await page.getByRole('button', { name: 'Conferma la scheda' }).click()
    await page.getByText('Scrivi gli ultimi 8 caratteri della chiave.').waitFor()
  },
  'pharmacies of the administration': async (page) => {
    await openAdministration(page, '/admin/pharmacies')
    await page.getByRole('link', { name: 'Farmacia San Marco' }).waitFor()
  },
  'token of a pharmacy': async (page) => {
    await openAdministration(page, '/admin/pharmacies')
    await page.getByRole('link', { name: 'Farmacia San Marco' }).click()
    await page.getByRole('button', { name: 'Imposta token' }).click()
    await page.getByRole('button', { name: 'Prova e salva' }).click()
    await page.getByText(/Incolla il token per intero/).waitFor()
  },
  'new pharmacy': async (page) => {
    await openAdministration(page, '/admin/pharmacies/new')
    await page.getByRole('radio', { name: 'Imposta una password' }).check()
    await page.getByRole('button', { name: 'Salva' }).click()
    await page.getByText('Il nome della farmacia è obbligatorio').waitFor()
  },
  'import of pharmacies': async (page) => {
    await openAdministration(page, '/admin/pharmacies/import')
    await page.getByRole('heading', { name: 'Come si compila' }).waitFor()
  },
  'a plan': async (page) => {
    await openAdministration(page, '/admin/subscription-plans')
    await page
      .getByRole('button', { name: /^Azioni:/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Modifica' }).click()
    await page.getByRole('dialog').getByLabel('Prezzo (€)').waitFor()
  },
  categories: async (page) => {
    await openAdministration(page, '/admin/categories')
    await page.getByText('Mamma e bambino', { exact: true }).waitFor()
  },
}
