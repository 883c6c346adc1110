import { listOrders, type OrderRecord } from '@bancone/contract/orders'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { FakeChannels, setVisibility } from '../../../test/fake-channel.ts'
import { FakeWorker } from '../../../test/fake-worker.ts'
import { newOrder, orders, pageOf, pharmacy, userId } from '../../../test/fixtures.ts'
import { inactive } from '../../../test/inactive.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { deferred, failure, type StubApi } from '../../../test/stub-api.ts'
import { retryUnavailable } from '../../lib/query-client.ts'
import { pharmacySession } from '../../lib/session.ts'

const sentence = (text: string) => screen.findByText(text, { selector: '[role=status]' })
const rowState = (name: string) => screen.getByText(name).closest('tr')?.dataset['state']
const reads = (api: StubApi) =>
  api.requests.filter(({ path }) => path === '/api/airtable-orders?page=1&pageSize=20').length
const pharmacyReads = (api: StubApi) =>
  api.requests.filter(({ path }) => path === getOwnPharmacy.path).length
/** The dashboard with its line; what the server holds can be changed. */
async function open(path = '/', held: OrderRecord[] = orders(2)) {
  const state = { held, formerly: {} }
  const lines = new FakeChannels()
  const api = serverWith([]).on(listOrders, ({ query }) => {
    const page = pageOf(state.held, query)
    return { ...page, unseen: { ...page.unseen, formerly: state.formerly } }
  })
  const view = renderApp(path, api, { openChannel: lines.openChannel })
  await screen.findByText(/ordini (totali|trovati)/)
  await waitFor(() => expect(lines.opened).not.toEqual([]))
  return { api, lines, state, ...view }
}

async function live(path = '/', held = orders(2)) {
  const opened = await open(path, held)
  const before = reads(opened.api)
  opened.lines.emit(({ subscribed }) => subscribed())
  expect(await screen.findByText('In tempo reale')).toBeDefined()
  await waitFor(() => expect(reads(opened.api)).toBe(before + 1))
  return opened
}

