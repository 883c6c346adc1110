import { changePrioritySession } from '@bancone/contract/priority'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { openContext, openPage, signIn } from './support/browser.ts'
import { query } from './support/database.ts'
import { pressKeys } from './support/keys.ts'
import { openLine } from './support/line.ts'
import {
  DIGITS,
  nameDesk,
  openAsCustomer,
  openBoard,
  type Priority,
  priorityOf,
  readStream,
} from './support/priority.ts'

const WHATSAPP = 'WhatsApp/2.24.20.89 A'
const PREVIEWS = 50

let app: App
let priority: Priority
/** Two counters: a wide one and a narrow one. */
let a: Page
let b: Page

beforeAll(async () => {
  app = await startApp()
  priority = await priorityOf(app)
  a = await openPage(app)
  b = await openPage(app, { width: 360, height: 740 })
  for (const counter of [a, b]) await signIn(counter)
  await nameDesk(a, 'Banco 1')
  await nameDesk(b, 'Banco 2')
})
afterAll(() => app.dispose())

beforeEach(async () => {
  await priority.endLimits()
  await query(app, 'delete from priority_access_sessions')
})

const toast = (page: Page, text: string) =>
  page.locator('[data-sonner-toast]').filter({ hasText: text })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const callButton = (counter: Page, customer: string) =>
  counter.getByRole('button', { name: `Chiama Cliente: ${customer}` })
const waiting = (counter: Page, count: number) =>
  counter.getByRole('tab', { name: `Clienti in Attesa (${count})` })
const completed = (counter: Page, count: number) =>
  counter.getByRole('tab', { name: `Completati Oggi (${count})` })

async function arrive(customer: Page): Promise<void> {
  await customer.getByRole('button', { name: 'Sono in farmacia' }).click()
  await heading(customer, 'Richiesta Inviata').waitFor()
}

/** A customer who waits, on a telephone, at both counters. @param origin where the telephone finds the server */
async function arrived(name: string, origin = app.url): Promise<Page> {
  const { url } = await priority.session(name)
  const customer = await openAsCustomer(app, url.replace(app.url, origin))
  await arrive(customer)
  for (const counter of [a, b]) {
    await openBoard(counter)
    await callButton(counter, name).waitFor()
  }
  return customer
}

describe('a customer who has arrived', () => {
  it('is announced on each counter, called by one of them, and put back', async () => {
    const { number, customer: name } = await priority.order('Zenobia Quarantotti')
    await openBoard(b)
    await a.goto('/')
    await a.getByRole('button', { name: `Dettagli ordine ${number}` }).click()
    await a.getByRole('button', { name: 'Invia link Priority' }).click()
    const message = a.getByText('aprire questo link e premere "Sono in farmacia"')
    const url = /https?:\S+/.exec(await message.innerText())?.[0] ?? ''
    await a.goto('/offers')

    const customer = await openAsCustomer(app, url)
    await heading(customer, 'Accesso prioritario').waitFor()
    // The token leaves the address, which a telephone shows and keeps.
    expect(new URL(customer.url()).hash).toBe('')
    await arrive(customer)
    await customer.getByText('Notifica inviata con successo!').waitFor()
    await b.getByText('NUOVO', { exact: true }).waitFor()
    await customer.getByText('Il farmacista è stato avvisato.').first().waitFor()

    for (const counter of [a, b]) {
      await toast(counter, 'Nuovo cliente arrivato!')
        .filter({ hasText: `${name} · Ordine ${number}` })
        .waitFor()
      await expect.poll(() => counter.title()).toMatch(/^\(1\) /)
    }
    await a.getByRole('link', { name: /Priority.*1 cliente in attesa/ }).waitFor()
    await waiting(b, 1).waitFor()

    await toast(a, 'Nuovo cliente arrivato!').getByRole('button', { name: 'Visualizza' }).click()
    await callButton(a, name).click()
    await heading(customer, 'Sei Stato Chiamato!').waitFor()
    await customer.getByRole('alert').getByText('Banco 1').waitFor()
    await waiting(b, 0).waitFor()
    await completed(b, 1).click()
    await b.getByText('Chiamato da Banco 1').waitFor()

    await toast(a, 'Cliente chiamato e servizio completato!')
      .getByRole('button', { name: 'Annulla' })
      .click()
    await heading(customer, 'Richiesta Inviata').waitFor()
    for (const counter of [a, b]) {
      await waiting(counter, 1).waitFor()
      await completed(counter, 0).waitFor()
    }
  })

  it('is called by one of two counters that call at once', async () => {
    const customer = await arrived('Onofrio Gara')
    let released = () => {}
    const both = new Promise<void>((resolve) => (released = resolve))
    let asked = 0
    const path = app.url + changePrioritySession.path.replace(':prioritySessionId', '*')
    for (const counter of [a, b])
      await counter.route(path, async (route) => {
        asked += 1
        if (asked === 2) released()
        await both
        await route.continue()
      })
    await Promise.all([a, b].map((counter) => callButton(counter, 'Onofrio Gara').click()))

    const won = 'Cliente chiamato e servizio completato!'
    const texts = async (counter: Page) =>
      (await counter.locator('[data-sonner-toast]').allInnerTexts()).join('\n')
    await expect
      .poll(async () => {
        const [one, two] = [await texts(a), await texts(b)]
        return (
          (one.includes(won) && two.includes('Chiamato da Banco 1')) ||
          (two.includes(won) && one.includes('Chiamato da Banco 2'))
        )
      })
      .toBe(true)
    for (const counter of [a, b]) await counter.unroute(path)
    await customer
      .getByRole('alert')
      .getByText(/^Banco [12]$/)
      .waitFor()
    for (const counter of [a, b]) await completed(counter, 1).waitFor()
  })

  it('waits and is called by keys alone', async () => {
    const customer = await arrived('Tastiera Sola')
    await pressKeys(a, '1', 'Enter')
    await heading(customer, 'Sei Stato Chiamato!').waitFor()
    await waiting(a, 0).waitFor()
    await pressKeys(a, 'u', 'Enter')
    await heading(customer, 'Richiesta Inviata').waitFor()
    await callButton(a, 'Tastiera Sola').waitFor()
  })
})

