import { readFile } from 'node:fs/promises'
import { ErrorBody } from '@bancone/contract/errors'
import { changeOffer } from '@bancone/contract/offers'
import { listOrders } from '@bancone/contract/orders'
import {
  getCurrentSupportSession,
  SUPPORT_SESSION_HEADER,
} from '@bancone/contract/support-sessions'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type App, accounts, password, startApp } from './support/app.ts'
import { openAdministration, openContext, openPharmacy } from './support/browser.ts'
import { offersOf } from './support/offers.ts'
import { collectReceived } from './support/received.ts'
import { serviceKey, storedSecrets } from './support/stored-secrets.ts'

const reason = 'Gli ordini di ieri non si vedono'

const received = collectReceived()
let app: App
let admin: Page
let owner: Page

beforeAll(async () => {
  app = await startApp({ AUTH_ADMIN_KEY: serviceKey })
  const context = await openContext(app)
  received.follow(context)
  admin = await context.newPage()
  owner = await (await openContext(app, { width: 360, height: 740 })).newPage()
})
afterAll(() => app.dispose())

async function orders() {
  const authorization = `Bearer ${await app.token(accounts.sanMarco)}`
  const reply = await fetch(app.url + listOrders.path, { headers: { authorization } })
  return listOrders.response.parse(await reply.json()).records
}

/** A change of an offer in the support session, whose pages have no control that asks for one. */
async function askForChange(offerId: string): Promise<unknown[]> {
  const session = await admin.evaluate(() => localStorage.getItem('bancone-admin-auth'))
  const { access_token } = z.object({ access_token: z.string() }).parse(JSON.parse(session ?? ''))
  const headers = { authorization: `Bearer ${access_token}` }
  const current = await fetch(app.url + getCurrentSupportSession.path, { headers })
  const { supportSession } = getCurrentSupportSession.response.parse(await current.json())
  const reply = await fetch(app.url + changeOffer.path.replace(':offerId', offerId), {
    method: changeOffer.method,
    headers: {
      ...headers,
      [SUPPORT_SESSION_HEADER]: supportSession?.id ?? '',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ fields: { Prezzo_Offerta: 1 } }),
  })
  return [reply.status, ErrorBody.parse(await reply.json()).code]
}

it('a support session needs a reason, shows masked orders, and cannot change them', async () => {
  const before = await orders()
  await openAdministration(admin, '/admin/pharmacies')
  await admin.getByRole('link', { name: 'Farmacia San Marco' }).click()
  await admin.getByRole('link', { name: 'Visualizza come farmacia' }).click()
  await admin.getByLabel('Motivo').fill('Aiuto')
  await admin.getByRole('button', { name: 'Inizia la visita' }).click()
  await admin.getByText('Scrivi almeno 10 caratteri.').waitFor()
  await admin.getByLabel('Motivo').fill(reason)
  await admin.getByRole('button', { name: 'Inizia la visita' }).click()

  const banner = admin.getByRole('region', { name: 'Visita di assistenza' })
  await banner.getByText('Vedi Farmacia San Marco in sola lettura').waitFor()
  await banner.getByRole('timer', { name: /^Tempo rimasto: (30:00|29:\d\d)$/ }).waitFor()
  const details = admin.getByRole('button', { name: /^Dettagli ordine/ })
  await details.first().waitFor()
  expect(await details.count()).toBe(before.length)
  await admin
    .getByText(/^#\d+ · \p{L}•••( \p{L}•••)*$/u)
    .first()
    .waitFor()

  await admin.setViewportSize({ width: 360, height: 740 })
  await details.first().click()
  const sheet = admin.getByRole('dialog')
  await sheet.getByText('•••').first().waitFor()
  expect(await sheet.getByRole('combobox').count()).toBe(0)
  await admin.keyboard.press('Escape')
  const { list } = await offersOf(app)
  const { offers } = await list()
  expect(await askForChange(offers[0]?.id ?? '')).toEqual([403, 'support.read_only'])
  expect((await list()).offers).toEqual(offers)
  await admin.getByRole('link', { name: 'Offerte' }).click()
  await admin.getByRole('listitem').first().waitFor()
  await banner.getByRole('button', { name: 'Esci dalla visita' }).click()
  await admin.getByLabel('Motivo').waitFor()

  // What is not shown was not sent either.
  const customers = before.flatMap(({ fields }) => [fields.Cliente, fields['Phone Number']])
  const known = customers.filter((text) => text !== undefined)
  expect(known.length).toBeGreaterThan(20)
  expect(await received.find({ customers: known })).toEqual([])
})

it('the pharmacy reads who looked, when and why', async () => {
  await openPharmacy(owner, '/account')
  const supportSessions = owner.getByRole('region', { name: "Visite dell'assistenza" })
  const supportSession = await supportSessions
    .getByRole('listitem')
    .filter({ hasText: reason })
    .innerText()
  expect(supportSession).toMatch(/Assistenza Bancone .*\d{2}:\d{2}–\d{2}:\d{2}$/)
})

it('the audit log finds the support session and the refused change, and is exported', async () => {
  await openAdministration(admin, '/admin/audit')
  await admin.getByLabel('Farmacia').selectOption({ label: 'Farmacia San Marco (PHARM-0001)' })
  await admin.getByLabel('Azione').selectOption('Inizio visita di assistenza')
  const rows = admin.getByRole('main').getByRole('listitem')
  await rows.filter({ hasText: 'Fine visita' }).waitFor({ state: 'detached' })
  await rows.filter({ hasText: 'Inizio visita' }).waitFor()
  await admin.setViewportSize({ width: 1440, height: 900 })
  await admin.getByLabel('Azione').selectOption('Tutte')
  await admin.getByLabel('Esito').selectOption('Respinte')
  const refused = rows.filter({ hasText: 'Respinta' })
  await refused.filter({ hasText: 'Modifica offerta' }).waitFor()
  await admin.getByLabel('Esito').selectOption('Tutti')

  const downloading = admin.waitForEvent('download')
  await admin.getByRole('button', { name: 'Scarica CSV' }).click()
  const text = await readFile(await (await downloading).path(), 'utf8')
  const [headings = '', ...lines] = text.trim().split('\r\n')
  expect(headings).toContain('Data e ora;Azione;Esito;Motivo;Persona;Ruolo;Codice farmacia')
  const written = lines.map((line) => line.split(';'))
  expect(new Set(written.map((row) => row[6]))).toEqual(new Set(['PHARM-0001']))
  const found = written.map((row) => [row[1], row[2]])
  expect(found).toContainEqual(['Inizio visita di assistenza', 'Eseguita'])
  expect(found).toContainEqual(['Fine visita di assistenza', 'Eseguita'])
  expect(found).toContainEqual(['Modifica offerta', 'Respinta'])
})

it('has shown no secret to the browser', async () => {
  const secrets = { ...(await storedSecrets(app)), password: [password] }
  expect(await received.replies()).toBeGreaterThan(15)
  expect(await received.find(secrets)).toEqual([])
})
