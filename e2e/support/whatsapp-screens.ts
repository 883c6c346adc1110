import { whatsAppTerms } from '@bancone/contract/whatsapp-terms'
import type { Page } from 'playwright-core'
import type { App } from './app.ts'
import { openPharmacy, openWritable, signIn } from './browser.ts'
import { query } from './database.ts'
import { endLogin, prepareLogin } from './whatsapp.ts'

/** The customer of all orders has consented to messages and has written. */
const SPEAKING = `
  with settings as (
    insert into whatsapp_message_settings (pharmacy_id, is_on, terms_version, daily_limit)
    select id, true, $1, 100 from pharmacies on conflict do nothing
  ), contact as (
    insert into whatsapp_contacts (pharmacy_id, user_id, last_inbound_at)
    select id, 'IT.1', now() from pharmacies
    on conflict (pharmacy_id, user_id) do update set last_inbound_at = now() returning *
  ), link as (
    insert into whatsapp_order_contacts (order_id, pharmacy_id, contact_id)
    select record.id, pharmacy_id, contact.id
    from pharmacy_orders as record join contact using (pharmacy_id) on conflict do nothing
  ), consent as (
    insert into whatsapp_consents
      (pharmacy_id, contact_id, is_given, wording_version, wording, channel, recorded_by)
    select pharmacy_id, id, true, 1, 'Vuole?', 'counter', pharmacy_id from contact
  )
  insert into whatsapp_inbound (pharmacy_id, contact_id, message_id, type, at)
  select pharmacy_id, id, 'wamid.image', 'image', now() from contact on conflict do nothing`

/** How each screen of the WhatsApp connection and of messages is opened. */
export const whatsAppScreens = (app: () => App): Record<string, (page: Page) => Promise<void>> => ({
  'the WhatsApp connection': async (page) => {
    await query(app(), 'delete from whatsapp_connections')
    await openPharmacy(page, '/meta')
    await prepareLogin(page)
    await endLogin(page, 'Interrompi a PERMISSIONS')
    await page.getByText('Collegamento interrotto').waitFor()
    await page.getByText('Collega a mano').click()
    await page.getByRole('button', { name: 'Collega con il token' }).click()
    await page.getByText('Incolla il token intero').waitFor()
  },
  'the connected WhatsApp number': async (page) => {
    await query(app(), 'delete from whatsapp_connections')
    await openPharmacy(page, '/meta')
    await prepareLogin(page)
    await endLogin(page, 'Numero non verificato')
    await page.getByText('Registrazione del numero: non riuscita').waitFor()
  },
  'WhatsApp in an order': async (page) => {
    await signIn(page)
    // Once the orders have been copied.
    await page
      .getByRole('button', { name: /Dettagli/ })
      .first()
      .waitFor()
    await query(app(), SPEAKING, [whatsAppTerms.version])
    const details = await openWritable(page)
    await details.getByText('Consenso e altro').click()
    await details.getByRole('button', { name: 'Rispondi', exact: true }).click()
    await details.getByRole('form', { name: 'Risposta al cliente' }).waitFor()
  },
})
