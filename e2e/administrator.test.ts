import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, accounts, startApp } from './support/app.ts'
import { choosePassword, enter, openPage, signIn } from './support/browser.ts'
import { nthMail } from './support/mail.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

async function signInAsAdmin(page: Page, email: string = accounts.admin) {
  await page.goto('/admin/login')
  await page.getByRole('heading', { name: 'Area Amministratori' }).waitFor()
  await enter(page, email)
}

describe('an administrator', () => {
  it('and a pharmacy are in one browser at once, and leave one by one', async () => {
    const page = await openPage(app)
    await signIn(page)
    const admin = await page.context().newPage()
    await admin.goto('/admin/dashboard')
    await admin.waitForURL('**/admin/login')
    await signInAsAdmin(admin)
    await admin.waitForURL('**/admin/dashboard')
    await admin.getByText(accounts.admin).first().waitFor()

    await page.reload()
    await page.getByText('Pagina 1 di 24 • 480 ordini totali').waitFor()
    await admin.reload()
    await admin.getByRole('button', { name: 'Esci' }).waitFor()

    await page.getByRole('button', { name: /Farmacia San Marco/ }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.waitForURL('**/login')
    await admin.reload()
    await admin.getByRole('button', { name: 'Esci' }).click()
    await admin.waitForURL('**/admin/login')
    await admin.goto('/admin/dashboard')
    await admin.waitForURL('**/admin/login')
  })

  it('chooses a new password through a mail, and is led into the administration', async () => {
    const page = await openPage(app)
    await page.goto('/admin/login')
    await page.getByLabel('Email').fill(accounts.admin)
    await page.getByRole('button', { name: 'Password dimenticata?' }).click()
    const { link } = await nthMail(app, accounts.admin, 1)
    await page.goto(link)
    await page.getByRole('button', { name: 'Continua' }).click()
    await choosePassword(page, 'una frase di chi amministra')
    await page.waitForURL('**/admin/dashboard')
    expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain(
      'bancone-pharmacy-auth',
    )
  })
})
