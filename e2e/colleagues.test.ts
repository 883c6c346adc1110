import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { choosePassword, enter, openPage, signIn } from './support/browser.ts'
import { nthMail } from './support/mail.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

const marta = { name: 'Marta Bianchi', email: 'marta@example.it', password: 'tre parole a caso' }

async function openColleagues(page: Page) {
  await page.goto('/account/colleagues')
  await page.getByRole('heading', { level: 1, name: 'Colleghi' }).waitFor()
}

describe('a colleague', () => {
  it('comes by a mail, works under their own name, and is out at once when removed', async () => {
    const owner = await openPage(app)
    await signIn(owner)
    await openColleagues(owner)
    await owner.getByRole('button', { name: 'Invita un collega' }).first().click()
    await owner.getByLabel('Nome e cognome').fill(marta.name)
    await owner.getByLabel('Email').fill('non è un indirizzo')
    await owner.getByRole('button', { name: 'Invia invito' }).click()
    await owner
      .getByRole('dialog')
      .getByText(/indirizzo/)
      .first()
      .waitFor()
    await owner.getByLabel('Email').fill(marta.email)
    await owner.getByRole('button', { name: 'Invia invito' }).click()
    await owner.getByRole('main').getByRole('listitem').filter({ hasText: marta.email }).waitFor()

    const page = await openPage(app, { width: 360, height: 740 })
    const invitation = await nthMail(app, marta.email, 1)
    expect(invitation.text).toContain('Farmacia San Marco')
    await page.goto(invitation.link)
    await page.getByRole('button', { name: "Accetta l'invito" }).click()
    await choosePassword(page, marta.password)
    await page.getByRole('heading', { level: 1, name: 'Ordini' }).waitFor()

    const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
    const status = page.getByRole('combobox', { name: /^Stato/ }).first()
    const wanted = (await status.inputValue()) === 'Confermato' ? 'Annullato' : 'Confermato'
    await status.selectOption(wanted)
    const recordId = new URL((await saved).url()).pathname.split('/').at(-1)

    // The owner reads who it was.
    await owner.goto('/')
    await owner
      .getByRole('button', { name: /^Dettagli/ })
      .first()
      .click()
    const details = owner.getByRole('dialog', { name: 'Dettaglio Ordine' })
    await details.getByText(marta.name).first().waitFor()
    expect(recordId).toMatch(/^rec/)

    // What is not theirs is not offered, nor reached.
    await page.getByRole('button', { name: /Farmacia San Marco/ }).click()
    await page.getByRole('menuitem', { name: 'Sicurezza' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Chiavi API' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.goto('/account/colleagues')
    await page
      .getByText(/titolar/i)
      .first()
      .waitFor()
    expect(await page.getByRole('button', { name: 'Invita un collega' }).count()).toBe(0)
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: 'Ordini' }).waitFor()

    // They are in the middle of their work, and touch nothing.
    await openColleagues(owner)
    await owner.getByRole('button', { name: `Rimuovi ${marta.name}` }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Rimuovi' }).click()
    await page.waitForURL('**/login')
    await page.getByText('Il tuo account è stato chiuso.').waitFor()
    await enter(page, marta.email, marta.password)
    await page.getByText('Credenziali non valide. Riprova per favore.').waitFor()

    await owner.goto('/')
    await owner
      .getByRole('button', { name: /^Dettagli/ })
      .first()
      .click()
    await details.getByText(marta.name).first().waitFor()
  })
})
