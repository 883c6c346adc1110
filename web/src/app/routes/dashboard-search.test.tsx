import { countOrders, searchOrders, suggestSearch } from '@bancone/contract/order-search'
import { changeOrderStatus, listOrders, type OrderRecord } from '@bancone/contract/orders'
import { findOrdersWithCode } from '@bancone/contract/scanned-codes'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FakeChannels } from '../../../test/fake-channel.ts'
import { foundPage, newOrder, order, orders, pageOf } from '../../../test/fixtures.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { deferred, type StubApi } from '../../../test/stub-api.ts'
import { focusSearch } from '../../features/orders/filter/search-box.tsx'
import { announceScan } from '../../lib/scans.ts'

const people = [
  order(4, { Cliente: 'Nicolò Rossi', Stato: 'Confermato', Ordine: 'Tachipirina 500' }),
  order(3, { Cliente: 'Anna Bianchi', Indirizzo: 'Via Rossini 2' }),
  order(2, { Cliente: 'Mario Rossi' }),
  order(1, { Cliente: 'Giulia Verdi' }),
]

const box = () => screen.findByRole<HTMLInputElement>('searchbox', { name: 'Cerca' })
const section = () => screen.getByRole('region', { name: 'Elenco degli ordini' })
const address = () => location.pathname + location.search + location.hash
const numbers = () => screen.queryAllByRole('rowheader').map((head) => head.textContent)
const shows = (wanted: string[]) => waitFor(() => expect(numbers()).toEqual(wanted))
const searches = (api: StubApi) =>
  api.requests.filter(({ path }) => path === searchOrders.path).map(({ body }) => body)
type Page = ReturnType<typeof pageOf>

test('what is typed finds orders, and stands in no address that is sent', async () => {
  const api = serverWith(people)
  const { user } = renderApp('/', api)
  await user.type(await box(), 'mario ross')
  await shows(['2'])
  expect(address()).toBe('/#q=mario%20ross')
  expect(searches(api)).toEqual([{ page: 1, pageSize: 20, q: 'mario ross' }])
  expect(api.requests.filter(({ path }) => /mario/i.test(path))).toEqual([])
  expect([document.title, api.unexpected]).toEqual(['Ordini · Bancone', []])
  expect(screen.getByText('Pagina 1 di 1 • 1 ordine trovato')).toBeDefined()
  // A search changes nothing: it need not outlive the page.
  const sent = api.requests.find(({ path }) => path === searchOrders.path)
  expect(sent?.keepalive).toBe(false)
})

test.each([
  ['RSSMRA79B11C566R', 'RSSMRA79B11C566R'],
  [' cf rss mra 79b11 c566r ', 'RSSMRA79B11C566R'],
  ['nre *0500A* *4012341234*', '0500A4012341234'],
  ['rossiRSSMRA79B11C566R', 'RSSMRA79B11C566R'],
  ['NRE 1300A4000000248 CF RSSMRA79B11C566R', '1300A4000000248'],
  ['codice fiscale: RSSMRA79B11C566R', 'RSSMRA79B11C566R'],
  ['RSSMRA79B11C566R oki', 'RSSMRA79B11C566R'],
  ['STP1234567890123', 'STP1234567890123'],
  ['Lorusso Tommasina', null],
  ['+39 333 765 4321', null],
  ['0039 0432 1234567', null],
  ['12345678901', null],
])(
  'the code of a prescription in the field is looked for without an address: %s',
  async (text, code) => {
    const api = serverWith(people).on(findOrdersWithCode, () => ({ orders: [] }))
    const { user } = renderDashboard('/', api)
    await shows(['4', '3', '2', '1'])
    await waitFor(() => expect(announceScan('0')).toBe(true))
    const sent = () =>
      api.requests.flatMap(({ path, body }) => (path === findOrdersWithCode.path ? [body] : []))
    await waitFor(() => expect(sent()).toEqual([{ code: '0' }]))
    await user.click(await box())
    await user.paste(text)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(sent().length + searches(api).length).toBe(2))
    expect(sent().slice(1)).toEqual(code ? [{ code }] : [])
    expect([location.hash === '', (await box()).value]).toEqual(code ? [true, ''] : [false, text])
  },
)

test('a code that is typed slowly stands in no address, nor does one with a mistake', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const api = serverWith(people).on(findOrdersWithCode, () => ({ orders: [] }))
  const { user } = renderDashboard('/', api)
  await shows(['4', '3', '2', '1'])
  await waitFor(() => expect(announceScan('0')).toBe(true))
  await user.type(await box(), 'RSSMRA79B11')
  const entries = window.history.length
  await act(() => vi.advanceTimersByTimeAsync(300))
  expect(address()).toBe('/')
  await user.type(await box(), 'C566R')
  await waitFor(() => expect(address()).toBe('/'))
  expect(window.history.length).toBe(entries)
  for (const text of ['RSSMRA79B11C566', '13O0A4000000248', '1300A400000024']) {
    await user.clear(await box())
    await user.paste(text)
    await act(() => vi.advanceTimersByTimeAsync(300))
    expect(address()).toBe('/')
    await user.keyboard('{Enter}')
    await screen.findByText('Nessun ordine con questo codice')
    expect([address(), (await box()).value, searches(api)]).toEqual(['/', '', []])
  }
})

