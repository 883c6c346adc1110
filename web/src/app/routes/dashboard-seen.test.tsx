import {
  changeOrderStatus,
  listOrders,
  markOrdersSeen,
  type OrderRecord,
  type UnseenOrders,
} from '@bancone/contract/orders'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { newOrder, order, orders, pageOf } from '../../../test/fixtures.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { deferred, failure } from '../../../test/stub-api.ts'
import { setViewport } from '../../../test/viewport.ts'

/** A server that holds orders, newest first, and notes what has been seen. */
function seeing(held: OrderRecord[]) {
  const state = { held, marked: [] as string[][] }
  const unseen = (): UnseenOrders => pageOf(state.held, { page: 1, pageSize: 1 }).unseen
  const api = serverWith([])
    .on(listOrders, ({ query }) => pageOf(state.held, query))
    .on(markOrdersSeen, ({ body }) => {
      state.marked.push(body.recordIds)
      const now = new Set(body.recordIds)
      state.held = state.held.map((one) => (now.has(one.id) ? { ...one, seen: true } : one))
      return unseen()
    })
  return { api, state }
}

const newOnes = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => newOrder(from - index))
const banner = () => screen.findByRole('region', { name: 'Nuovi ordini' })
const noBanner = () =>
  waitFor(() => expect(screen.queryByRole('region', { name: 'Nuovi ordini' })).toBeNull())
const marks = () => screen.queryAllByText('Nuovo')
const markButton = { name: 'Segna come visti' }

test('unseen orders carry a word, and are counted on every page', async () => {
  renderApp('/', seeing([...newOnes(4, 3), ...orders(2)]).api)
  await screen.findByText('Cliente 4')
  expect(marks().map((mark) => mark.closest('tr')?.textContent)).toEqual([
    expect.stringContaining('Cliente 4'),
    expect.stringContaining('Cliente 3'),
  ])
  expect((await banner()).textContent).toContain('Hai 2 nuovi ordini')
  expect(document.title).toBe('(2) Ordini · Bancone')
  expect(screen.getByRole('link', { name: 'Dashboard 2 nuovi ordini' })).toBeDefined()
})

test('on a phone too: on the card, and in the menu and on what opens it', async () => {
  setViewport('narrow')
  const { user } = renderApp('/', seeing([newOrder(2), ...orders(1)]).api)
  await screen.findByText('Cliente 2')
  expect(marks()[0]?.closest('li')?.textContent).toContain('Cliente 2')
  const name = { name: 'Farmacia San Carlo 1 nuovo ordine' }
  await user.click(await screen.findByRole('button', name))
  expect(screen.getByRole('menuitem', { name: 'Dashboard 1 nuovo ordine' })).toBeDefined()
})

test("'Segna come visti' shows at once, and stays when the server has noted it", async () => {
  const { api, state } = seeing([...newOnes(4, 3), ...orders(2)])
  const answer = deferred<UnseenOrders>()
  const { user } = renderApp('/', api)
  await banner()
  const noting = api.on(markOrdersSeen, ({ body }) => {
    state.marked.push(body.recordIds)
    return answer.promise
  })
  await user.click(screen.getByRole('button', markButton))
  await noBanner()
  expect([marks(), document.title]).toEqual([[], 'Ordini · Bancone'])
  expect(state.marked).toEqual([[newOrder(4).id, newOrder(3).id]])
  answer.resolve({ count: 0, recordIds: [] })
  expect(await screen.findByText(/sono stati segnati come visti/)).toBeDefined()
  expect([marks(), noting.unexpected]).toEqual([[], []])
  expect(screen.getByRole('link', { name: 'Dashboard' })).toBeDefined()
})

test('and is taken back when it could not be noted, and said', async () => {
  const { api } = seeing([...newOnes(4, 3), ...orders(2)])
  api.on(markOrdersSeen, () => failure('service.unavailable'))
  const { user } = renderDashboard('/', api)
  await banner()
  await user.click(screen.getByRole('button', markButton))
  expect(await screen.findByText('Impossibile segnare gli ordini come visti')).toBeDefined()
  expect((await banner()).textContent).toContain('Hai 2 nuovi ordini')
  expect(marks()).toHaveLength(2)
})

test('many are noted in portions of a hundred, and what comes in meanwhile stays new', async () => {
  const { api, state } = seeing(newOnes(250, 1))
  const { user } = renderDashboard('/?pageSize=2', api)
  expect((await banner()).textContent).toContain('Hai 250 nuovi ordini')
  const wrapped = { late: false }
  api.on(markOrdersSeen, ({ body }) => {
    state.marked.push(body.recordIds)
    const now = new Set(body.recordIds)
    state.held = state.held.map((one) => (now.has(one.id) ? { ...one, seen: true } : one))
    if (!wrapped.late) state.held = [newOrder(251), ...state.held]
    wrapped.late = true
    return pageOf(state.held, { page: 1, pageSize: 1 }).unseen
  })
  await user.click(screen.getByRole('button', markButton))
  await waitFor(() => expect(state.marked.flat()).toHaveLength(250))
  expect(Math.max(...state.marked.map((ids) => ids.length))).toBe(100)
  await waitFor(async () => expect((await banner()).textContent).toContain('Hai 1 nuovo ordine'))
  expect(state.held.filter(({ seen }) => !seen).map(({ id }) => id)).toEqual([newOrder(251).id])
})

test('opening the details of a new order marks that one, and only once', async () => {
  const { api, state } = seeing([...newOnes(4, 3), ...orders(2)])
  const { user } = renderDashboard('/', api)
  await user.click(await screen.findByRole('button', { name: 'Dettagli ordine 4' }))
  await user.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Chiudi' }),
  )
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(marks()).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'Dettagli ordine 4' }))
  await screen.findByRole('dialog')
  expect(state.marked).toEqual([[newOrder(4).id]])
})

test('if that cannot be stored the order stays new, without a message', async () => {
  const { api } = seeing([newOrder(3), ...orders(2)])
  api.on(markOrdersSeen, () => failure('service.unavailable'))
  const { user } = renderDashboard('/', api)
  await user.click(await screen.findByRole('button', { name: 'Dettagli ordine 3' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(marks()).toHaveLength(1))
  expect(screen.queryByText('Impossibile segnare gli ordini come visti')).toBeNull()
})

test('an order whose status was changed is new no more', async () => {
  const { api, state } = seeing([newOrder(3), ...orders(2)])
  api.on(changeOrderStatus, ({ body }) => {
    const changed = order(3, body.fields)
    state.held = [changed, ...orders(2)]
    return changed
  })
  const { user } = renderDashboard('/', api)
  await banner()
  const status = screen.getByRole('combobox', { name: 'Stato ordine 3' })
  await user.selectOptions(status, 'Confermato')
  await noBanner()
  expect([marks(), state.marked]).toEqual([[], []])
})
