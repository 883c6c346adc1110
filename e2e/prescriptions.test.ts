import { checkLetter } from '@bancone/contract/tax-code'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { readBars } from './support/barcodes.ts'
import { openPage, openPharmacy } from './support/browser.ts'
import { scan } from './support/keys.ts'
import { bar, orderWith, showToReader, twoPeople } from './support/prescription-screens.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

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

/** The markup of all bars of the dialog, as the application has drawn them, from one end to the other. */
function drawnBars(page: Page, key: 'ArrowLeft' | 'ArrowRight'): Promise<string[]> {
  return page.evaluate(async (pressed) => {
    const shown = () => document.querySelector('svg[role=img]')?.outerHTML ?? ''
    const press = async () => {
      const before = shown()
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: pressed, bubbles: true }),
      )
      await Promise.resolve()
      return shown() !== before
    }
    const bars = [shown()]
    while (bars.length < 100 && (await press())) bars.push(shown())
    return bars
  }, key)
}

/** A screenshot of all bars, of each a few pixels across, in the place of the page. */
async function pictureOf(page: Page, bars: readonly string[], upright: boolean): Promise<Buffer> {
  await page.emulateMedia({ colorScheme: upright ? 'dark' : 'light' })
  await page.setViewportSize({ width: upright ? 1000 : 1300, height: upright ? 1300 : 1000 })
  await page.evaluate(
    ([markup, flow]) => {
      const sheet = document.createElement('div')
      sheet.style.cssText = `position: fixed; inset: 0; display: flex; flex-flow: ${flow}`
      sheet.innerHTML = markup
        .map((svg) => `<div style="overflow: hidden; margin: 1px; flex: 0 0 8px">${svg}</div>`)
        .join('')
      document.body.replaceChildren(sheet)
    },
    [bars, upright ? 'row' : 'column'] as const,
  )
  return page.screenshot()
}

describe.each([
  { width: 360, height: 780, dark: true },
  { width: 1440, height: 900, dark: false },
])('at the counter, $width px wide', (look) => {
  it('the reader gets one bar after the other', async () => {
    const page = await openPage(app, look)
    await openPharmacy(page, await orderWith(app, twoPeople))
    const screen = page.getByRole('dialog').last()
    const shows = (name: string, place: string) =>
      screen.filter({ hasText: name }).filter({ hasText: place }).waitFor()

    // To the third bar: one click and two Enters.
    await showToReader(page).click()
    await shows('Codice fiscale', '1 di 6')
    expect(await readBars(await page.screenshot())).toEqual(['RSSMRA79B11C566R'])
    await page.keyboard.press('Enter')
    await shows('NRE, prima parte', '2 di 6')
    await page.keyboard.press('Enter')
    await shows('NRE, seconda parte', '3 di 6')
    await screen.getByText('4000000248', { exact: true }).waitFor()

    await scan(page, '*4000000248*')
    await shows('Persona 2 di 2: CTTPSC84D15F205X', '4 di 6')
    await screen.getByText(/^Il carattere di controllo non torna/).waitFor()
    await scan(page, '4000000248')
    await scan(page, '8001090305718')
    await screen.getByText('Il lettore ha letto un altro codice.').waitFor()
    await shows('Codice fiscale', '4 di 6')
    await page.keyboard.press('ArrowLeft')
    await shows('NRE, seconda parte', '3 di 6')
    await bar(page).click()
    await shows('Codice fiscale', '4 di 6')
    expect(await bar(page).evaluate((svg) => getComputedStyle(svg).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    )

    await page.keyboard.press('Escape')
    await bar(page).waitFor({ state: 'detached' })
    await expect
      .poll(() => showToReader(page).evaluate((button) => button.matches(':focus')))
      .toBe(true)
    await page.keyboard.press('Enter')
    await bar(page).waitFor()
    await page.goBack()
    await bar(page).waitFor({ state: 'detached' })
    await page.getByRole('dialog', { name: 'Dettaglio Ordine' }).waitFor()
    expect(page.url()).not.toMatch(/4000000248|8001090305718|RSSMRA/)
  })

  it('the reader is tried once, and the size that it reads is kept', async () => {
    const page = await openPage(app, look)
    await openPharmacy(page, await orderWith(app, twoPeople))
    await showToReader(page).click()
    await page.getByRole('link', { name: 'Il lettore non legge?' }).click()
    await page.getByRole('button', { name: 'Inizia la prova' }).click()
    await page.getByText('Prova, misura Piccola', { exact: true }).waitFor()
    const isWide = look.width > 1000
    if (isWide) await page.keyboard.press('ArrowRight')
    const read = page.getByText(`Il lettore legge la misura ${isWide ? 'Media' : 'Piccola'}.`)
    // As a person does: until it is read. A busy machine may show the bars before it listens.
    const reads = async () => {
      await scan(page, isWide ? 'provalettore0003' : 'provalettore0002')
      return read.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      )
    }
    await expect.poll(reads, { timeout: 30_000 }).toBe(true)
    await bar(page).waitFor({ state: 'detached' })
    if (!isWide) await page.getByRole('radio', { name: 'Media' }).check()
    expect(await page.getByRole('radio', { name: 'Media' }).isChecked()).toBe(true)

    await page.goBack()
    await showToReader(page).waitFor()
    await page.reload()
    await showToReader(page).click()
    const box = await bar(page).boundingBox()
    // On a phone the bars are upright, and as long as it is high at most.
    expect(isWide ? box?.width : box?.height).toBe(307 * (isWide ? 3 : 2))
  })
})