test('a whole search is one entry of the history, and back leaves it', async () => {
  const { user } = renderDashboard('/', serverWith(people))
  await shows(['4', '3', '2', '1'])
  const before = window.history.length
  await user.type(await box(), 'rossi')
  await waitFor(() => expect(location.hash).toBe('#q=rossi'))
  await user.type(await box(), 'ni')
  await waitFor(() => expect(location.hash).toBe('#q=rossini'))
  await shows(['3'])
  expect(window.history.length).toBe(before + 1)
  window.history.back()
  await shows(['4', '3', '2', '1'])
  expect([address(), (await box()).value]).toEqual(['/', ''])
  window.history.forward()
  await shows(['3'])
  expect((await box()).value).toBe('rossini')
})

test('what is typed stays as it is typed, and Enter does not wait for a pause', async () => {
  const { user } = renderDashboard('/', serverWith(people))
  const input = await box()
  await user.type(input, 'mario ')
  await waitFor(() => expect(location.hash).toBe('#q=mario'))
  await shows(['2'])
  expect(input.value).toBe('mario ')
  await user.type(input, 'r{Enter}')
  await waitFor(() => expect(location.hash).toBe('#q=mario%20r'))
})

test('the details of a found order, and the way to the content, leave the words in the address', async () => {
  const { user } = renderApp('/#q=mario', serverWith(people))
  await user.click(await screen.findByRole('button', { name: 'Dettagli ordine 2' }))
  await screen.findByRole('dialog', { name: 'Dettaglio Ordine' })
  expect(address()).toBe('/?ordine=rec000002#q=mario')
  window.history.back()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByRole('link', { name: 'Vai al contenuto' }))
  expect(document.activeElement).toBe(screen.getByRole('main'))
  expect([address(), numbers()]).toEqual(['/#q=mario', ['2']])
})

test('an old answer never takes the place of newer words', async () => {
  const slow = deferred<Page>()
  const api = serverWith(people).on(searchOrders, ({ body }) =>
    body.q === 'rossi' ? slow.promise : foundPage(people, body),
  )
  const { user } = renderDashboard('/', api)
  await user.type(await box(), 'rossi')
  await waitFor(() => expect(searches(api)).toHaveLength(1))
  await user.type(await box(), 'ni')
  await shows(['3'])
  await act(async () => slow.resolve(foundPage(people, { page: 1, pageSize: 20, q: 'rossi' })))
  expect(numbers()).toEqual(['3'])
})

test('the old list stays until what was found is there', async () => {
  const answer = deferred<Page>()
  const api = serverWith(people).on(searchOrders, () => answer.promise)
  const { user } = renderDashboard('/', api)
  await user.type(await box(), 'verdi')
  await waitFor(() => expect(section().getAttribute('aria-busy')).toBe('true'))
  expect(numbers()).toEqual(['4', '3', '2', '1'])
  expect(screen.getByText('Pagina 1 di 1 • 4 ordini totali')).toBeDefined()
  answer.resolve(foundPage(people, { page: 1, pageSize: 20, q: 'verdi' }))
  await shows(['1'])
  expect(section().getAttribute('aria-busy')).toBe('false')
  expect(await screen.findByText('Ordini trovati: 1')).toBeDefined()
})

test('until the total is counted, the pages go on one by one', async () => {
  const many = orders(5)
  const count = deferred<{
    total: number
    all: number
    counts: Page['counts']
    late: number
    toCollect: number
    overdue: number
  }>()
  const api = serverWith(many)
    .on(searchOrders, ({ body }) => {
      const page = foundPage(many, body)
      const known = { totalPages: body.page + 1, totalRecords: body.page * 2 + 1, counted: false }
      return { ...page, pagination: { ...page.pagination, ...known } }
    })
    .on(countOrders, () => count.promise)
  const { user } = renderDashboard('/?pageSize=2#q=cliente', api)
  await screen.findByText('Pagina 1')
  const bar = screen.getByRole('navigation', { name: 'Pagine degli ordini' })
  expect(bar.textContent).toContain('Pagina 1 • 2 ordini in questa pagina')
  await user.click(within(bar).getByRole('button', { name: 'Successiva' }))
  await screen.findByText('Pagina 2')
  expect(address()).toBe('/?page=2&pageSize=2#q=cliente')
  count.resolve({
    total: 5,
    all: 5,
    late: 5,
    toCollect: 0,
    overdue: 0,
    counts: pageOf(many, { page: 1, pageSize: 1 }).counts,
  })
  expect(await screen.findByText('Pagina 2 di 3 • 5 ordini trovati')).toBeDefined()
  expect(within(bar).getByRole('button', { name: '3' })).toBeDefined()
})

