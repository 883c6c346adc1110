import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { type App, startAppOn } from './support/app.ts'
import { openAdministration, openPage } from './support/browser.ts'
import { copyDataFolder } from './support/data-folder.ts'

const PHARMACY = 'Farmacia del Duomo'
const BROKEN = 7

/** Of the demo's 2,000 orders every tenth is enough, with these, which are not as they should be. */
const ODD = [78, 79, 144, 389, 501, 613, 902, 1_001, 1_205, 1_556, 1_877]

let app: App
let orders = 0
beforeAll(async () => {
  const dataDir = await copyDataFolder(inject('demoFolder'))
  orders = await leaveSome(join(dataDir, 'airtable.jsonl'))
  app = await startAppOn(dataDir)
})
afterAll(() => app.dispose())

const Line = z.object({ table: z.string(), record: z.object({ number: z.number() }).optional() })

/** Takes the other orders of the pharmacy out of the stand-in's file. @returns how many are left */
async function leaveSome(file: string): Promise<number> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  const isLeft = (line: string) => {
    const { table, record } = Line.parse(JSON.parse(line))
    const isOther = !table.startsWith('appDuomo') || !record
    return isOther || record.number % 10 === 0 || ODD.includes(record.number)
  }
  const left = lines.filter(isLeft)
  await writeFile(file, `${left.join('\n')}\n`)
  return 2_000 - (lines.length - left.length)
}

async function confirm(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name }).click()
  await dialog.waitFor({ state: 'detached' })
}

const result = (page: Page, name: RegExp) => page.getByRole('heading', { name })

async function count(page: Page, label: string): Promise<string> {
  const box = page.locator('div', { has: page.getByText(label, { exact: true }) }).last()
  return box.locator('dd').innerText()
}

it(
  'moves orders out of Airtable, names seven broken ones, and proves what differs',
  async () => {
    const page = await openPage(app)
    await openAdministration(page, '/admin/dashboard')
    await page.getByRole('link', { name: 'Migrazione ordini' }).click()
    await page.getByRole('row', { name: PHARMACY }).getByText('Mai migrato').waitFor()
    await page.getByRole('link', { name: PHARMACY }).click()

    // Nothing is written, and everything is told.
    await page.getByRole('button', { name: 'Simula' }).click()
    await result(page, /^Simulazione in corso/).waitFor()
    await page.getByText('Una simulazione: nulla è stato scritto.').waitFor({ timeout: 60_000 })
    expect(await count(page, 'Letti')).toBe(String(orders))
    expect(await count(page, 'Con campi da sistemare')).toBe(String(BROKEN))
    await page.getByRole('combobox', { name: '«Da ordinare per domani»' }).waitFor()
    await page.getByRole('combobox', { name: '«Consegnato»' }).selectOption("Lascia com'è")

    await page.getByRole('button', { name: 'Migra con questi stati' }).click()
    await page.getByText('«Pronto» diventa «Confermato»').waitFor()
    await confirm(page, 'Migra')
    await result(page, /^Migrazione in corso/).waitFor()
    // The page is closed; another administrator, on a phone, sees the same run to its end.
    const address = page.url()
    await page.close()
    const other = await openPage(app, { width: 360, height: 740 })
    await openAdministration(other, new URL(address).pathname)
    await other
      .getByText(`${BROKEN} ordini sono nel database con campi da sistemare`, { exact: false })
      .waitFor({ timeout: 150_000 })
    expect(await count(other, 'Con campi da sistemare')).toBe(String(BROKEN))

    const downloading = other.waitForEvent('download')
    await other.getByRole('button', { name: `Da correggere ${BROKEN}` }).click()
    await other.getByRole('button', { name: 'Scarica il CSV' }).click()
    const file = await readFile(await (await downloading).path(), 'utf8')
    expect(file.trim().split('\r\n')).toHaveLength(1 + BROKEN)
    // What customers ordered is not in it.
    expect(file).not.toContain('Aspirina')

    await other.getByRole('button', { name: 'Riprova solo queste' }).click()
    await other.getByText("Solo le righe da correggere di un'altra migrazione.").waitFor()
    await other.getByRole('button', { name: 'Simula' }).waitFor({ timeout: 150_000 })
    expect(await count(other, 'Letti')).toBe(String(BROKEN))
    // Not before both are equal.
    const next = other.getByRole('button', { name: 'Avvia il confronto' })
    expect(await next.getAttribute('aria-disabled')).toBe('true')
  },
  6 * 60_000,
)

it(
  'moves a pharmacy to the comparison and back',
  async () => {
    const page = await openPage(app)
    await openAdministration(page, '/admin/orders-migration')
    await page.getByRole('button', { name: 'Migra Farmacia San Marco' }).click()
    await confirm(page, 'Migra')
    await page
      .getByRole('row', { name: 'Farmacia San Marco' })
      .getByText('Sincronizzato')
      .waitFor({ timeout: 150_000 })
    await page.getByRole('link', { name: 'Farmacia San Marco' }).click()
    await page.getByRole('button', { name: 'Avvia il confronto' }).click()
    await confirm(page, 'Avvia il confronto')
    await page.getByText('Fase della migrazione: Confronto').waitFor()
    await page.locator('[aria-current=step]', { hasText: 'Confronto' }).waitFor()
    await page.getByRole('button', { name: 'Torna ad Airtable' }).click()
    await confirm(page, 'Torna ad Airtable')
    await page
      .locator('[aria-current=step]', { hasText: 'Le pagine leggono da Airtable' })
      .waitFor()
  },
  4 * 60_000,
)