test('the line follows the own pharmacy, and joining it reads the orders again, not the pharmacy', async () => {
  const { api, lines } = await open()
  await screen.findByRole('button', { name: pharmacy.name })
  expect(lines.opened.map(({ topic }) => topic)).toEqual([`pharmacy:${userId}`])
  expect([reads(api), screen.queryByText('Riconnessione…')]).toEqual([1, null])
  lines.emit(({ subscribed }) => subscribed())
  expect(await screen.findByText('In tempo reale')).toBeDefined()
  await waitFor(() => expect(reads(api)).toBe(2))
  expect(pharmacyReads(api)).toBe(1)
  act(() => pharmacySession.signOut())
  await screen.findByRole('heading', { name: 'Accedi' })
  expect(lines.last.open).toBe(false)
  expect(document.title).not.toMatch(/^\(/)
})

test('a new order is on screen with the event, highlighted, and said, and its id may change', async () => {
  const { lines, state } = await live()
  state.held = [newOrder(3), ...orders(2)]
  lines.emit(({ broadcast }) => broadcast('orders', {}))
  expect(await screen.findByText('Cliente 3')).toBeDefined()
  expect([rowState('Cliente 3'), rowState('Cliente 2')]).toEqual(['arrived', undefined])
  await sentence('Hai 1 nuovo ordine')
  // The store gives it a record id. It is no other order.
  const id = 'recSTORED00000003'
  state.formerly = { [id]: newOrder(3).id }
  state.held = [{ ...newOrder(3), id }, newOrder(4), ...orders(2)]
  lines.emit(({ broadcast }) => broadcast('orders', {}))
  expect(await screen.findByText('Cliente 4')).toBeDefined()
  await sentence('Hai 1 nuovo ordine')
  expect([rowState('Cliente 4'), rowState('Cliente 3')]).toEqual(['arrived', undefined])
})

test('what was missed is made up for: while the line was broken, and what the server could not tell', async () => {
  const { api, lines, state } = await live()
  lines.emit(({ disconnected }) => disconnected())
  state.held = [newOrder(4), newOrder(3), ...orders(2)]
  lines.emit(({ subscribed }) => subscribed())
  expect(await sentence('Hai 2 nuovi ordini')).toBeDefined()
  expect(screen.getByText('Cliente 4')).toBeDefined()
  await waitFor(() => expect(pharmacyReads(api)).toBe(2))
  state.held = [newOrder(5), ...state.held]
  lines.emit(({ broadcast }) => broadcast('missed', {}))
  expect(await screen.findByText('Cliente 5')).toBeDefined()
})

test('each new order is announced once, over a reload too', async () => {
  const held = [newOrder(3), ...orders(2)]
  const { unmount, lines, state } = await live('/', held)
  expect(await sentence('Hai 1 nuovo ordine')).toBeDefined()
  unmount()
  pharmacySession.stop()
  const again = await live('/', held)
  expect(rowState('Cliente 3')).toBeUndefined()
  expect(screen.queryByText('Hai 1 nuovo ordine', { selector: '[role=status]' })).toBeNull()
  again.state.held = [newOrder(4), ...held]
  again.lines.emit(({ broadcast }) => broadcast('orders', {}))
  expect(await sentence('Hai 1 nuovo ordine')).toBeDefined()
  expect([rowState('Cliente 4'), rowState('Cliente 3')]).toEqual(['arrived', undefined])
  expect([lines.last.open, state.held]).toEqual([false, held])
})

test('the highlight lasts six seconds of being seen', async () => {
  onTestFinished(() => setVisibility('visible'))
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { lines, state } = await live()
  setVisibility('hidden')
  state.held = [newOrder(3), ...orders(2)]
  lines.emit(({ broadcast }) => broadcast('orders', {}))
  await screen.findByText('Cliente 3')
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  expect(rowState('Cliente 3')).toBe('arrived')
  setVisibility('visible')
  await act(() => vi.advanceTimersByTimeAsync(7_000))
  expect(rowState('Cliente 3')).toBeUndefined()
})

test('on another page and behind a filter it is loud too, with the way to it', async () => {
  const { user, lines, state } = await live('/?page=2&pageSize=2&stato=In+attesa', orders(5))
  await screen.findByText('Cliente 3')
  state.held = [newOrder(6), ...orders(5)]
  lines.emit(({ broadcast }) => broadcast('orders', {}))
  expect(await sentence('Hai 1 nuovo ordine')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Mostra' }))
  expect(await screen.findByText('Cliente 6')).toBeDefined()
  expect(location.search).toBe('?pageSize=2')
  expect(screen.queryByRole('button', { name: 'Mostra' })).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Elenco degli ordini' }))
})

test('the badge says what is so, and flickers at nothing that passes', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { lines } = await live()
  lines.emit(({ disconnected }) => disconnected())
  await act(() => vi.advanceTimersByTimeAsync(2_500))
  expect(screen.getByText('In tempo reale')).toBeDefined()
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(screen.getByText('Riconnessione…')).toBeDefined()
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  expect(await sentence('Aggiornamento ogni 60 secondi')).toBeDefined()
  lines.emit(({ subscribed }) => subscribed())
  expect(await sentence('In tempo reale')).toBeDefined()
})

test('a first connection that takes long is no reconnection', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await open()
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  expect(screen.queryByText('Riconnessione…')).toBeNull()
})

test('a server that does not answer for seconds is slow, until it does', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { api } = await live()
  const answer = deferred<ReturnType<typeof pageOf>>()
  api.on(listOrders, () => answer.promise)
  fireEvent.click(screen.getByRole('button', { name: 'Aggiorna' }))
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  expect(screen.queryByText('Il server risponde lentamente')).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  expect(await sentence('Il server risponde lentamente')).toBeDefined()
  answer.resolve(pageOf(orders(2), { page: 1, pageSize: 20 }))
  expect(await sentence('In tempo reale')).toBeDefined()
  expect(screen.queryByText('Il server risponde lentamente')).toBeNull()
})