test('Escape clears the search, and then leaves it, and its button clears it too', async () => {
  const { user } = renderDashboard('/#q=verdi', serverWith(people))
  await shows(['1'])
  act(focusSearch)
  const input = await box()
  expect(document.activeElement).toBe(input)
  await user.keyboard('{Escape}')
  await shows(['4', '3', '2', '1'])
  expect([input.value, address(), document.activeElement]).toEqual(['', '/', input])
  await user.keyboard('{Escape}')
  expect(document.activeElement).toBe(section())
  window.history.back()
  await shows(['1'])
  await user.click(await screen.findByRole('button', { name: 'Cancella la ricerca' }))
  await shows(['4', '3', '2', '1'])
  expect(document.activeElement).toBe(input)
  expect(screen.queryByRole('button', { name: 'Cancella la ricerca' })).toBeNull()
})

test('what was found is marked, whatever its accents', async () => {
  renderDashboard(
    '/#q=NICOLO%20tachi%204',
    serverWith(people).on(searchOrders, ({ body }) => foundPage(people, { ...body, q: '4' })),
  )
  await shows(['4'])
  const marks = [...section().querySelectorAll('mark')].map((mark) => mark.textContent)
  expect(marks).toEqual(['4', 'Nicolò', 'Tachi'])
})

test('where nothing is found it says for what, and leads back to all', async () => {
  const { user } = renderDashboard('/?stato=Annullato#q=aspirna', serverWith(people))
  expect(await screen.findByText('Nessun ordine trovato')).toBeDefined()
  expect(screen.queryByText(/^Pagina/)).toBeNull()
  expect(section().textContent).toContain('Hai cercato: «aspirna» • Annullato.')
  expect(section().textContent).toContain('Controlla come è scritto')
  await user.click(within(section()).getByRole('button', { name: 'Azzera filtri' }))
  await shows(['4', '3', '2', '1'])
  expect([address(), (await box()).value]).toEqual(['/', ''])
})

test('where nothing is found the nearest words are a click away', async () => {
  const api = serverWith(people).on(suggestSearch, ({ body }) => ({
    suggestions: body.q === 'rosi' ? ['rossi', 'rossini'] : [],
  }))
  const { user } = renderDashboard('/#q=rosi', api)
  await user.click(await screen.findByRole('button', { name: 'rossini' }))
  await shows(['3'])
  expect([address(), (await box()).value]).toEqual(['/#q=rossini', 'rossini'])
})

test('a status changed among what was found shows there', async () => {
  const api = serverWith(people)
  const { user } = renderDashboard('/#q=mario', api)
  const status = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Stato ordine 2' })
  api.on(changeOrderStatus, () => order(2, { Cliente: 'Mario Rossi', Stato: 'Annullato' }))
  api.on(searchOrders, () => deferred<Page>().promise)
  await user.selectOptions(status, 'Annullato')
  await screen.findByText('Ordine 2: Annullato')
  expect(status.value).toBe('Annullato')
})

test('news of orders read what was found again, and its counts', async () => {
  const lines = new FakeChannels()
  const state: { held: OrderRecord[] } = { held: people }
  const api = serverWith([])
    .on(listOrders, ({ query }) => pageOf(state.held, query))
    .on(searchOrders, ({ body }) => foundPage(state.held, body))
    .on(countOrders, () => {
      const { counts } = pageOf(state.held, { page: 1, pageSize: 1 })
      return {
        counts,
        total: state.held.length,
        all: state.held.length,
        late: 0,
        toCollect: 0,
        overdue: 0,
      }
    })
  const { user } = renderDashboard('/#q=rossi', api, { openChannel: lines.openChannel })
  await shows(['4', '3', '2'])
  await screen.findByRole('button', { name: 'Totale Ordini 4' })
  lines.emit(({ subscribed }) => subscribed())
  state.held = [
    newOrder(6, { Cliente: 'Sara Neri' }),
    newOrder(5, { Cliente: 'Ugo Rossi' }),
    ...people,
  ]
  lines.emit(({ broadcast }) => broadcast('orders', {}))
  await waitFor(() => expect(numbers()).toHaveLength(4))
  expect(await screen.findByRole('button', { name: 'Totale Ordini 6' })).toBeDefined()
  await user.click(await screen.findByRole('button', { name: 'Mostra' }))
  await waitFor(() => expect(numbers()).toHaveLength(6))
  expect(address()).toBe('/')
})
