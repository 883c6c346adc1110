import { randomUUID } from 'node:crypto'
import { createOrder } from '@bancone/contract/new-orders'
import { OrderRecord } from '@bancone/contract/orders'
import { issuePriorityLinks, PriorityLink } from '@bancone/contract/priority'
import {
  CustomerPrioritySession,
  getCustomerPrioritySession,
  priorityStreams,
} from '@bancone/contract/priority-customer'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { type App, accounts } from './app.ts'
import { openContext } from './browser.ts'
import { query } from './database.ts'

/** The last digits of the telephone number of each customer made here. */
export const DIGITS = '4567'

const PHONE = '+39 333 123 4567'

/** An order made here: its texts are nowhere else. */
export type NewOrder = { recordId: string; number: string; customer: string; product: string }

export type Priority = Awaited<ReturnType<typeof priorityOf>>

/** What the journeys of priority access do besides what they show, for the first pharmacy of the demo. */
export async function priorityOf(app: App) {
  const authorization = `Bearer ${await app.token(accounts.sanMarco)}`
  let orders = 0

  async function post(path: string, body: object, headers = {}): Promise<unknown> {
    const reply = await fetch(app.url + path, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`POST ${path}: ${reply.status} ${await reply.text()}`)
    return reply.json()
  }

  async function order(customer: string): Promise<NewOrder> {
    orders += 1
    const product = `Xilodermina unguento ${orders}`
    const fields = { Cliente: customer, 'Phone Number': PHONE, Ordine: product }
    const headers = { 'idempotency-key': randomUUID() }
    const made = OrderRecord.parse(await post(createOrder.path, { fields }, headers))
    return { recordId: made.id, number: String(made.fields['ID Ordine']), customer, product }
  }

  async function link(recordId: string): Promise<PriorityLink> {
    const issued = await post(issuePriorityLinks.path, { recordIds: [recordId] })
    return z.object({ links: z.tuple([PriorityLink]) }).parse(issued).links[0]
  }

  return {
    order,
    link,

    /** An order of that customer, and its link. */
    async session(customer: string) {
      const made = await order(customer)
      return { ...made, ...(await link(made.recordId)) }
    },

    /** What the page of the link is given. */
    async state(url: string): Promise<CustomerPrioritySession> {
      return CustomerPrioritySession.parse(await post(getCustomerPrioritySession.path, linkOf(url)))
    },

    /** Customers of one network share limits, and all of these are one network. */
    async endLimits() {
      await query(app, 'delete from rate_limits')
    },
  }
}

/** The body by which the page of a link asks for its session. */
function linkOf(url: string) {
  const { pathname, hash } = new URL(url)
  const [, , pharmacyCode = ''] = pathname.split('/')
  return { pharmacyCode, token: hash.slice(3) }
}

/** A customer's telephone, which opens that address. */
export async function openAsCustomer(app: App, url: string): Promise<Page> {
  const context = await openContext(app, { width: 360, height: 740 })
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** What the page of that link is sent by its stream until it says that. */
export async function readStream(app: App, url: string, until: string): Promise<string> {
  const reply = await fetch(app.url + priorityStreams.session, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(linkOf(url)),
  })
  let text = ''
  for await (const chunk of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    if (text.includes(until)) break
  }
  return text
}

export async function openBoard(counter: Page): Promise<void> {
  await counter.goto('/priority')
  await counter.getByRole('tab', { name: /^Clienti in Attesa/ }).waitFor()
}

/** Gives the device of a counter a name, at its own board. */
export async function nameDesk(counter: Page, name: string): Promise<void> {
  await openBoard(counter)
  await counter.getByRole('button', { name: 'Dai un nome al banco' }).click()
  await counter.getByLabel('Nome del banco').fill(name)
  await counter.getByRole('button', { name: 'Salva' }).click()
  await counter.getByRole('button', { name }).waitFor()
}
