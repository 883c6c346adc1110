import { checkLetter } from '@bancone/contract/tax-code'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { readBars } from './support/barcodes.ts'
import { openPage, openPharmacy } from './support/browser.ts'
import { query } from './support/database.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

/** Gives an order of San Marco that text. @returns the address of its details */
async function orderWith(text: string): Promise<string> {
  const [order] = (await query(
    app,
    `update pharmacy_orders set order_details = $1, customer_phone = '+39 333 765 4321' where id = (
       select record.id from pharmacy_orders as record
       join pharmacies as pharmacy on pharmacy.id = record.pharmacy_id
       where pharmacy.pharmacy_id = 'PHARM-0001' and status = 'In attesa'
         and order_number is not null
       order by airtable_created desc limit 1
     ) returning airtable_order_id as id`,
    [text],
  )) as { id: string }[]
  return `/?ordine=${order?.id}`
}

const showToReader = (page: Page) => page.getByRole('button', { name: 'Mostra al lettore' })
const bar = (page: Page) => page.getByRole('img', { name: /^Codice a barre/ })

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** A hundred bars: of 25 people the codice fiscale and the two halves of an NRE, and 25 temporary codici fiscali. */
function hundredCodes(): { text: string; bars: string[] } {
  const people = Array.from({ length: 25 }, (_, index) => {
    const digits = (length: number) => String((index + 11) * 7_919_104_729_331).slice(0, length)
    const name = Array.from({ length: 6 }, (_each, place) =>
      letters.charAt((index * (2 * place + 1) + place) % 26),
    ).join('')
    const start = `${name}${digits(2)}${'ABCDEHLMPRST'.charAt(index % 12)}0${(index % 9) + 1}${letters.charAt(index)}${digits(3)}`
    const code = `${start}${checkLetter(start)}`
    const nre = [`0${(index % 9) + 1}0A${letters.charAt(25 - index)}`, digits(10)]
    const temporary = digits(11)
    return {
      text: `CF ${code}\nNRE ${nre.join('')}\nCF provvisorio ${temporary}\n`,
      bars: [code, ...nre, temporary],
    }
  })
  return {
    text: people.map(({ text }) => text).join(''),
    bars: people.flatMap(({ bars }) => bars).sort(),
  }
}

/** The markup of all bars of the dialog, as the application has drawn them. */
function drawnBars(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const shown = () => document.querySelector('svg[role=img]')?.outerHTML ?? ''
    const press = async (key: string) => {
      const before = shown()
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
      await Promise.resolve()
      return shown() !== before
    }
    while (await press('ArrowLeft'));
    const bars = [shown()]
    while (bars.length < 100 && (await press('ArrowRight'))) bars.push(shown())
    return bars
  })
}

/** A screenshot of all bars, of each a few pixels across, in the place of the page. */
async function pictureOf(page: Page, bars: readonly string[], upright: boolean): Promise<Buffer> {
  await page.emulateMedia({ colorScheme: upright ? 'dark' : 'light' })
  await page.setViewportSize({ width: upright ? 1500 : 1300, height: upright ? 1300 : 1500 })
  await page.evaluate(
    ([markup, flow]) => {
      const sheet = document.createElement('div')
      sheet.style.cssText = `position: fixed; inset: 0; display: flex; flex-flow: ${flow}`
      sheet.innerHTML = markup
        .map((svg) => `<div style="overflow: hidden; margin: 1px; flex: 0 0 13px">${svg}</div>`)
        .join('')
      document.body.replaceChildren(sheet)
    },
    [bars, upright ? 'row' : 'column'] as const,
  )
  return page.screenshot()
}

describe('every bar that is drawn is read back by a decoder', () => {
  it.each([1, 1.5, 2])('at %s pixels for each CSS pixel', async (scale) => {
    const { text, bars } = hundredCodes()
    const page = await openPage(app, { scale })
    await openPharmacy(page, await orderWith(text))
    await showToReader(page).click()
    await bar(page).waitFor()
    const drawn: { module: number; upright: boolean; svgs: string[] }[] = []
    for (const module of [2, 3, 4]) {
      await page.evaluate((size) => {
        localStorage.setItem('bancone-barcode-size', size)
        window.dispatchEvent(new StorageEvent('storage', { key: 'bancone-barcode-size' }))
      }, String(module))
      for (const upright of [false, true]) {
        const [width, height] = upright ? [500, 1400] : [1400, 900]
        await page.setViewportSize({ width, height })
        await page.waitForFunction(
          ([size, isUpright]) => {
            const svg = document.querySelector('svg[role=img]')
            return Number(svg?.getAttribute(isUpright ? 'height' : 'width')) >= 227 * size
          },
          [module, upright] as const,
        )
        drawn.push({ module, upright, svgs: await drawnBars(page) })
      }
    }
    for (const { module, upright, svgs } of drawn) {
      const picture = await pictureOf(page, svgs, upright)
      const read = await readBars(picture)
      expect.soft([module, upright, read.length, read.sort()]).toEqual([module, upright, 100, bars])
    }
  })
})
