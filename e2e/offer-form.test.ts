import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type App, startApp } from './support/app.ts'
import { type Look, openPage, openPharmacy } from './support/browser.ts'
import { photograph } from './support/pictures.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

let page: Page
async function openForm(look: Look = {}): Promise<void> {
  page = await openPage(app, look)
  await openPharmacy(page, '/offers?offerta=nuova')
  await page.getByRole('heading', { name: 'Nuova offerta' }).waitFor()
  await page.getByRole('option', { name: 'Cosmetici' }).waitFor({ state: 'attached' })
}

const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const category = () => page.getByRole('combobox', { name: 'Categoria' })
const picture = () => page.getByRole('group', { name: 'Immagine' })
const source = (label: string) => picture().locator('[data-source]').filter({ hasText: label })
const preview = () => page.getByRole('region', { name: 'Anteprima' })
const create = () => page.getByRole('button', { name: 'Crea offerta' })

const Shown = z.object({
  offers: z.array(
    z.object({
      fields: z.object({
        Nome_Prodotto: z.string(),
        Descrizione: z.string(),
        Prezzo_Listino: z.number(),
        Prezzo_Offerta: z.number(),
        URL_Immagine: z.string(),
      }),
      medicine: z.boolean(),
    }),
  ),
})

/** What customers are given of it. */
async function shown(name: string) {
  const reply = await page.request.get('/api/public/offers/PHARM-0001')
  const { offers } = Shown.parse(await reply.json())
  return offers.find(({ fields }) => fields.Nome_Prodotto === name)
}

describe('an offer', () => {
  it('is half written by the assistant, with the picture of its code, and is seen by customers', async () => {
    await openForm()
    await field('Nome del prodotto').fill('Aspirina 20 compresse')
    await category().selectOption('Farmaci da banco')
    await page.getByText(/^È un medicinale: il pubblico vede solo nome/).waitFor()
    await page.getByRole('button', { name: 'Genera con AI' }).click()
    await page.getByText('Proposta per «Aspirina 20 compresse»').waitFor()
    // Of a medicine nothing may be told.
    expect(await page.getByText(/acido acetilsalicilico/).count()).toBe(0)
    await page.getByRole('button', { name: 'Usa tutto' }).click()
    expect(await field('Prezzo di listino (€)').inputValue()).toBe('7,90')
    expect(await field('Codice prodotto (Minsan)').inputValue()).toBe('004763037')
    await source('Scaricata').waitFor()
    await field('Prezzo in offerta (€)').fill('6.90')
    await page.getByLabel('Il prezzo di listino è stato praticato negli ultimi 30 giorni?').check()
    await page.getByText('Offerta con sconto del 13%').waitFor()
    await preview().getByText('Prenota via WhatsApp').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Offerta creata').waitFor()
    await page.getByText('I clienti la vedono già.').waitFor()
    expect(await field('Nome del prodotto').inputValue()).toBe('')
    const offer = await shown('Aspirina 20 compresse')
    expect(offer).toMatchObject({
      medicine: true,
      fields: { Descrizione: '', Prezzo_Listino: 790, Prezzo_Offerta: 690 },
    })
    const image = await page.request.get(`${offer?.fields.URL_Immagine}/card`)
    expect(image.headers()['content-type']).toMatch(/^image\//)
  })

  it('is made with a photo and one thumb, and what it cost before is said', async () => {
    await openForm({ width: 360, height: 740 })
    await field('Nome del prodotto').fill('Crema mani della casa, 100 ml')
    await category().selectOption('Cosmetici')
    await field('Prezzo di listino (€)').fill('12')
    await field('Prezzo in offerta (€)').fill('9,90')
    await page.getByLabel('Il prezzo di listino è stato praticato negli ultimi 30 giorni?').check()
    await page.getByText('Offerta con sconto del 18%').waitFor()
    await create().click()
    await page.getByText('Immagine mancante').waitFor()
    await page.getByLabel("Carica un'immagine").setInputFiles({
      name: 'foto.jpg',
      mimeType: 'image/jpeg',
      buffer: await photograph(page, 300, 400),
    })
    await source('Caricata da te').waitFor()
    const { wide, low } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      low: [...document.querySelectorAll('main button, main label:has(> svg)')]
        .filter((control) => control.checkVisibility())
        .map((control) => [control.textContent, control.getBoundingClientRect().height] as const)
        .filter(([, height]) => height < 44),
    }))
    expect([wide, low]).toEqual([0, []])
    await create().click()
    await page.getByText('Offerta creata').waitFor()
    expect(await shown('Crema mani della casa, 100 ml')).toMatchObject({
      medicine: false,
      fields: { Prezzo_Listino: 1_200, Prezzo_Offerta: 990 },
    })
  })
})
