import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { openPage, signIn, untilLive } from './support/browser.ts'
import { query } from './support/database.ts'
import { connectNumber, type WhatsAppWorld, whatsAppOf } from './support/whatsapp.ts'

let app: App
let world: WhatsAppWorld

beforeAll(async () => {
  app = await startApp()
  world = await whatsAppOf(app)
})
afterAll(() => app.dispose())

/** The half minute in which a notice is held back is over. */
async function passHold() {
  await query(app, "update whatsapp_outbox set due_at = now() where state = 'queued'")
  await query(
    app,
    `update graphile_worker._private_jobs set run_at = now() where key like 'whatsapp.send:%'`,
  )
  await query(app, `select pg_notify('jobs:insert', '{"count":1}')`)
}

const row = (page: Page, text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text })

describe('a pharmacy', () => {
  it('switches its messages on, and tells a customer who agrees that the order is ready', async () => {
    const page = await openPage(app)
    await connectNumber(page)
    await page.getByRole('button', { name: 'Leggi e attiva' }).click()
    await page.getByLabel('Ho letto e accetto').check()
    await page.getByRole('button', { name: 'Accetto e attivo' }).click()
    await page.getByText('Attivati il').waitFor()

    const [order] = (await query(
      app,
      `update pharmacy_orders set customer_phone = '+39 333 765 4321' where id = (
         select record.id from pharmacy_orders as record
         join pharmacies as pharmacy on pharmacy.id = record.pharmacy_id
         where pharmacy.pharmacy_id = 'PHARM-0001' and status = 'In attesa'
           and order_number is not null
         order by airtable_created desc limit 1
       ) returning airtable_order_id as id`,
    )) as { id: string }[]
    await page.goto(`/?ordine=${order?.id}`)
    await page.getByRole('button', { name: 'Chiedi il consenso' }).click()
    await page.getByLabel('Il cliente ha risposto di sì').check()
    await page.getByRole('button', { name: 'Registra il consenso' }).click()
    await page.getByRole('button', { name: 'Avvisa che è pronto' }).click()
    // The test may run at night.
    await row(page, /sta per partire|parte il/).waitFor()
    await query(app, 'update whatsapp_outbox set ignores_hours = true')
    await passHold()
    await row(page, 'Avviso letto').waitFor()
    await page.getByText('WhatsApp «Pronto per il ritiro»: consegnato').waitFor()

    await world.write('Posso passare alle 18?', { phone: '393337654321' })
    await page.reload()
    await page.getByText('Posso passare alle 18?').waitFor()
    await page.getByRole('button', { name: 'Rispondi', exact: true }).click()
    const form = page.getByRole('form', { name: 'Risposta al cliente' })
    await form.getByLabel('Messaggio').fill('Certo, a più tardi')
    await form.getByRole('button', { name: 'Invia risposta' }).click()
    await page.getByText(/· (Inviato|Consegnato|Letto)$/).waitFor()
    await world.write('stop', { phone: '393337654321' })
    await page.reload()
    await page.getByText('non Le manderà altri avvisi').waitFor()
    const sent = JSON.stringify(await world.messages())
    expect(sent.match(/non Le manderà altri avvisi/g)).toHaveLength(1)
  })

  it('on a telephone makes an order of what a customer wrote, and at the counter no row moves', async () => {
    await query(
      app,
      `insert into offer_order_codes (pharmacy_id, code, offer_ids, day)
       select id, 'ABC234', '{}', now() from pharmacies where pharmacy_id = 'PHARM-0001'`,
    )
    const counter = await openPage(app)
    await signIn(counter)
    await untilLive(counter)
    const pointed = counter
      .getByRole('row')
      .filter({ has: counter.getByRole('rowheader') })
      .nth(2)
    const place = () => pointed.boundingBox()
    await pointed.hover()
    const before = await place()
    const text =
      'Ciao, vorrei ordinare:\nProdotto: Crema\nPrezzo: 9,00 €\nQuantità: 1\nCodice: ABC234'
    await world.write(text, { userId: 'IT.55' })
    await counter.getByText('aspetta la tua conferma').waitFor()
    expect(await place(), 'a banner has come').toEqual(before)
    const page = await openPage(app, { width: 360, height: 740, dark: true })
    await signIn(page)
    await page.getByText('Un ordine arrivato su WhatsApp aspetta la tua conferma.').waitFor()
    await page.getByRole('button', { name: 'Controlla' }).click()
    const sheet = page.getByRole('dialog', { name: 'Ordine da WhatsApp' })
    await sheet.getByText('WhatsApp non mostra il numero di questo cliente.').waitFor()
    await sheet.getByRole('button', { name: 'Crea ordine' }).click()
    await page.getByText(/^Ordine (\d+ )?creato$/).waitFor()
    await page.getByText('arrivato su WhatsApp').waitFor({ state: 'detached' })
    await counter.getByText('aspetta la tua conferma').waitFor({ state: 'detached' })
    await counter.getByRole('button', { name: '1 nuovo ordine' }).waitFor()
    expect(await place(), 'it has gone, and an order waits').toEqual(before)
    await page.getByRole('button', { name: 'Apri', exact: true }).click()
    // The conversation is that of a person without a number.
    await page.getByRole('list', { name: 'Conversazione su WhatsApp' }).getByText('Crema').waitFor()
  })

  it('reminds of an order that waits until it is collected, and answers one that comes at night', async () => {
    const page = await openPage(app)
    await signIn(page)
    await query(
      app,
      `insert into pharmacy_profiles (pharmacy_id, opening_week, closings)
       select id, '[[],[],[],[],[],[],[{"from":"08:30","to":"08:31"}]]', '[]' from pharmacies
       where pharmacy_id = 'PHARM-0001'
       on conflict (pharmacy_id) do update set opening_week = excluded.opening_week`,
    )
    await query(
      app,
      `insert into offer_order_codes (pharmacy_id, code, offer_ids, day)
       select id, 'DEF567', '{}', now() from pharmacies where pharmacy_id = 'PHARM-0001'`,
    )
    await page.goto('/meta')
    await page.getByRole('switch', { name: 'Rispondi agli ordini quando sei chiuso' }).click()
    await page.getByLabel('Prezzo di un messaggio (€)').fill('0,05')
    await page
      .getByRole('form', { name: 'Che cosa inviare' })
      .getByRole('button', { name: 'Salva' })
      .click()
    await page.getByText('Messaggi salvati').waitFor()
    await world.write('Vorrei ordinare una crema\nCodice: DEF567', { phone: '393337650000' })
    const sent = async () => JSON.stringify(await world.messages())
    await expect.poll(sent, { timeout: 30_000 }).toContain('la Sua richiesta DEF567')
    expect((await sent()).match(/crema/i)).toBeNull()
    await page.reload()
    await page.getByText(/messagg[io]+ a pagamento, circa 0,\d\d\s€/).waitFor()
    await page.getByText('Ricevuto da chiusi').first().waitFor()

    const [order] = (await query(
      app,
      `update pharmacy_orders set customer_phone = '+39 333 765 1111', ready_at = now() - interval '5 days'
       where id = (
         select record.id from pharmacy_orders as record
         join pharmacies as pharmacy on pharmacy.id = record.pharmacy_id
         where pharmacy.pharmacy_id = 'PHARM-0001' and status = 'Confermato'
           and order_number is not null
         order by airtable_created desc limit 1
       ) returning airtable_order_id as id`,
    )) as { id: string }[]
    await page.goto(`/?ordine=${order?.id}`)
    await page.getByText('Non ritirato: il cliente non ha chiesto avvisi').waitFor()
    await page.getByText('Consenso e altro').click()
    await page.getByRole('button', { name: 'Chiedi il consenso' }).click()
    await page.getByLabel('Il cliente ha risposto di sì').check()
    await page.getByRole('button', { name: 'Registra il consenso' }).click()
    await page.getByRole('button', { name: 'Ricorda il ritiro' }).click()
    await row(page, /sta per partire|parte il/).waitFor()
    // At another desk the customer takes it.
    const other = await openPage(app, { width: 360, height: 740 })
    await signIn(other)
    await other.goto(`/?ordine=${order?.id}`)
    await other.getByRole('button', { name: 'Ritirato', exact: true }).click()
    await row(page, "L'ordine non è più da ritirare").waitFor({ timeout: 30_000 })
    await query(app, 'update whatsapp_outbox set ignores_hours = true')
    await passHold()
    expect((await sent()).match(/promemoria/)).toBeNull()
  })
})
