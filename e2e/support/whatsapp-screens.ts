import type { Page } from 'playwright-core'
import type { App } from './app.ts'
import { openWritable, signIn } from './browser.ts'
import { query } from './database.ts'
import { endLogin, prepareLogin } from './whatsapp.ts'

/** All customers have consented to messages and have written. */
const SPEAKING = `
  with settings as (
    insert into whatsapp_message_settings (pharmacy_id, is_on, terms_version, daily_limit)
    select id, true, 1, 100 from pharmacies on conflict do nothing
  ), contact as (
    insert into whatsapp_contacts (pharmacy_id, phone, last_inbound_at)
    select distinct pharmacy_id, customer_phone, now() from pharmacy_orders
    where customer_phone ~ '^\\+39\\d{9,10}$'
    on conflict (pharmacy_id, phone) do update set last_inbound_at = now() returning *
  ), consent as (
    insert into whatsapp_consents (pharmacy_id, contact_id, is_given, wording_version, wording, channel, recorded_by)
    select pharmacy_id, id, true, 1, 'Vuole?', 'counter', pharmacy_id from contact
  )
  insert into whatsapp_inbound (pharmacy_id, contact_id, message_id, type, at)
  select pharmacy_id, id, phone, 'image', now() from contact on conflict do nothing`

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
  'WhatsApp in an order': async (page) => {
    await query(app(), SPEAKING)
    await signIn(page)
    const details = await openWritable(page)
    await details.getByText('Consenso e altro').click()
    await details.getByRole('button', { name: 'Rispondi', exact: true }).click()
    await details.getByRole('form', { name: 'Risposta al cliente' }).waitFor()
  },
})
