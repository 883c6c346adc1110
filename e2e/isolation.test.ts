import { changeOrderStatus, listOrders, OrdersPage } from '@bancone/contract/orders'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, accounts, startApp } from './support/app.ts'
import { openPage, signIn } from './support/browser.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

async function orders(email: string, query = 'pageSize=100'): Promise<OrdersPage> {
  const reply = await fetch(`${app.url}${listOrders.path}?${query}`, {
    headers: { authorization: `Bearer ${await app.token(email)}` },
  })
  expect(reply.status).toBe(200)
  return OrdersPage.parse(await reply.json())
}

async function change(email: string, recordId: string): Promise<number> {
  const reply = await fetch(app.url + changeOrderStatus.path.replace(':recordId', recordId), {
    method: changeOrderStatus.method,
    headers: {
      authorization: `Bearer ${await app.token(email)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ fields: { Stato: 'Annullato' } }),
  })
  return reply.status
}

describe('Farmacia Garibaldi', () => {
  it('sees its own thirty orders, and no link to what it has not', async () => {
    const page = await openPage(app)
    await signIn(page, accounts.garibaldi)
    await page.getByText('Pagina 1 di 2 • 30 ordini totali').waitFor()
    await page.getByRole('button', { name: /Farmacia Garibaldi/ }).waitFor()
    expect(await page.getByRole('navigation').first().getByRole('link').allInnerTexts()).toEqual([
      'Dashboard',
      'WhatsApp',
    ])
    expect(await page.getByText('Farmacia San Marco').count()).toBe(0)
  })

  it("can neither see nor change San Marco's orders, whatever it calls", async () => {
    const mine = await orders(accounts.garibaldi)
    const theirs = await orders(accounts.sanMarco)
    const ids = new Set(mine.records.map((record) => record.id))
    expect(theirs.records).toHaveLength(100)
    expect(theirs.records.filter((record) => ids.has(record.id))).toEqual([])

    const target = theirs.records.find((record) => record.fields.Stato !== 'Annullato')
    expect(await change(accounts.garibaldi, target?.id ?? '')).toBe(404)
    const after = await orders(accounts.sanMarco)
    expect(after.records.find((record) => record.id === target?.id)?.fields).toEqual(target?.fields)
    expect((await orders(accounts.garibaldi, 'pharmacyFilter=PHARM-0001')).statistics.total).toBe(
      30,
    )
  })

  it('is not let in by an administrator’s session either', async () => {
    const reply = await fetch(`${app.url}${listOrders.path}`, {
      headers: { authorization: `Bearer ${await app.token(accounts.admin)}` },
    })
    expect(reply.status).toBe(403)
  })
})
