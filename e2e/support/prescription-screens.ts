import type { Page } from 'playwright-core'
import { z } from 'zod'
import type { App } from './app.ts'
import { openPharmacy } from './browser.ts'
import { query } from './database.ts'

const Updated = z.tuple([z.object({ id: z.string() })])

/** Gives an order of San Marco, whose customer can be written to, that text. @returns the address of its details */
export async function orderWith(app: App, text: string): Promise<string> {
  const updated = await query(
    app,
    `update pharmacy_orders set order_details = $1, customer_phone = '+39 333 765 4321' where id = (
       select record.id from pharmacy_orders as record
       join pharmacies as pharmacy on pharmacy.id = record.pharmacy_id
       where pharmacy.pharmacy_id = 'PHARM-0001' and status = 'In attesa'
         and order_number is not null
       order by airtable_created desc limit 1
     ) returning airtable_order_id as id`,
    [text],
  )
  const [{ id }] = Updated.parse(updated)
  return `/?ordine=${id}`
}

/** Codes of two people; the second one's have errors. */
export const twoPeople = `Tachipirina e Augmentin
Per me RSSMRA79B11C566R, NRE 1300A4000000248
Per mia madre CTTPSC84D15F205X, NRE 1200A123456789`

export const showToReader = (page: Page) => page.getByRole('button', { name: 'Mostra al lettore' })
/** The bars that are shown. */
export const bar = (page: Page) => page.getByRole('img', { name: /^Codice a barre/ })

/** How each screen with codes of prescriptions is opened. */
export const prescriptionScreens = (
  app: () => App,
): Record<string, (page: Page) => Promise<void>> => ({
  'codes of a prescription': async (page) => {
    await openPharmacy(page, await orderWith(app(), twoPeople))
    await showToReader(page).waitFor()
    await page.getByText('Cronologia').waitFor()
  },
  'bars for the reader': async (page) => {
    await openPharmacy(page, await orderWith(app(), twoPeople))
    await showToReader(page).click()
    await bar(page).waitFor()
  },
  'test of the reader': async (page) => {
    await openPharmacy(page, '/account/reader-test')
    await page.getByRole('button', { name: 'Inizia la prova' }).waitFor()
  },
})
