import { changeOffer } from '@bancone/contract/offers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Airtable, startAirtable } from './support/airtable.ts'
import { type App, password, startAppOn } from './support/app.ts'
import { authenticatorOf } from './support/authenticator.ts'
import { choosePassword, enter, openContext } from './support/browser.ts'
import { newDataFolder } from './support/data-folder.ts'
import { nthMail } from './support/mail.ts'
import { offersOf } from './support/offers.ts'
import { startProgram } from './support/process.ts'
import { collectReceived } from './support/received.ts'
import { serviceKey, storedSecrets } from './support/stored-secrets.ts'

const NARROW = { width: 360, height: 740 }
const WIDE = { width: 1440, height: 900 }

const adminEmail = 'capo@example.it'
/** Signs in with the usual password of the journeys, which the administrator types. */
const porta = { name: 'Farmacia alla Porta', email: 'porta@example.it' }
const ponte = {
  name: 'Farmacia al Ponte',
  email: 'ponte@example.it',
  password: 'il fiume passa qui',
}

const received = collectReceived()
/** Shown to the administrator in the journey, by what they are. */
const shown: Record<string, string[]> = {}

let airtable: Airtable
let app: App
/** The window of the administrator, who stays signed in. */
let admin: Page
/** Two tabs of the pharmacy at work. */
let orders: Page
let offers: Page

beforeAll(async () => {
  airtable = await startAirtable()
  const env = { ...airtable.env, DEMO: '0', AUTH_ADMIN_KEY: serviceKey }
  app = await startAppOn(await newDataFolder(), env)
  ;[admin, orders] = await Promise.all([open(), open()])
  offers = await orders.context().newPage()
})
afterAll(async () => {
  await app.dispose()
  await airtable.dispose()
})

async function open(look = WIDE): Promise<Page> {
  const context = await openContext(app, look)
  received.follow(context)
  return context.newPage()
}

/** The command of an operator, while the server runs. @returns the password that it shows */
async function createAdministrator(): Promise<string> {
  const env = { DATA_DIR: app.dataDir, DEMO: '0' }
  const command = startProgram(
    ['scripts/server-command.mjs', 'admin-create', '--email', adminEmail],
    env,
  )
  expect(await command.ended, command.output()).toBe(0)
  return /Password, shown this once: (\S+)/.exec(command.output())?.[1] ?? ''
}

/** The link of the administration, in its bar or in its menu. */
async function goTo(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' })
  if (page.viewportSize()?.width === NARROW.width) {
    await menu.click()
    await page.getByRole('menuitem', { name }).click()
  } else await page.getByRole('navigation', { name: 'Principale' }).getByText(name).click()
}

async function chooseInMenu(name: string, item: string): Promise<void> {
  await admin.getByRole('button', { name: `Azioni: ${name}` }).click()
  await admin.getByRole('menuitem', { name: item, exact: true }).click()
}

it('begins with an empty deployment, whose administrator must have a second factor', async () => {
  const secret = await createAdministrator()
  await admin.goto('/admin/login')
  await enter(admin, adminEmail, secret)
  const key = (await admin.locator('code').innerText()).replaceAll(' ', '')
  await admin.getByLabel('Codice di 6 cifre').fill(authenticatorOf(key).next())
  const codes = admin.getByRole('dialog', { name: 'Salva i codici di recupero' })
  await codes.getByRole('listitem').first().waitFor()
  shown['recovery code'] = await codes.getByRole('listitem').allInnerTexts()
  shown['password'] = [secret, password, ponte.password]
  await codes.getByRole('button', { name: 'Li ho salvati' }).click()

  await admin.waitForURL('**/admin/dashboard')
  await goTo(admin, 'Farmacie')
  await admin.getByText("Non c'è ancora nessuna farmacia: crea la prima.").waitFor()
  await goTo(admin, 'Piani')
  await admin.getByRole('button', { name: 'Nuovo piano' }).last().click()
  const sheet = admin.getByRole('dialog')
  await sheet.getByLabel('Nome').fill('Base')
  await sheet.getByLabel('Numero massimo di offerte').fill('12')
  await sheet.getByLabel('Pagina Offerte', { exact: true }).uncheck()
  await sheet.getByRole('button', { name: 'Salva' }).click()
  await admin.getByRole('rowheader', { name: 'Base' }).waitFor()
})

