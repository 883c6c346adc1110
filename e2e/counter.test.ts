import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { openPage, signIn } from './support/browser.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')

describe('at the counter, with the keyboard', () => {
  it('a key on the status only opens the list, and Enter there sends one change', async () => {
    const page = await openPage(app)
    await signIn(page)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postData() ?? '')
    })
    const status = page.getByRole('row').nth(1).getByRole('combobox')
    await status.waitFor()
    const before = await status.inputValue()
    const open = () => status.evaluate((select) => select.matches(':open'))
    for (const key of ['ArrowDown', 'ArrowUp', 'End', 'a', 'Space']) {
      await status.focus()
      await page.keyboard.press(key)
      await expect.poll(open, { message: key }).toBe(true)
      await page.keyboard.press('Escape')
      await expect.poll(open, { message: key }).toBe(false)
      expect([await status.inputValue(), sent]).toEqual([before, []])
    }

    const wanted = before === 'Annullato' ? 'In attesa' : 'Annullato'
    await page.keyboard.press('ArrowDown')
    await expect.poll(open).toBe(true)
    await page.keyboard.press(wanted === 'Annullato' ? 'End' : 'Home')
    await page.keyboard.press('Enter')
    await page.getByText(new RegExp(`^Ordine \\d+: ${wanted}$`)).waitFor()
    expect(sent).toEqual([JSON.stringify({ fields: { Stato: wanted } })])
    expect(await focused(page)).toMatch(/^Stato ordine /)

    await page.getByRole('button', { name: 'Annulla modifica' }).press('Enter')
    await expect.poll(() => status.inputValue()).toBe(before)
    expect(await focused(page)).toMatch(/^Stato ordine /)
  })
})

describe('on a phone', () => {
  it('back closes the details and leaves the page beneath as it was', async () => {
    const page = await openPage(app, { width: 360, height: 780 })
    await signIn(page)
    await page.getByRole('button', { name: 'Successiva' }).click()
    await page.getByText('Pagina 2 di 24 • 20 ordini in questa pagina').waitFor()
    const third = page.getByRole('button', { name: /^Dettagli/ }).nth(2)
    await third.scrollIntoViewIfNeeded()
    const scrolled = await page.evaluate(() => window.scrollY)
    await third.click()
    const dialog = page.getByRole('dialog', { name: 'Dettaglio Ordine' })
    await dialog.waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Pagina 2 di 24 • 20 ordini in questa pagina').waitFor()
    expect(await page.evaluate(() => window.scrollY)).toBe(scrolled)

    await third.click()
    await dialog.waitFor()
    // The address names the order: a reload opens it again, and back leads to the page.
    await page.reload()
    await dialog.waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Pagina 2 di 24 • 20 ordini in questa pagina').waitFor()
  })
})

describe('when the connection fails in the middle', () => {
  it('the list lives without the code of the toasts, and the details need none', async () => {
    const page = await openPage(app)
    await page.route('**/assets/toaster*', (route) => route.abort())
    await signIn(page)
    const details = page.getByRole('button', { name: /^Dettagli/ }).first()
    await details.waitFor()
    await page.context().setOffline(true)
    await details.click()
    await page.getByRole('dialog', { name: 'Dettaglio Ordine' }).waitFor()
    expect(await page.getByText('Qualcosa non ha funzionato').count()).toBe(0)
  })
})