test('without a connection the badge says so, and nothing else does', async () => {
  const { api, lines, user } = await live()
  lines.emit(({ disconnected }) => disconnected())
  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  onTestFinished(() => network.mockRestore())
  api.on(listOrders, () => {
    throw new TypeError('fetch failed')
  })
  fireEvent(window, new Event('offline'))
  expect(await sentence('Senza connessione')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Aggiorna' }))
  await waitFor(() =>
    expect(inactive(screen.getByRole('button', { name: 'Aggiorna' }))).toBe(false),
  )
  expect([screen.queryByRole('alert'), screen.queryByText('Riconnessione…')]).toEqual([null, null])
  expect(screen.getByText('Cliente 2')).toBeDefined()
  network.mockReturnValue(true)
  api.on(listOrders, ({ query }) => pageOf(orders(3), query))
  fireEvent(window, new Event('online'))
  expect(await screen.findByText('Cliente 3')).toBeDefined()
})

describe('after an outage of the database', () => {
  /** The dashboard during the outage, which the server has told of too early: what was read then has failed. */
  async function outage(beforehand?: (opened: Awaited<ReturnType<typeof live>>) => Promise<void>) {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    FakeWorker.install()
    const opened = await live()
    const { api, lines, state, client } = opened
    retryUnavailable(client)
    await beforehand?.(opened)
    api.on(listOrders, () => failure('service.unavailable'))
    state.held = [newOrder(3), ...orders(2)]
    lines.emit(({ broadcast }) => broadcast('missed', {}))
    await act(() => vi.advanceTimersByTimeAsync(40_000))
    const over = () =>
      api.on(listOrders, ({ query }) => {
        const page = pageOf(state.held, query)
        return { ...page, unseen: { ...page.unseen, formerly: {} } }
      })
    return { ...opened, over }
  }

  test('the badge is not green while the page cannot be read, and ten seconds later it is fresh', async () => {
    const { over } = await outage()
    expect(screen.getByText('Riconnessione…')).toBeDefined()
    expect(screen.queryByText('In tempo reale')).toBeNull()
    expect(screen.getByRole('alert')).toBeDefined()
    over()
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(screen.getByText('Cliente 3')).toBeDefined()
    expect(screen.getByText('In tempo reale')).toBeDefined()
    expect([screen.queryByRole('alert'), screen.queryByText('Riconnessione…')]).toEqual([
      null,
      null,
    ])
  })

  test('with auto-refresh off the page stays as it is, and the new orders are offered', async () => {
    const { over, api } = await outage(async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Auto-aggiornamento attivo' }))
    })
    const before = reads(api)
    over()
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(screen.getByRole('button', { name: 'Mostra i nuovi ordini' })).toBeDefined()
    expect([reads(api), screen.queryByText('Cliente 3')]).toEqual([before, null])
  })

  test('with auto-refresh off a reading that failed is not repeated by itself', async () => {
    const { over, api } = await outage(async (opened) => {
      fireEvent.click(screen.getByRole('button', { name: 'Auto-aggiornamento attivo' }))
      opened.api.on(listOrders, () => failure('service.unavailable'))
      fireEvent.click(screen.getByRole('button', { name: 'Aggiorna' }))
      await screen.findByRole('alert')
    })
    const before = reads(api)
    over()
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect([reads(api), screen.queryByText('Cliente 3')]).toEqual([before, null])
    expect(screen.getByRole('alert')).toBeDefined()
  })
})

test('with auto-refresh off the page stays, and the new orders are offered', async () => {
  const { user, api, lines, state } = await live()
  await user.click(screen.getByRole('button', { name: 'Auto-aggiornamento attivo' }))
  expect(screen.getByText('Aggiornamento manuale')).toBeDefined()
  const before = reads(api)
  state.held = [newOrder(3), ...orders(2)]
  lines.emit(({ broadcast }) => broadcast('orders', {}))
  const show = await screen.findByRole('button', { name: 'Mostra i nuovi ordini' })
  expect(document.title).toBe('(1) Ordini · Bancone')
  fireEvent(window, new Event('visibilitychange'))
  lines.emit(({ subscribed }) => subscribed())
  expect([reads(api), screen.queryByText('Cliente 3')]).toEqual([before, null])
  await user.click(show)
  expect(await screen.findByText('Cliente 3')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Mostra i nuovi ordini' })).toBeNull()
  // Switched on again, it reads at once.
  state.held = [newOrder(4), ...state.held]
  await user.click(screen.getByRole('button', { name: 'Attiva auto-aggiornamento' }))
  expect(await screen.findByText('Cliente 4')).toBeDefined()
  expect(screen.getByText('In tempo reale')).toBeDefined()
})

test('news of the pharmacy are looked at: one that is not active any more is out', async () => {
  const { api, lines } = await live()
  api.on(getOwnPharmacy, () => failure('pharmacy.inactive'))
  lines.emit(({ broadcast }) => broadcast('pharmacy', {}))
  expect(await screen.findByRole('heading', { name: 'La farmacia non è attiva.' })).toBeDefined()
  expect(lines.last.open).toBe(false)
})