async function fillNew({ name, email }: { name: string; email: string }): Promise<void> {
  await admin.getByRole('link', { name: 'Nuova farmacia' }).first().click()
  await admin.getByLabel('Nome', { exact: true }).fill(name)
  await admin.getByLabel('Email', { exact: true }).fill(email)
  await admin.getByLabel('Piano di abbonamento').selectOption('Base')
}

it('makes a pharmacy with a password, which signs in and sees the orders of its table', async () => {
  await goTo(admin, 'Farmacie')
  await fillNew(porta)
  await admin.getByLabel('Imposta una password').check()
  await admin.getByLabel('Password', { exact: true }).fill(password)
  await admin.getByLabel('Airtable Base ID').fill(airtable.baseId)
  await admin.getByLabel('Airtable Table ID').fill(airtable.tableId)
  await admin.getByRole('button', { name: 'Prova connessione' }).click()
  await admin.getByText('Connessione riuscita').waitFor()
  await admin.getByRole('button', { name: 'Salva' }).click()
  await admin.getByText('Farmacia creata').waitFor()
  await admin.getByRole('row', { name: new RegExp(`PHARM-0001.*${porta.name}`) }).waitFor()

  await orders.goto('/login')
  await enter(orders, porta.email, password)
  await orders.getByText('480 ordini totali').waitFor()
})

it('makes another one with a link, by which it chooses its password, both with telephones', async () => {
  await admin.setViewportSize(NARROW)
  await fillNew(ponte)
  await admin.getByRole('button', { name: 'Salva' }).click()
  await admin.getByText('il link per scegliere la password è in arrivo via email').waitFor()
  await admin.getByRole('listitem').filter({ hasText: 'PHARM-0002' }).waitFor()

  const page = await open(NARROW)
  const { link } = await nthMail(app, ponte.email, 1)
  shown['token of a link'] = [
    new URLSearchParams(new URL(link).hash.slice(1)).get('token_hash') ?? '',
  ]
  await page.goto(link)
  await page.getByRole('button', { name: "Accetta l'invito" }).click()
  await choosePassword(page, ponte.password)
  await page.getByRole('heading', { level: 1, name: 'Ordini' }).waitFor()
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await enter(page, ponte.email, ponte.password)
  await page.getByRole('heading', { level: 1, name: 'Ordini' }).waitFor()
})

it('shows what a change of the plan means, and the page of the pharmacy follows it by itself', async () => {
  await offers.setViewportSize(NARROW)
  await offers.goto('/offers')
  await offers.getByText('La funzionalità Offerte non è abilitata').waitFor()

  await goTo(admin, 'Piani')
  await chooseInMenu('Base', 'Modifica')
  const sheet = admin.getByRole('dialog')
  await sheet.getByLabel('Pagina Offerte', { exact: true }).check()
  await sheet.getByLabel('Numero massimo di offerte').fill('10')
  await sheet.getByRole('button', { name: 'Salva' }).click()
  const effects = admin.getByRole('dialog', { name: 'Che cosa cambia per le farmacie' })
  await effects.getByText('Cambia il numero massimo di offerte: 2 farmacie').waitFor()
  await effects.getByText('In più «Pagina Offerte»: 2 farmacie').waitFor()
  await effects.getByRole('button', { name: 'Salva le modifiche' }).click()
  await offers.getByText('0 di 10 offerte attive').waitFor()
  await orders.getByRole('link', { name: 'Offerte' }).waitFor()
})

