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
