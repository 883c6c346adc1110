import type { Page } from 'playwright-core'
import { openAdministration } from './browser.ts'

/** How each screen of the migration of orders is opened. */
export const migrationScreens: Record<string, (page: Page) => Promise<void>> = {
  'orders migration': async (page) => {
    await openAdministration(page, '/admin/orders-migration')
    await page.getByRole('heading', { name: 'Come Funziona' }).waitFor()
  },
  'migration of a pharmacy': async (page) => {
    await openAdministration(page, '/admin/orders-migration')
    await page.getByRole('link', { name: 'Farmacia del Duomo' }).click()
    await page.getByRole('button', { name: 'Simula' }).click()
    await page
      .getByRole('combobox', { name: '«Da ordinare per domani»' })
      .waitFor({ timeout: 60_000 })
    await page.getByText('7 righe').waitFor()
    await page.locator('summary').first().click()
  },
}