it('lets 10 of 20 offers be active that are activated at once', async () => {
  const api = await offersOf(app, porta.email)
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      api.create(`Crema ${n + 1}`, { Stato_Offerta: 'Inattiva' }),
    ),
  )
  await offers.getByText('Crema 20', { exact: true }).waitFor()
  const authorization = `Bearer ${await app.token(porta.email)}`
  const replies = await Promise.all(
    made.map(({ id }) =>
      fetch(app.url + changeOffer.path.replace(':offerId', id), {
        method: changeOffer.method,
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ fields: { Stato_Offerta: 'Attiva' } }),
      }),
    ),
  )
  const many = (status: number) => replies.filter((reply) => reply.status === status).length
  expect([many(200), many(409)]).toEqual([10, 10])
  await offers.getByText('10 di 10 offerte attive').waitFor()
  await offers.getByText('Hai raggiunto il massimo').waitFor()
})

it('deactivates it at work: both its tabs say so, and it works again when it is activated', async () => {
  await goTo(admin, 'Farmacie')
  await chooseInMenu(porta.name, 'Disattiva')
  for (const tab of [orders, offers]) {
    await tab.getByRole('heading', { name: 'La farmacia non è attiva.' }).waitFor()
  }
  await chooseInMenu(porta.name, 'Attiva')
  await admin.getByText('Farmacia attivata').waitFor()
  await orders.reload()
  await orders.getByText('480 ordini totali').waitFor()
})

async function remove(): Promise<void> {
  await chooseInMenu(porta.name, 'Elimina')
  const dialog = admin.getByRole('dialog', { name: /^Eliminare la farmacia/ })
  await dialog.getByLabel('Codice della farmacia').fill('pharm-0001')
  await dialog.getByRole('button', { name: 'Elimina', exact: true }).click()
  await admin.getByText('Farmacia eliminata').waitFor()
}

it('is deleted, restored as it was, deleted again and purged', async () => {
  const before = await (await offersOf(app, porta.email)).list()
  await remove()
  await orders.getByRole('heading', { name: 'La farmacia è stata eliminata.' }).waitFor()

  await admin.setViewportSize(WIDE)
  await admin.getByRole('link', { name: 'Eliminate' }).click()
  await admin.getByRole('button', { name: `Ripristina ${porta.name}` }).click()
  await admin.getByText('Farmacia ripristinata').waitFor()
  expect(await (await offersOf(app, porta.email)).list()).toEqual(before)

  await goTo(admin, 'Farmacie')
  await remove()
  // Before the page: a list that changes its layout replaces the button that is pressed.
  await admin.setViewportSize(NARROW)
  await admin.getByRole('link', { name: 'Eliminate' }).click()
  await admin.getByRole('button', { name: `Elimina subito ${porta.name}` }).click()
  const dialog = admin.getByRole('dialog', { name: /^Eliminare per sempre/ })
  await dialog.getByLabel('Codice della farmacia').fill('PHARM-0001')
  await dialog.getByRole('button', { name: 'Elimina per sempre' }).click()
  await admin.getByText(/^Certificato: [\d.]+ righe e \d+ file cancellati$/).waitFor()
  await admin.getByText('PHARM-0001', { exact: true }).waitFor()
})

it('has shown no secret to any of these browsers', async () => {
  const secrets = {
    ...shown,
    ...(await storedSecrets(app)),
    'Airtable token': [airtable.env['AIRTABLE_TOKEN'] ?? ''],
  }
  for (const [what, values] of Object.entries(secrets)) {
    expect([what, values.length > 0 && values.every((value) => value.length > 8)]).toEqual([
      what,
      true,
    ])
  }
  expect(await received.replies()).toBeGreaterThan(80)
  // The codes are shown once, when they are made.
  expect(await received.find(secrets)).toEqual([
    'recovery code in POST /auth/v1/factors/recovery-codes/regenerate',
  ])
})
