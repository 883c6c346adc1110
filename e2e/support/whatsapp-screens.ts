import type { Page } from 'playwright-core'
import type { App } from './app.ts'
import { signIn } from './browser.ts'
import { query } from './database.ts'
import { endLogin, prepareLogin } from './whatsapp.ts'

/** How each screen of the WhatsApp connection is opened. */
export const whatsAppScreens = (app: () => App): Record<string, (page: Page) => Promise<void>> => ({
  'the WhatsApp connection': async (page) => {
    await query(app(), 'delete from whatsapp_connections')
    await signIn(page)
    await page.goto('/meta')
    await prepareLogin(page)
    await endLogin(page, 'Interrompi a PERMISSIONS')
    await page.getByText('Collegamento interrotto').waitFor()
    await page.getByText('Collega a mano').click()
    await page.getByRole('button', { name: 'Collega con il token' }).click()
    await page.getByText('Incolla il token intero').waitFor()
  },
  'the connected WhatsApp number': async (page) => {
    await query(app(), 'delete from whatsapp_connections')
    await signIn(page)
    await page.goto('/meta')
    await prepareLogin(page)
    await endLogin(page, 'Numero non verificato')
    await page.getByText('Registrazione del numero: non riuscita').waitFor()
  },
})
