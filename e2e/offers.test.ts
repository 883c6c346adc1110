import { addDays, dayOf } from '@bancone/contract/dates'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { openContext, openPage, signIn } from './support/browser.ts'
import { query } from './support/database.ts'
import { clearOffers } from './support/offers.ts'

const PAGE = '/offers/PHARM-0001'
const WHATSAPP = 'https://wa.me/390415201234?text='

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

async function openOffers(page: Page): Promise<void> {
  await page.goto('/offers')
  await page.getByText(/offerte attive/).waitFor()
}

/** A window of a customer with a phone; nothing of it leaves this machine. */
async function customer(path = PAGE): Promise<Page> {
  const context = await openContext(app, { width: 360, height: 740 })
  await context.route('https://wa.me/**', (route) => route.fulfill({ body: 'WhatsApp' }))
  const page = await context.newPage()
  await page.goto(path)
  return page
}

const NRE = '1300A4000000248'
const TAX_CODE = 'RSSMRA79B11C566R'

/** Orders the offer with a prescription. The codes are in the chat, and in nothing else that is requested. */
async function orderWithPrescription(page: Page, check: () => Promise<unknown>): Promise<void> {
  const requested: string[] = []
  page.context().on('request', (request) => {
    requested.push(`${request.url()} ${request.postData() ?? ''}`)
  })
  await page.getByRole('link', { name: /^Crema mani/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Hai una ricetta?').click()
  await dialog.getByLabel('Numero della ricetta (NRE)').fill('1300a 4000000248')
  await dialog.getByLabel('Codice fiscale').fill(TAX_CODE)
  await check()
  const order = dialog.getByRole('button', { name: 'Ordina via WhatsApp' })
  const [chat] = await Promise.all([page.waitForEvent('popup'), order.click()])
  await chat.waitForURL(/^https:\/\/wa\.me\//)
  expect(new URL(chat.url()).searchParams.get('text')).toMatch(
    new RegExp(`Equivalente: no\nCodice fiscale: ${TAX_CODE}\nNRE: ${NRE}(\nCodice: \\w{6})?$`),
  )
  await dialog.getByText('Se WhatsApp non si è aperto, premi di nuovo.').waitFor()
  const codes = new RegExp(`${NRE}|${TAX_CODE}`, 'i')
  expect(requested.filter((each) => codes.test(each))).toEqual([expect.stringContaining(WHATSAPP)])
  expect(page.url()).not.toMatch(codes)
  await dialog.getByRole('button', { name: 'Chiudi' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toMatch(codes)
}

const cards = (page: Page) => page.getByRole('article')
const names = (page: Page) => page.getByRole('article').getByRole('heading').allInnerTexts()
const toggle = (page: Page, name: string) =>
  page.getByRole('switch', { name: `Offerta attiva: ${name}` })

describe('an offer', () => {
  it('is made in the form, seen by a customer with a phone, ordered, and gone when it is switched off', async () => {
    await clearOffers(app)
    const staff = await openPage(app)
    await signIn(staff)
    await staff.getByRole('link', { name: 'Offerte' }).click()
    await staff.getByText('Nessuna offerta trovata').waitFor()
    await staff.getByText('I clienti adesso non vedono nessuna offerta').waitFor()
    const empty = await customer()
    await empty.getByText('Nessuna offerta disponibile').waitFor()
    await empty.getByText('Al momento non ci sono offerte attive per questa farmacia.').waitFor()

    await staff.getByRole('button', { name: 'Nuova offerta' }).first().click()
    await staff.getByLabel('Nome del prodotto').fill('Crema mani all’olio d’oliva 75 ml')
    await staff.getByLabel('Categoria').selectOption('Cosmetici')
    await staff.getByLabel('Prezzo di listino (€)').fill('9,90')
    await staff.getByLabel('Prezzo in offerta (€)').fill('7.90')
    await staff.getByLabel('Il prezzo di listino è stato praticato negli ultimi 30 giorni?').check()
    await staff.getByText('Offerta con sconto del 20%').waitFor()
    await staff.getByRole('button', { name: 'Usa il segnaposto' }).click()
    await staff.getByRole('button', { name: 'Crea offerta' }).click()
    await staff.getByText('Offerta creata').waitFor()
    await staff.getByText('I clienti adesso vedono 1 offerta').waitFor()
    await staff
      .getByRole('row', { name: /Crema mani/ })
      .getByText('-20%')
      .waitFor()

    const page = await customer()
    await page.getByRole('heading', { name: 'Offerte Speciali' }).waitFor()
    expect(await names(page)).toEqual(['Crema mani all’olio d’oliva 75 ml'])
    expect((await cards(page).innerText()).replaceAll('\u00a0', ' ')).toContain('7,90 €')
    const order = page.getByRole('link', { name: /^Ordina via WhatsApp/ })
    expect(await order.getAttribute('href')).toBe(
      `${WHATSAPP}${encodeURIComponent(
        'Ciao, vorrei ordinare:\nProdotto: Crema mani all’olio d’oliva 75 ml\nPrezzo scontato: 7,90 €\nQuantità: 1\nEquivalente: no',
      )}`,
    )
    const [chat] = await Promise.all([page.waitForEvent('popup'), order.click()])
    await chat.waitForURL(/^https:\/\/wa\.me\/390415201234\?text=Ciao/)

    await staff.goto('/account/customer-data')
    await staff.getByRole('button', { name: 'Leggi e attiva' }).click()
    await staff.getByLabel('Ho letto e accetto per conto della farmacia').check()
    await staff.getByRole('button', { name: 'Accetto e attivo' }).click()
    await staff.getByText('Campi per la ricetta attivati').waitFor()
    await page.reload()
    await orderWithPrescription(page, () =>
      page.getByText('Il codice è scritto bene.').nth(1).waitFor(),
    )
    // What checks the codes cannot be loaded.
    await page.route(/prescription-check/, (route) => route.abort())
    await page.reload()
    await orderWithPrescription(page, async () =>
      expect(await page.getByText('Il codice è scritto bene.').count()).toBe(0),
    )

    await staff.goto('/offers')
    await toggle(staff, 'Crema mani all’olio d’oliva 75 ml').click()
    await staff.getByText("L'offerta è ora inattiva").waitFor()
    await page.goto(PAGE)
    await page.getByText('Nessuna offerta disponibile').waitFor()
  })

  it('that is changed in one tab changes in the other, and is removed after a question', async () => {
    const api = await clearOffers(app)
    const made = await api.create('Termometro')
    const page = await openPage(app)
    await signIn(page)
    await openOffers(page)
    await toggle(page, 'Termometro').waitFor()
    await api.change(made.id, { Stato_Offerta: 'Inattiva' })
    await page.getByRole('tab', { name: 'Inattive (1)' }).waitFor()
    expect(await toggle(page, 'Termometro').getAttribute('aria-checked')).toBe('false')
    await page.getByRole('button', { name: 'Azioni: Termometro' }).click()
    await page.getByRole('menuitem', { name: 'Elimina' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Elimina' }).click()
    await page.getByText('Offerta eliminata').waitFor()
    await page.getByText('Nessuna offerta trovata').waitFor()
    expect((await api.list()).offers).toEqual([])
  })
})

describe('the limit', () => {
  it('lets one of two tabs through that reach it at once', async () => {
    const api = await clearOffers(app)
    await query(app, "update pharmacies set max_offers = 2 where pharmacy_id = 'PHARM-0001'")
    await api.create('Prima')
    for (const name of ['Seconda', 'Terza']) await api.create(name, { Stato_Offerta: 'Inattiva' })
    const first = await openPage(app)
    await signIn(first)
    await openOffers(first)
    const second = await first.context().newPage()
    await openOffers(second)
    // Neither is sent before both are pressed: the change of one moves the rows of the other.
    let send = () => {}
    const pressed = new Promise<void>((resolve) => (send = resolve))
    for (const page of [first, second]) {
      await page.route('**/api/offers/*', async (route) => {
        await pressed
        await route.continue()
      })
    }
    await toggle(first, 'Seconda').click()
    await toggle(second, 'Terza').click()
    send()
    const refused = "Impossibile aggiornare lo stato dell'offerta"
    const outcomes = await Promise.all(
      [first, second].map(async (page) => {
        const shown = page.getByText('Stato aggiornato').or(page.getByText(refused))
        return shown.innerText()
      }),
    )
    expect(outcomes.sort()).toEqual([refused, 'Stato aggiornato'])
    const loser = (await first.getByText(refused).isVisible()) ? first : second
    await loser.getByText(/Hai già 2 offerte attive, il massimo/).waitFor()
    const { offers, limit } = await api.list()
    expect(limit).toEqual({ active: 2, most: 2 })
    expect(offers.filter(({ fields }) => fields.Stato_Offerta === 'Attiva')).toHaveLength(2)
    await loser.getByText('2 di 2 offerte attive').waitFor()
    await query(app, "update pharmacies set max_offers = 10 where pharmacy_id = 'PHARM-0001'")
  })
})

describe('the order', () => {
  it('is made by dragging and with the keyboard, and is the one that customers see', async () => {
    const api = await clearOffers(app)
    for (const name of ['Uno', 'Due', 'Tre']) await api.create(name, { Prezzo_Offerta: 1_000 })
    const page = await openPage(app)
    await signIn(page)
    await openOffers(page)
    await page.getByRole('button', { name: 'Riordina', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'Riordina le offerte' })
    const handle = (name: string) => sheet.getByRole('button', { name: `Sposta ${name}` })
    const order = () => sheet.getByRole('listitem').getByRole('paragraph').allInnerTexts()
    const place = async (name: string) => {
      const box = await handle(name).boundingBox()
      if (!box) throw new Error(`${name} is nowhere`)
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    }
    await handle('Due').waitFor()
    expect((await order()).filter((text) => !text.includes('€'))).toEqual(['Due', 'Tre', 'Uno'])

    const [from, to] = [await place('Uno'), await place('Due')]
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y - 20, { steps: 4 })
    await page.mouse.move(to.x, to.y - 10, { steps: 8 })
    await page.mouse.up()
    await expect
      .poll(async () => (await order()).filter((text) => !text.includes('€')))
      .toEqual(['Uno', 'Due', 'Tre'])

    await handle('Uno').focus()
    await page.keyboard.press('Space')
    await page.getByText('Hai preso «Uno», al posto 1 di 3.').waitFor({ state: 'attached' })
    // A key that comes before the list was measured moves nothing; no person is as quick.
    const down = async (said: string) => {
      const told = page.getByText(said)
      const isShown = async () => {
        if ((await told.count()) === 0) await page.keyboard.press('ArrowDown')
        return told.count()
      }
      await expect.poll(isShown, { interval: 500 }).toBe(1)
    }
    await down('«Uno» è ora al posto 2 di 3.')
    await down('«Uno» è ora al posto 3 di 3.')
    await page.keyboard.press('Space')
    await expect
      .poll(async () => (await order()).filter((text) => !text.includes('€')))
      .toEqual(['Due', 'Tre', 'Uno'])

    await sheet.getByRole('button', { name: 'Sposta su Tre' }).click()
    await sheet.getByRole('button', { name: "Salva l'ordine" }).click()
    await page.getByText('Ordine salvato').waitFor()
    const shop = await customer()
    await cards(shop).first().waitFor()
    expect(await names(shop)).toEqual(['Tre', 'Due', 'Uno'])
  })
})

describe('the public page', () => {
  it('narrows and sorts by its address, and says so when nothing is left', async () => {
    const api = await clearOffers(app)
    await api.create('Aloe', { Prezzo_Offerta: 900 })
    await api.create('Borsa', { Prezzo_Offerta: 1_000, Categoria: 'Altro' })
    await api.create('Crema', { Prezzo_Offerta: 500 })
    const today = dayOf(Date.now())
    await api.create('Domani', { Data_Inizio: addDays(today, 1) })
    const page = await customer()
    await cards(page).first().waitFor()
    expect(await names(page)).toEqual(['Crema', 'Aloe', 'Borsa'])
    await page.getByRole('button', { name: 'Filtri' }).click()
    await page.getByLabel('Tipo di prodotto').selectOption('Solo in evidenza')
    await page.getByRole('button', { name: /^Filtri\s*1/ }).waitFor()
    expect(await names(page)).toEqual(['Borsa'])
    expect(new URL(page.url()).search).toBe('?tipo=featured')
    await page.getByLabel('Categoria').selectOption('Cosmetici')
    await page.getByText('Nessun prodotto trovato con i filtri selezionati.').waitFor()
    await page.goto(`${PAGE}?ordine=priceDesc`)
    expect(await names(page)).toEqual(['Borsa', 'Aloe', 'Crema'])
  })
})
