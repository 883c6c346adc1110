import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, accounts, password, startApp } from './support/app.ts'
import { choosePassword, enter, openPage, signIn } from './support/browser.ts'
import { nthMail } from './support/mail.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

const forgotten = 'una frase che ricordo'

async function askForLink(page: Page, email: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Password dimenticata?' }).click()
  await page.getByText(/tra poco riceverai un'email/).waitFor()
}

describe('a forgotten password', () => {
  it('becomes a new one through the link of the mail, and ends the other sessions', async () => {
    const other = await openPage(app)
    await signIn(other)

    const page = await openPage(app, { width: 360, height: 740 })
    await askForLink(page, accounts.sanMarco)
    const mail = await nthMail(app, accounts.sanMarco, 1)
    expect(new URL(mail.link).search).toBe('')

    await page.goto(mail.link)
    await page.getByRole('heading', { name: 'Scegli una nuova password' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Continua' }).click()
    await page.waitForURL('**/reset-password?type=recovery')
    expect(await page.evaluate(() => location.hash)).toBe('')

    await choosePassword(page, 'corta')
    await page
      .getByText(/10 caratteri/)
      .first()
      .waitFor()
    await choosePassword(page, forgotten, 'un’altra frase ancora')
    await page.getByText(/non coincidono|non sono uguali/).waitFor()
    await choosePassword(page, 'password123')
    await page
      .getByRole('alert')
      .filter({ hasText: /più usate/ })
      .waitFor()
    await choosePassword(page, password)
    await page
      .getByRole('alert')
      .filter({ hasText: /divers/ })
      .waitFor()
    await choosePassword(page, forgotten)
    await page.getByRole('heading', { level: 1, name: 'Ordini' }).waitFor()
    await page.getByText('Password aggiornata.').waitFor()

    // It was not used.
    await other.waitForURL('**/login')
    await enter(other, accounts.sanMarco)
    await other.getByText('Credenziali non valide. Riprova per favore.').waitFor()
    await enter(other, accounts.sanMarco, forgotten)
    await other.getByRole('heading', { level: 1, name: 'Ordini' }).waitFor()

    expect((await nthMail(app, accounts.sanMarco, 2)).text).toContain('/login')
    await page.goto(mail.link)
    await page.getByRole('button', { name: 'Continua' }).click()
    await page.getByText('Il link è scaduto o è già stato usato.').waitFor()
  })
})
