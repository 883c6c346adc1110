import type { Page } from 'playwright-core'
import { countPageViews } from './analytics.ts'
import type { App } from './app.ts'
import { openPharmacy } from './browser.ts'

/** How each screen of analytics is opened. */
export function analyticsScreens(app: () => App): Record<string, (page: Page) => Promise<void>> {
  let pageViews: Promise<void> | undefined

  async function open(page: Page, path: string): Promise<void> {
    pageViews ??= countPageViews(app())
    await pageViews
    await openPharmacy(page, path)
  }

  return {
    analytics: async (page) => {
      await open(page, '/analytics')
      await page.getByRole('button', { name: 'Aggiorna' }).click()
      await page.getByText('In questo momento').waitFor()
      await page
        .getByRole('figure', { name: 'Visualizzazioni' })
        .getByRole('button', { name: 'Mostra tabella' })
        .click()
      await page.getByRole('button', { name: 'Aggiungi nota' }).click()
      await page.getByRole('button', { name: 'Aggiungi', exact: true }).click()
      await page.getByText('Scrivi la nota.').waitFor()
    },
    'traffic of analytics': async (page) => {
      await open(page, '/analytics?scheda=traffico')
      await page.getByRole('table', { name: 'Offerta per offerta' }).waitFor()
    },
    'orders of analytics': async (page) => {
      await open(page, '/analytics?scheda=ordini&periodo=personalizzato')
      await page.getByText("Scegli l'ultimo giorno.").waitFor()
      await page.getByText('Attesa fino alla conferma').first().waitFor()
    },
    'report of analytics': async (page) => {
      await open(page, '/analytics/report')
      await page.getByText('Che cosa significano i numeri').waitFor()
    },
    'settings of analytics': async (page) => {
      await open(page, '/analytics/settings')
      await page.getByRole('switch').first().waitFor()
    },
  }
}