describe('in the details of an order', () => {
  it('codes are copied, doubts have their reason, what is missing is asked for', async () => {
    const page = await openPage(app)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const address = await orderWith(app, twoPeople)
    await openPharmacy(page, address)
    const codes = page.getByRole('region', { name: 'Ricetta' })
    await codes.getByRole('button', { name: 'Copia NRE' }).first().click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe('1300A4000000248')
    await codes.getByText('Il carattere di controllo non torna: forse c’è un errore.').waitFor()
    await codes.getByText('Questo codice ha 14 caratteri: ne servono 15.').waitFor()

    await codes.getByRole('button', { name: 'Chiedi al cliente' }).click()
    const message = page.getByRole('textbox', { name: /Messaggio|Testo/ })
    await expect.poll(() => message.inputValue()).toMatch(/^Gentile \S+.* ci serve ancora qualcosa/)
    expect(await message.inputValue()).toContain(
      'Il codice fiscale ha un errore. Il numero della ricetta ha 14 caratteri: ne servono 15.',
    )
    expect(await message.inputValue()).not.toMatch(/Tachipirina|Augmentin|CTTPSC|1200A/)

    // The log of the pharmacy says of which order codes were shown, and not the codes.
    await showToReader(page).click()
    await bar(page).waitFor()
    await page.goto('/account/audit')
    const shown = 'Codici di una ricetta mostrati al lettore'
    const entry = page.getByRole('listitem').filter({ hasText: shown }).first()
    await entry.click()
    await entry.getByText(`order:${address.split('=')[1]}`).waitFor()
    expect(await page.getByRole('main').innerText()).not.toMatch(/RSSMRA|CTTPSC|1300A|1200A/)
  })
})

describe('every bar that is drawn is read back by a decoder', () => {
  it.each([1, 1.5, 2])('at %s pixels for each CSS pixel', async (scale) => {
    const { text, bars } = hundredCodes()
    const page = await openPage(app, { scale })
    await openPharmacy(page, await orderWith(app, text))
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
        drawn.push({
          module,
          upright,
          svgs: await drawnBars(page, upright ? 'ArrowLeft' : 'ArrowRight'),
        })
      }
    }
    for (const { module, upright, svgs } of drawn) {
      const picture = await pictureOf(page, svgs, upright)
      const read = await readBars(picture)
      expect.soft([module, upright, read.length, read.sort()]).toEqual([module, upright, 100, bars])
    }
  })
})
