import { readFile } from 'node:fs/promises'
import { MAX_IMAGE_BYTES } from '@bancone/contract/images'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type App, accounts, startApp } from './support/app.ts'
import { enter, type Look, openPage, openPharmacy } from './support/browser.ts'
import { give, photograph, slowLine } from './support/pictures.ts'
import { until } from './support/process.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

let page: Page
/** A sheet of its own for every journey. */
async function openSheet(look: Look = {}): Promise<void> {
  page = await openPage(app, look)
  await openPharmacy(page, '/product-draft')
  await page.getByRole('heading', { level: 1, name: 'Scheda prodotto' }).waitFor()
}

const field = () => page.getByRole('group', { name: 'Immagine' })
const chooser = () => page.getByLabel(/^(Carica un'immagine|Cambia immagine)$/)
const bar = () => page.getByRole('progressbar')
const kept = () => field().locator('img:not([data-preview])')
const source = (label: string) => field().locator('[data-source]').filter({ hasText: label })

function choose(buffer: Buffer, name = 'foto.jpg', mimeType = 'image/jpeg'): Promise<void> {
  return chooser().setInputFiles({ name, mimeType, buffer })
}

/** Waits for the picture to be there, and says how large it is. */
async function widthOf(picture: Locator): Promise<number> {
  let width = 0
  await until('the picture to be seen', async () => {
    width = await picture.evaluate((image) =>
      image instanceof HTMLImageElement && image.complete ? image.naturalWidth : 0,
    )
    return width > 0
  })
  return width
}

describe('a picture that is uploaded', () => {
  beforeEach(() => openSheet())

  it('is seen at once, says how far it is, and is then served in the size of its place', async () => {
    const photo = await photograph(page, 700, 500)
    await slowLine(page, photo.length / 3)
    await choose(photo)
    await field().locator('img[data-preview]').waitFor()
    const seen = new Set<string | null>()
    await until('the picture to be sent', async () => {
      const there = await bar().isVisible()
      if (there)
        seen.add(
          await bar()
            .getAttribute('aria-valuenow', { timeout: 1_000 })
            .catch(() => null),
        )
      return !there && seen.size > 0
    })
    const between = [...seen].map(Number).filter((percent) => percent > 0 && percent < 100)
    expect(between.length).toBeGreaterThan(1)
    await page.getByText('Immagine caricata').waitFor()
    await page.getByText("L'immagine è stata caricata con successo").waitFor()
    await source('Caricata da te').waitFor()
    expect(await widthOf(kept())).toBe(500)
    expect(await kept().getAttribute('src')).toMatch(/^\/images\/.+\/product$/)

    await page.reload()
    expect(await widthOf(kept())).toBe(500)
    const arrives = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Scarica' }).click()
    const saved = await readFile(await (await arrives).path())
    expect([...saved.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff])
  })

  it('can be given up on the way, and leaves what was there', async () => {
    await choose(await photograph(page, 300, 300))
    await source('Caricata da te').waitFor()
    const before = await kept().getAttribute('src')
    const photo = await photograph(page, 900, 700)
    await slowLine(page, photo.length / 20)
    await choose(photo)
    await bar().waitFor()
    await page.getByRole('button', { name: 'Annulla' }).click()
    await bar().waitFor({ state: 'detached' })
    expect(await kept().getAttribute('src')).toBe(before)
    expect(await field().locator('img[data-preview]').count()).toBe(0)
    expect(await field().getByRole('alert').count()).toBe(0)
  })

  it('is dropped, pasted, or in the place of one that is taken away', async () => {
    const photo = await photograph(page, 300, 200)
    await give(page, 'drop', photo, '[role=group]')
    await source('Caricata da te').waitFor()
    const first = await kept().getAttribute('src')
    await give(page, 'paste', await photograph(page, 200, 300))
    await until('another picture', async () => (await kept().getAttribute('src')) !== first)
    await page.getByRole('button', { name: "Rimuovi l'immagine" }).click()
    await source('Predefinita').waitFor()
    await field().getByRole('button', { name: 'Annulla' }).click()
    await source('Caricata da te').waitFor()
  })

  it('is made smaller first, when it is the photo of a good camera', async () => {
    const photo = await photograph(page, 3800, 2850)
    expect(photo.length).toBeGreaterThan(MAX_IMAGE_BYTES)
    const sends = page.waitForRequest((request) => request.url().endsWith('/api/images'))
    await choose(photo)
    await sends
    await source('Caricata da te').waitFor()
    expect(await widthOf(kept())).toBe(500)
  })

  it('is none: it is refused with its reason, and what was there stays', async () => {
    const refused = (title: string, text: string) =>
      field().getByRole('alert').filter({ hasText: title }).getByText(text).waitFor()
    await choose(Buffer.from('%PDF-1.7 una ricetta'), 'ricetta.jpg')
    await refused('Formato non supportato', 'Carica solo file immagine (JPG, PNG, WEBP)')
    // Its beginning is all that is right about it.
    const start = Buffer.from([0xff, 0xd8, 0xff, 0xe0])
    await choose(Buffer.concat([start, Buffer.alloc(MAX_IMAGE_BYTES)]))
    await refused('File troppo grande', "L'immagine non deve superare i 5MB")
    await choose(Buffer.concat([start, Buffer.alloc(2_000)]))
    await refused('Errore', "Impossibile caricare l'immagine")
    await source('Predefinita').waitFor()
  })

  it('cannot be fetched from an address inside the house', async () => {
    await page.getByRole('button', { name: 'Da un link' }).click()
    await page.getByLabel("Indirizzo dell'immagine").fill(`${app.url}/favicon.svg`)
    await page.keyboard.press('Enter')
    await field().getByText("A questo indirizzo non c'è un'immagine che si possa usare.").waitFor()
  })
})

describe('a picture that is looked for by its code', () => {
  it('is fetched once, and is in the archive from then on', async () => {
    await openSheet()
    const code = page.getByLabel('Codice prodotto (Minsan)')
    await code.fill('004763037')
    await page.getByText('Codice corretto').waitFor()
    await page.getByRole('button', { name: 'Cerca immagine' }).click()
    await source('Scaricata').waitFor()
    expect(await widthOf(kept())).toBe(500)
    await page.getByRole('button', { name: 'Cerca immagine' }).click()
    await source("Dall'archivio").waitFor()
  })

  it('is not there, and its code is wrong: each is said', async () => {
    await openSheet()
    const code = page.getByLabel('Codice prodotto (Minsan)')
    await code.pressSequentially('034208014')
    await page.getByText(/La cifra di controllo non torna/).waitFor()
    await code.fill('034208013')
    await code.press('Enter')
    await page.getByText('Immagine non trovata').waitFor()
    await source('Predefinita').waitFor()
  })
})

describe('the assistant', () => {
  beforeEach(() => openSheet())
  const generate = async (name: string) => {
    await page.getByLabel('Nome del prodotto').fill(name)
    await page.getByRole('button', { name: 'Genera con AI' }).click()
  }

  it('proposes texts, which are taken over with the picture of their code', async () => {
    await generate('Tachipirina 500 mg')
    await page.getByText('Proposta per «Tachipirina 500 mg»').waitFor()
    expect(await page.getByLabel('Descrizione', { exact: true }).inputValue()).toBe('')
    await page.getByRole('button', { name: 'Usa tutto' }).click()
    expect(await page.getByLabel('Descrizione', { exact: true }).inputValue()).toMatch(
      /^Compresse a base di paracetamolo/,
    )
    expect(await page.getByLabel('Prezzo (€)').inputValue()).toBe('5,90')
    expect(await widthOf(kept())).toBe(500)
  })

  it('says what it got wrong, and that cannot be used', async () => {
    await generate('Oki bustine')
    await page.getByText('Non utilizzabile: la cifra di controllo non torna').waitFor()
    expect(await page.getByRole('button', { name: 'Usa il codice' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Usa il prezzo' }).click()
    expect(await page.getByLabel('Prezzo (€)').inputValue()).toBe('8,50')
    expect(await page.getByLabel('Codice prodotto (Minsan)').inputValue()).toBe('')
    await source('Predefinita').waitFor()
  })

  it('fails, with the status of the workflow, and can be given up', async () => {
    await page.getByRole('button', { name: 'Genera con AI' }).click()
    await page.getByText('Nome prodotto mancante').waitFor()
    await generate('Prova errore 500')
    await page.getByText('Impossibile generare i dati: Errore API: 500').waitFor()
    await generate('Prova silenzio')
    await page.getByRole('button', { name: 'Annulla' }).click()
    await page.getByRole('button', { name: 'Genera con AI' }).waitFor()
    await generate('Tachipirina')
    await page.getByText('Proposta per «Tachipirina»').waitFor()
  })
})

describe('the sheet', () => {
  it('is used on a telephone with one thumb', async () => {
    await openSheet({ width: 360, height: 740 })
    await choose(await photograph(page, 300, 400))
    expect(await widthOf(kept())).toBe(500)
    const { wide, low } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      low: [...document.querySelectorAll('main button, main label:has(> svg)')]
        .map((control) => [control.textContent, control.getBoundingClientRect().height] as const)
        .filter(([, height]) => height < 44),
    }))
    expect([wide, low]).toEqual([0, []])

    await page.getByLabel('Nome del prodotto').fill('Gaviscon')
    await page.getByRole('button', { name: 'Genera con AI' }).click()
    await page.getByText('Non utilizzabile: non è un prezzo').waitFor()
    const covered = await page.evaluate(() =>
      [...document.querySelectorAll('main dt')]
        .filter((name) => {
          const value = name.nextElementSibling?.getBoundingClientRect()
          return !value || value.top < name.getBoundingClientRect().bottom
        })
        .map((name) => name.textContent),
    )
    expect(covered).toEqual([])
  })

  it('is for pharmacies with offers', async () => {
    const other = await openPage(app)
    await other.goto('/login')
    await enter(other, accounts.garibaldi)
    await other.getByRole('heading', { level: 1, name: 'Ordini' }).waitFor()
    await other.goto('/product-draft')
    await other.getByRole('heading', { name: 'Scheda prodotto non disponibile' }).waitFor()
  })
})