describe('a bad connection', () => {
  it('of the server, which is killed between arrival and call, delays the call only', async () => {
    const customer = await arrived('Caduta Ripresa')
    await app.program().end('SIGKILL')
    await customer.getByText('Connessione assente').waitFor()
    await app.start()
    await customer.getByText('Connessione assente').waitFor({ state: 'detached', timeout: 30_000 })
    await a.getByRole('status', { name: 'Connessione' }).getByText('Connesso').waitFor()
    await callButton(a, 'Caduta Ripresa').click()
    await heading(customer, 'Sei Stato Chiamato!').waitFor()
    await waiting(b, 0).waitFor()
  })

  it('of the customer is made up for when it is back', async () => {
    const line = await openLine(app)
    const customer = await arrived('Persa Ritrovata', line.url)
    line.cut()
    await customer.context().setOffline(true)
    await customer.getByText('Connessione assente').waitFor()
    await callButton(b, 'Persa Ritrovata').click()
    await waiting(a, 0).waitFor()
    expect(await heading(customer, 'Richiesta Inviata').isVisible()).toBe(true)
    line.mend()
    await customer.context().setOffline(false)
    await heading(customer, 'Sei Stato Chiamato!').waitFor()
    await customer.getByText('Connessione assente').waitFor({ state: 'detached' })
    await line.close()
  })
})

describe('the link', () => {
  it('changes nothing when a previewer opens it, and names neither customer nor product', async () => {
    const { url, customer, product } = await priority.session('Discreta Anteprima')
    const bytes: string[] = []
    for (let n = 0; n < PREVIEWS; n += 1) {
      const reply = await fetch(url, { headers: { 'user-agent': WHATSAPP } })
      expect(reply.status).toBe(200)
      bytes.push(await reply.text())
    }
    await priority.endLimits()
    const previewer = await openContext(app, { userAgent: WHATSAPP })
    const opened = await previewer.newPage()
    const bodies: Promise<string>[] = []
    opened.on('response', (response) => {
      if (!response.url().includes('/events')) bodies.push(response.text().catch(() => ''))
    })
    await opened.goto(url)
    await opened.getByRole('button', { name: 'Sono in farmacia' }).waitFor()
    expect((await priority.state(url)).status).toBe('link_sent')

    const stream = readStream(app, url, 'user_arrived')
    await arrive(opened)
    bytes.push(await stream, await opened.content(), ...(await Promise.all(bodies)))
    const read = bytes.join('\n')
    expect(read).toContain('user_arrived')
    for (const secret of [customer, ...customer.split(' '), product, '123 4567']) {
      expect(read).not.toContain(secret)
    }
  })

  it('without its token shows the state alone, until the last digits of the number', async () => {
    const { url, number } = await priority.session('Cifra Quattro')
    const customer = await openAsCustomer(app, url.replace(/#.*/, ''))
    await heading(customer, 'Accesso prioritario').waitFor()
    expect(await customer.getByText(number).count()).toBe(0)
    expect(await customer.getByRole('button', { name: 'Sono in farmacia' }).count()).toBe(0)
    const digits = customer.getByLabel('Ultime quattro cifre del telefono')
    await digits.fill('0000')
    await digits.press('Enter')
    await customer
      .getByRole('alert')
      .filter({ hasText: /non corrispond/ })
      .waitFor()
    await digits.fill(DIGITS)
    await digits.press('Enter')
    await customer.getByText(number).waitFor()
    await arrive(customer)

    await customer.goto('/priority/PHARM-0001')
    await customer.getByLabel('Numero dell’ordine').fill(number)
    await digits.fill(DIGITS)
    await digits.press('Enter')
    await heading(customer, 'Richiesta Inviata').waitFor()
  })
})
