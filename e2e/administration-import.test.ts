import { readFile } from 'node:fs/promises'
import { listAdminPharmacies } from '@bancone/contract/admin-pharmacies'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, accounts, password, startApp } from './support/app.ts'
import { openAdministration, openContext } from './support/browser.ts'
import { collectReceived } from './support/received.ts'
import { serviceKey, storedSecrets } from './support/stored-secrets.ts'

/** A file of 1,000 is imported by the tests of the server. */
const ROWS = 300
const WRONG = 11

const received = collectReceived()
let app: App
let page: Page

beforeAll(async () => {
  app = await startApp({ AUTH_ADMIN_KEY: serviceKey })
  const context = await openContext(app)
  received.follow(context)
  page = await context.newPage()
})
afterAll(() => app.dispose())

/** What is wrong with a row, in turn: the cell that is written instead, and what is said of it. */
const mistakes = [
  { cell: { Email: 'f@' }, says: "Email: Controlla l'indirizzo email: non è completo." },
  { cell: { Piano: 'Platino' }, says: "Piano: Non c'è un piano di nome «Platino»." },
  {
    cell: { 'Offerte massime': 'molte' },
    says: 'Offerte massime: Scrivi un numero intero, oppure illimitate.',
  },
]
const mistakeIn = (n: number) => (n % 27 === 0 ? mistakes[(n / 27) % mistakes.length] : undefined)

const numbers = Array.from({ length: ROWS }, (_, index) => index + 1)
const headings = 'Nome;Email;Piano;Offerte massime'

/** The row of a pharmacy. @param instead cells that it has instead of the right ones */
function row(n: number, plan: string, instead: Record<string, string> = {}): string {
  const right = {
    Nome: `Farmacia ${n}`,
    Email: `f${n}@mille.example.it`,
    Piano: plan,
    'Offerte massime': '7',
  }
  return Object.values({ ...right, ...instead }).join(';')
}

async function choose(lines: string[]): Promise<void> {
  await page.getByLabel('Carica il file CSV').setInputFiles({
    name: 'farmacie.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n')),
  })
}

async function pharmacies() {
  const authorization = `Bearer ${await app.token(accounts.admin)}`
  const reply = await fetch(app.url + listAdminPharmacies.path, { headers: { authorization } })
  return listAdminPharmacies.response.parse(await reply.json()).pharmacies
}

it(
  'names the wrong rows of a file, makes the others, and those when they are corrected',
  async () => {
    await openAdministration(page, '/admin/pharmacies/import')
    const before = await pharmacies()
    const plan = before.find((each) => each.subscription_plans)?.subscription_plans?.name ?? ''
    await choose([headings, ...numbers.map((n) => row(n, plan, mistakeIn(n)?.cell))])
    await page.getByRole('heading', { name: 'Anteprima' }).waitFor()
    await page.getByRole('button', { name: `Rifiutate ${WRONG}`, pressed: true }).waitFor()
    // Of each wrong row the number that a spreadsheet shows, the name, and what is wrong in which column.
    const table = page.getByRole('table', { name: 'Righe del file' })
    await table.getByRole('row').nth(WRONG).waitFor()
    const rows = (await table.locator('tbody tr').allInnerTexts()).map((text) =>
      text.split(/[\t\n]+/),
    )
    expect(rows.map((texts) => [texts[0], texts[1], texts.at(-1)])).toEqual(
      numbers
        .filter((n) => mistakeIn(n))
        .map((n) => [String(n + 1), `Farmacia ${n}`, mistakeIn(n)?.says]),
    )
    expect(await pharmacies()).toEqual(before)

    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByRole('list', { name: 'Righe del file' }).getByText('Riga 28').waitFor()
    await page.getByRole('button', { name: `Importa ${ROWS - WRONG} farmacie` }).click()
    await page.getByRole('progressbar').waitFor()
    const done = `${ROWS - WRONG} farmacie create. Le righe rifiutate sono ${WRONG}`
    await page.getByText(done).waitFor({ timeout: 120_000 })
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Scarica le righe rifiutate' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('farmacie-rifiutate.csv')
    const text = await readFile(await download.path(), 'utf8')

    // As an administrator corrects it in a spreadsheet: the reasons stay in the first column.
    const [first = '', ...refused] = text.trim().split('\r\n')
    expect(refused).toHaveLength(WRONG)
    expect(refused[0]).toContain(mistakeIn(27)?.says)
    const corrected = refused.map((line) => {
      const n = Number(/Farmacia (\d+)/.exec(line)?.[1])
      return `${mistakeIn(n)?.says ?? ''};${row(n, plan)}`
    })
    await choose([first, ...corrected])
    await page.getByRole('button', { name: `Importa ${WRONG} farmacie` }).click()
    await page.getByText(`${WRONG} farmacie create.`).waitFor()
    const after = await pharmacies()
    expect(after).toHaveLength(before.length + ROWS)

    await page.setViewportSize({ width: 1440, height: 900 })
    await choose([headings, ...numbers.map((n) => row(n, plan))])
    await page.getByRole('button', { name: `Uguali ${ROWS}` }).waitFor()
    await page.getByText("Non c'è nulla da importare").waitFor()
    expect(await page.getByRole('button', { name: /^Importa/ }).count()).toBe(0)
    expect(await pharmacies()).toEqual(after)

    await page.getByRole('link', { name: 'Torna alle farmacie' }).click()
    await page.getByRole('searchbox').fill(`f${ROWS}@mille`)
    await page.getByRole('row', { name: `Farmacia ${ROWS}` }).waitFor()
  },
  3 * 60_000,
)

it('has shown no secret to the browser', async () => {
  expect(await received.replies()).toBeGreaterThan(20)
  const secrets = { ...(await storedSecrets(app)), password: [password] }
  expect(await received.find(secrets)).toEqual([])
})
