import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppWithAirtable, startAppWithAirtable } from './support/app-with-airtable.ts'
import { openPage, signIn, untilLive } from './support/browser.ts'

let app: AppWithAirtable
beforeAll(async () => {
  app = await startAppWithAirtable()
})
afterAll(() => app.dispose())

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('rowheader') })
const statusOf = (row: Locator) => row.getByRole('combobox')

async function numberOf(order: Locator): Promise<string> {
  const text = await order.getByRole('rowheader').innerText()
  return /\d+/.exec(text)?.[0] ?? ''
}

async function signedIn(): Promise<Page> {
  const page = await openPage(app)
  await signIn(page)
  await untilLive(page)
  await rows(page).nth(19).waitFor()
  return page
}

describe('a morning of work', () => {
  it('changes many orders of two pages at once, and takes it back at once', async () => {
    const page = await signedIn()
    const select = async (index: number) => {
      const row = rows(page).nth(index)
      const number = await numberOf(row)
      await row.getByRole('checkbox').check()
      return { number, status: await statusOf(row).inputValue() }
    }
    const first = [await select(0), await select(1), await select(2)]
    await page.getByRole('button', { name: 'Successiva' }).click()
    await page.getByText('Pagina 2 di').first().waitFor()
    await page.getByText('3 ordini selezionati').first().waitFor()
    const second = [await select(0)]
    await page.getByText('4 ordini selezionati').first().waitFor()

    const bar = page.getByRole('region', { name: /selezion/i })
    await bar.getByRole('button', { name: 'Prenotato Domani' }).click()
    await page.getByText('4 ordini: Prenotato Domani').waitFor()
    const there = (number: string) => statusOf(page.getByRole('row').filter({ hasText: number }))
    for (const { number } of second) {
      expect(await there(number).first().inputValue()).toBe('Prenotato Domani')
    }
    await page.getByRole('button', { name: 'Annulla modifica' }).click()
    await page.goBack()
    for (const { number, status } of first) {
      await expect.poll(() => page.getByLabel(`Stato ordine ${number}`).inputValue()).toBe(status)
    }
  })

  it('asks the second of two screens that change one order, and does as they choose', async () => {
    const one = await signedIn()
    const two = await signedIn()
    const number = await numberOf(rows(one).nth(3))
    const here = one.getByLabel(`Stato ordine ${number}`)
    const there = two.getByLabel(`Stato ordine ${number}`)
    const before = await here.inputValue()
    const [mine, yours] = ['Confermato', 'Annullato', 'Prenotato Domani'].filter(
      (status) => status !== before,
    )
    if (!mine || !yours) throw new Error('there are more states')
    // The second does not hear of it in time: it still shows what was.
    await two.context().setOffline(true)
    await here.selectOption(mine)
    await one.getByText(`Ordine ${number}: ${mine}`).waitFor()
    await two.route('**/api/airtable-orders?*', (route) => route.abort())
    await two.context().setOffline(false)
    await there.selectOption(yours)
    const dialog = two.getByRole('dialog')
    await dialog.getByText(`«${mine}»`).first().waitFor()
    await dialog.getByText('da un altro dispositivo').waitFor()
    await two.unroute('**/api/airtable-orders?*')
    await dialog.getByRole('button', { name: `Imposta «${yours}»` }).click()
    await expect.poll(() => here.inputValue(), { timeout: 10_000 }).toBe(yours)
  })
})
