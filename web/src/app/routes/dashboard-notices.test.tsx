import { getOrdersHealth } from '@bancone/contract/order-diagnostics'
import type { Freshness } from '@bancone/contract/order-health'
import {
  changeOrderStatus,
  dismissOrderNotice,
  listOrders,
  type OrderNotice,
  refreshOrders,
} from '@bancone/contract/orders'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { order, orders, pageOf } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { deferred, failure, type StubApi } from '../../../test/stub-api.ts'

const refused: OrderNotice = {
  recordId: order(7).id,
  orderNumber: '7',
  kind: 'refused',
  wanted: 'Confermato',
  kept: 'In attesa',
  at: '2026-01-05T07:30:00Z',
}
const conflict: OrderNotice = { ...refused, kind: 'conflict', kept: 'Annullato' }

/** A server whose pages carry these notices until they are dismissed. */
function telling(...notices: OrderNotice[]) {
  const state = { notices, dismissed: [] as string[] }
  const api = serverWith([])
    .on(listOrders, ({ query }) => pageOf(orders(7), query, {}, state.notices))
    .on(dismissOrderNotice, ({ params }) => {
      state.dismissed.push(params.recordId)
      state.notices = state.notices.filter(({ recordId }) => recordId !== params.recordId)
      return {}
    })
  return { api, state }
}

test('what became of changes is told, three at once, until each is taken away for good', async () => {
  const expected: [string, Partial<OrderNotice>, string][] = [
    [
      'alert',
      {},
      "Airtable ha rifiutato il passaggio dell'ordine 1 a «Confermato»: è tornato a «In attesa».",
    ],
    [
      'alert',
      { kind: 'conflict', kept: 'Annullato' },
      "L'ordine 2 è stato cambiato in Airtable mentre la modifica era in attesa di invio: ora è «Annullato», non «Confermato».",
    ],
    ['status', { kind: 'gone', kept: null }, "L'ordine 3 non c'è più in Airtable."],
    [
      'status',
      { kind: 'gone', kept: null, orderNumber: null },
      "L'ordine rec000004 non c'è più in Airtable.",
    ],
    ['status', { kind: 'gone', kept: null }, "L'ordine 5 non c'è più in Airtable."],
  ]
  const notices = expected.map(([, notice], index) => {
    const n = index + 1
    return { ...refused, recordId: order(n).id, orderNumber: String(n), ...notice }
  })
  const { api, state } = telling(...notices)
  const { user } = renderDashboard('/', api)
  const buttons = () => screen.queryAllByRole('button', { name: 'Ho capito' })
  await screen.findByText('Ci sono altri 2 avvisi.')
  for (const [index, [role, , text]] of expected.entries()) {
    expect((await screen.findByText(text)).closest('[role]')?.getAttribute('role')).toBe(role)
    const [first, second] = buttons()
    expect(buttons()).toHaveLength(Math.min(3, expected.length - index))
    if (!first) throw new Error('There is no button')
    await user.click(first)
    expect(screen.queryByText(text)).toBeNull()
    const next = second ?? screen.getByRole('region', { name: 'Elenco degli ordini' })
    expect(document.activeElement).toBe(next)
    await waitFor(() => expect(state.dismissed).toHaveLength(index + 1))
  }
  expect(state.dismissed).toEqual(notices.map(({ recordId }) => recordId))
})

test('one that could not be taken away comes back', async () => {
  const { api } = telling(refused)
  api.on(dismissOrderNotice, () => failure('service.unavailable'))
  const { user } = renderDashboard('/', api)
  await user.click(await screen.findByRole('button', { name: 'Ho capito' }))
  expect(await screen.findByText("Impossibile togliere l'avviso")).toBeDefined()
  expect(screen.getByText(/^Airtable ha rifiutato il passaggio/)).toBeDefined()
})

test('a conflict that is answered at once is told by the toast alone, and the row shows what is so', async () => {
  const { api, state } = telling()
  const { user } = renderDashboard('/', api)
  const status = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Stato ordine 7' })
  const answer = deferred<ReturnType<typeof failure>>()
  api.on(changeOrderStatus, () => answer.promise)
  await user.selectOptions(status, 'Confermato')
  state.notices = [conflict]
  api.on(listOrders, ({ query }) =>
    pageOf([order(7, { Stato: 'Annullato' }), ...orders(6)], query, {}, state.notices),
  )
  answer.resolve(failure('orders.conflict'))
  expect(
    await screen.findByText(
      "Ordine 7: L'ordine è stato cambiato in Airtable nel frattempo: controlla lo stato e riprova.",
    ),
  ).toBeDefined()
  await waitFor(() => expect([status.value, inactive(status)]).toEqual(['Annullato', false]))
  expect(state.dismissed).toEqual([conflict.recordId])
  expect(screen.queryByText(/mentre la modifica era in attesa di invio/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Riprova' })).toBeNull()
})

test("'Aggiorna' has the store read, and then the page", async () => {
  const api = serverWith(orders(2))
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 2')
  const answer = deferred<Freshness>()
  api.on(refreshOrders, () => answer.promise)
  const button = screen.getByRole('button', { name: 'Aggiorna' })
  await user.click(button)
  const asked = api.requests.at(-1)
  expect([asked?.method, asked?.path]).toEqual(['POST', '/api/airtable-orders/refresh'])
  expect(inactive(button)).toBe(true)
  api.on(listOrders, ({ query }) => pageOf(orders(3), query))
  expect(screen.queryByText('Cliente 3')).toBeNull()
  answer.resolve(pageOf([], { page: 1, pageSize: 20 }).freshness)
  expect(await screen.findByText('Cliente 3')).toBeDefined()
  await waitFor(() => expect(inactive(button)).toBe(false))
})

const well = {
  source: 'airtable' as const,
  lastPull: '2026-01-05T07:30:00Z',
  lastError: null,
  queue: 0,
  queueSince: null,
  setAside: 0,
  missingColumns: [],
  lastSweep: null,
  records: [],
}

async function openHealth(api: StubApi, freshness: Partial<Freshness> = {}) {
  api.on(listOrders, ({ query }) => pageOf(orders(1), query, freshness))
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 1')
  const opener = screen.getByRole('button', { name: /^Aggiornato alle/ })
  await user.click(opener)
  return { user, opener, sheet: await screen.findByRole('dialog', { name: 'Stato della copia' }) }
}

test('when all is well only who asks is told so', async () => {
  const { user, opener, sheet } = await openHealth(serverWith([]).on(getOrdersHealth, () => well))
  expect(await within(sheet).findByText('Tutto in ordine')).toBeDefined()
  expect(within(sheet).getByText('05/01/2026 08:30')).toBeDefined()
  await user.click(within(sheet).getByRole('button', { name: 'Chiudi' }))
  await focused(opener)
  expect(screen.queryByRole('button', { name: 'Stato della copia' })).toBeNull()
})

test('what is wrong with the copy is a quiet line, with the way to what to do about it', async () => {
  const api = serverWith([]).on(getOrdersHealth, () => ({
    ...well,
    lastError: { kind: 'denied' as const, at: '2026-01-05T08:30:00Z' },
    queue: 2,
    queueSince: '2026-01-05T08:00:00Z',
    setAside: 1,
    missingColumns: ['Last'],
    records: [
      {
        recordId: 'recBroken',
        reason: 'kept; cannot be read: Cliente',
        since: '2026-01-05T08:00Z',
      },
    ],
  }))
  api.on(listOrders, ({ query }) =>
    pageOf(orders(1), query, { trouble: 'denied', setAside: 1, missingColumns: ['Last'] }),
  )
  const { user } = renderDashboard('/', api)
  await user.click(await screen.findByRole('button', { name: 'Stato della copia' }))
  const sheet = await screen.findByRole('dialog', { name: 'Stato della copia' })
  expect(await within(sheet).findByText(/Il token, la base o la tabella/)).toBeDefined()
  for (const text of [/^2 modifiche/, 'Last', 'recBroken', /: Cliente$/]) {
    expect(within(sheet).getByText(text)).toBeDefined()
  }
  expect(within(sheet).queryByText('Tutto in ordine')).toBeNull()
})

test('orders that live in our own database have no copy to speak of', async () => {
  const health = { ...well, source: 'database' as const, lastPull: null }
  const { sheet } = await openHealth(serverWith([]).on(getOrdersHealth, () => health))
  expect(await within(sheet).findByText(/non c'è una copia di Airtable/)).toBeDefined()
})
