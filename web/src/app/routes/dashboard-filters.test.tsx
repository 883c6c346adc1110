import { countOrders, searchOrders } from '@bancone/contract/order-search'
import { listOrders } from '@bancone/contract/orders'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill } from '../../../test/fill.ts'
import { countOf, foundPage, order, orders, pageOf } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { deferred, failure, type StubApi } from '../../../test/stub-api.ts'
import { setViewport } from '../../../test/viewport.ts'

const states = [
  'In attesa',
  'Confermato',
  'Confermato',
  'Prenotato Domani',
  'Prenotato in Giornata',
]
const list = states.map((Stato, index) => order(5 - index, { Stato }))

const address = () => location.pathname + location.search + location.hash
type User = ReturnType<typeof renderDashboard>['user']
const statusButton = () => screen.getByRole('button', { name: /^Stato(:|$)/ })
/** Opens the status panel. */
async function choices(user: User) {
  await user.click(statusButton())
  const group = await screen.findByRole('group', { name: 'Stato degli ordini' })
  return within(group).getAllByRole('button')
}
async function choose(user: User, name: string) {
  const choice = (await choices(user)).find(({ textContent }) => textContent?.startsWith(name))
  if (!choice) throw new Error(name)
  await user.click(choice)
}
const card = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}`) })
const count = (name: string) =>
  screen.getByText(name, { selector: 'dt *' }).closest('dt')?.nextElementSibling?.textContent
const pressed = (buttons: HTMLElement[]) =>
  buttons
    .filter((button) => button.getAttribute('aria-pressed') === 'true')
    .map((button) => button.textContent)
const lastRead = (api: StubApi) =>
  api.requests.filter(({ path }) => path.startsWith('/api/airtable-orders?')).at(-1)?.path

test('cards and status panel say how many orders have each, and the panel filters by it, with entries of the history', async () => {
  const { user } = renderDashboard('/', serverWith(list))
  await screen.findByText('Cliente 5')
  expect(screen.getAllByRole('term').map(({ textContent: name }) => [name, count(name)])).toEqual([
    ['Totale Ordini', '5'],
    ['Ordini Confermati', '2'],
    ['In Attesa', '1'],
    ['In Lavorazione', '2'],
    ['In ritardo', '1'],
    ['Da ritirare', '0'],
  ])
  const all = await choices(user)
  expect(all.map((button) => button.textContent)).toEqual([
    'Tutti5',
    'In attesa1',
    'Confermato2',
    'Prenotato in Giornata1',
    'Prenotato Domani1',
    'Annullato0',
    'In ritardo1',
    'Da ritirare0',
    'Non ritirati0',
  ])
  expect(pressed(all)).toEqual(['Tutti5'])
  await user.keyboard('{Escape}')
  await choose(user, 'Confermato')
  await screen.findByText('Pagina 1 di 1 • 2 ordini trovati')
  expect([address(), statusButton().textContent]).toEqual([
    '/?stato=Confermato',
    'Stato: Confermato',
  ])
  await focused(statusButton())
  await choose(user, 'In attesa')
  await screen.findByText('Pagina 1 di 1 • 1 ordine trovato')
  expect(address()).toBe('/?stato=In+attesa')
  window.history.back()
  await screen.findByText('Pagina 1 di 1 • 2 ordini trovati')
  await choose(user, 'Confermato')
  await screen.findByText('Pagina 1 di 1 • 5 ordini totali')
  expect([address(), statusButton().textContent]).toEqual(['/', 'Stato'])
})

test('the cards filter too, and one of them asks for two statuses', async () => {
  const { user } = renderDashboard('/#q=cliente', serverWith(list))
  await screen.findByText('Pagina 1 di 1 • 5 ordini trovati')
  await user.click(card('In Lavorazione'))
  await screen.findByText('Pagina 1 di 1 • 2 ordini trovati')
  expect(address()).toBe('/?stato=Prenotato+in+Giornata%2CPrenotato+Domani#q=cliente')
  expect(pressed(await choices(user))).toEqual(['Prenotato in Giornata1', 'Prenotato Domani1'])
  await user.keyboard('{Escape}')
  expect(card('In Lavorazione').getAttribute('aria-pressed')).toBe('true')
  await user.click(card('In Attesa'))
  await waitFor(() => expect(address()).toBe('/?stato=In+attesa#q=cliente'))
  await user.click(card('Totale Ordini'))
  await waitFor(() => expect(address()).toBe('/#q=cliente'))
  expect(card('Totale Ordini').getAttribute('aria-pressed')).toBe('true')
})

test('one click leads to the late orders, oldest first, and one back', async () => {
  const late = [order(9, { Created: new Date().toISOString() }), ...orders(3)]
  const { user } = renderDashboard('/?stato=Confermato', serverWith(late))
  await screen.findByText('Nessun ordine trovato')
  expect(count('In ritardo')).toBe('3')
  await user.click(card('In ritardo'))
  await screen.findByText('Pagina 1 di 1 • 3 ordini trovati')
  expect(address()).toBe('/?ritardo=si&ordina=meno-recenti')
  expect(screen.getAllByRole('rowheader').map((head) => head.textContent)).toEqual(['1', '2', '3'])
  expect(statusButton().textContent).toBe('Stato: In ritardo')
  await user.click(card('In ritardo'))
  await screen.findByText('Pagina 1 di 1 • 4 ordini totali')
  expect(address()).toBe('/')
  await user.click(card('In ritardo'))
  await user.click(card('In Attesa'))
  await waitFor(() => expect(address()).toBe('/?stato=In+attesa'))
})

test('with words the cards count what was found; until that is known they show nothing', async () => {
  const counted = deferred<ReturnType<typeof countOf>>()
  const found = deferred<ReturnType<typeof pageOf>>()
  const api = serverWith(list)
    .on(countOrders, () => counted.promise)
    .on(searchOrders, ({ body }) => (body.stato ? foundPage(list, body) : found.promise))
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 5')
  expect(count('Totale Ordini')).toBe('5')
  fill(screen.getByRole('searchbox'), 'cliente 4')
  await waitFor(() => expect(count('Totale Ordini')).toBe(''))
  expect(screen.getByText('Cliente 5')).toBeDefined()
  found.resolve(foundPage(list, { page: 1, pageSize: 20, q: 'cliente 4' }))
  await waitFor(() => expect(screen.queryByText('Cliente 5')).toBeNull())
  expect(count('Totale Ordini')).toBe('')
  counted.resolve(countOf(list, { q: 'cliente 4' }))
  await waitFor(() => expect(count('Ordini Confermati')).toBe('1'))
  expect([count('Totale Ordini'), count('In Attesa')]).toEqual(['1', '0'])
  // They hold for every status: another one asks for no others.
  await user.click(card('In Attesa'))
  await screen.findByText('Nessun ordine trovato')
  expect(count('Ordini Confermati')).toBe('1')
  expect(api.requests.filter(({ path }) => path === countOrders.path)).toHaveLength(1)
})

test('counts that cannot be had leave a dash', async () => {
  renderDashboard(
    '/#q=cliente',
    serverWith(list).on(countOrders, () => failure('internal')),
  )
  await waitFor(() => expect(count('In ritardo')).toBe('–'))
})

test('a usual period is chosen with two clicks, named on its button, and taken away', async () => {
  const api = serverWith(list)
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 5')
  await user.click(screen.getByRole('button', { name: 'Periodo' }))
  await user.click(await screen.findByRole('button', { name: 'Ultimi 7 giorni' }))
  await waitFor(() => expect(address()).toBe('/?periodo=ultimi-7-giorni'))
  expect(lastRead(api)).toContain('periodo=ultimi-7-giorni')
  const button = screen.getByRole('button', { name: 'Periodo: Ultimi 7 giorni' })
  await focused(button)
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(button)
  const panel = within(await screen.findByRole('dialog', { name: 'Periodo' }))
  expect(panel.getByRole('button', { name: 'Ultimi 7 giorni' }).getAttribute('aria-pressed')).toBe(
    'true',
  )
  await user.click(panel.getByRole('button', { name: 'Rimuovi il periodo' }))
  await waitFor(() => expect(address()).toBe('/'))
})

async function openPeriod(path = '/') {
  const { user } = renderDashboard(path, serverWith(list))
  await user.click(await screen.findByRole('button', { name: /^Periodo/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Periodo' })
  return {
    user,
    from: await within(dialog).findByLabelText('Dal'),
    to: within(dialog).getByLabelText('Al'),
  }
}

test('from one day to another, the two in their order', async () => {
  const { user, from, to } = await openPeriod('/?periodo=oggi')
  await user.click(screen.getByRole('button', { name: 'Applica' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Scegli almeno una data.')
  fill(from, '2026-02-01')
  fill(to, '2026-01-31')
  await user.click(screen.getByRole('button', { name: 'Applica' }))
  expect((await screen.findByRole('alert')).textContent).toBe('«Al» viene prima di «Dal».')
  expect(address()).toBe('/?periodo=oggi')
  await user.clear(to)
  fill(to, '2026-02-03')
  await user.click(screen.getByRole('button', { name: 'Applica' }))
  await waitFor(() => expect(address()).toBe('/?dal=2026-02-01&al=2026-02-03'))
  const name = 'Periodo: Dal 01/02/2026 al 03/02/2026'
  expect(await screen.findByRole('button', { name })).toBeDefined()
})

test('what opens over the list is closed by Escape, and by going elsewhere', async () => {
  const { user } = await openPeriod()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  await focused(screen.getByRole('button', { name: 'Periodo' }))
  await user.keyboard('{Enter}')
  await screen.findByRole('dialog', { name: 'Periodo' })
  await user.click(screen.getByRole('searchbox'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the sorting and the size are written, and begin again at the first page', async () => {
  const api = serverWith(orders(45))
  const { user } = renderDashboard('/?page=2', api)
  await screen.findByText('Cliente 25')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Ordina per' }), 'Cliente A-Z')
  await waitFor(() => expect(address()).toBe('/?ordina=cliente'))
  expect(lastRead(api)).toContain('ordina=cliente')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Ordini per pagina' }), '50')
  await waitFor(() => expect(address()).toBe('/?pageSize=50&ordina=cliente'))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Ordina per' }), 'Più recenti')
  await waitFor(() => expect(address()).toBe('/?pageSize=50'))
  expect(screen.queryByRole('button', { name: 'Azzera filtri' })).toBeNull()
})

test('so do the heads of two columns, which say how the list is sorted', async () => {
  const { user } = renderDashboard('/', serverWith(list))
  await screen.findByText('Cliente 5')
  const head = (name: string) => screen.getByRole('columnheader', { name })
  const sorted = () => [head('Data'), head('Cliente')].map((one) => one.getAttribute('aria-sort'))
  const press = (name: string) => user.click(within(head(name)).getByRole('button'))
  expect(sorted()).toEqual(['descending', 'none'])
  await press('Data')
  await waitFor(() => expect(address()).toBe('/?ordina=meno-recenti'))
  expect(sorted()).toEqual(['ascending', 'none'])
  await press('Cliente')
  await waitFor(() => expect(address()).toBe('/?ordina=cliente'))
  expect(sorted()).toEqual(['none', 'ascending'])
  expect(screen.getByText('Ordini, per cliente dalla A alla Z')).toBeDefined()
  await press('Cliente')
  await waitFor(() => expect(address()).toBe('/'))
})

test("'Azzera filtri' takes all filters away, keeps the sorting, and leaves the focus on the list", async () => {
  const { user } = renderDashboard(
    '/?stato=Confermato&periodo=oggi&ordina=cliente#q=cli',
    serverWith(list),
  )
  await screen.findByText('Pagina 1 di 1 • 2 ordini trovati')
  await user.click(screen.getByRole('button', { name: 'Azzera filtri' }))
  await screen.findByText('Cliente 5')
  expect(address()).toBe('/?ordina=cliente')
  await focused(screen.getByRole('region', { name: 'Elenco degli ordini' }))
})

test('on a phone the rest lies behind a button that says how much of it is set', async () => {
  setViewport('narrow')
  const { user } = renderDashboard('/?periodo=ieri&ordina=cliente', serverWith(list))
  await screen.findByText('Cliente 5')
  expect(screen.queryByRole('combobox', { name: 'Ordina per' })).toBeNull()
  const button = screen.getByRole('button', { name: 'Filtri 2 impostati' })
  await user.click(button)
  const sheet = within(await screen.findByRole('dialog', { name: 'Filtri' }))
  await user.click(sheet.getByRole('button', { name: /^Annullato/ }))
  expect(await sheet.findByRole('button', { name: 'Azzera filtri' })).toBeDefined()
  await user.click(sheet.getByRole('button', { name: /^Tutti/ }))
  await user.click(sheet.getByRole('button', { name: 'Questo mese' }))
  await user.selectOptions(sheet.getByRole('combobox', { name: 'Ordina per' }), 'Più recenti')
  expect(address()).toBe('/?periodo=questo-mese')
  await user.click(sheet.getByRole('button', { name: 'Mostra gli ordini' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await focused(screen.getByRole('button', { name: 'Filtri 1 impostato' }))
})

test("on a phone 'back' closes the filters, keeps what was chosen, and then takes it away", async () => {
  setViewport('narrow')
  const { user } = renderDashboard('/#q=cli', serverWith(list))
  await screen.findByRole('button', { name: 'Dettagli ordine 5' })
  await user.click(screen.getByRole('button', { name: 'Filtri' }))
  const sheet = within(await screen.findByRole('dialog', { name: 'Filtri' }))
  await user.click(sheet.getByRole('button', { name: 'Questo mese' }))
  await user.click(sheet.getByRole('button', { name: 'Ieri' }))
  window.history.back()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(address()).toBe('/?periodo=ieri#q=cli'))
  await focused(await screen.findByRole('button', { name: 'Filtri 1 impostato' }))
  window.history.back()
  await waitFor(() => expect(address()).toBe('/#q=cli'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a period that cannot be counted with the rest is counted by itself', async () => {
  const api = serverWith(list).on(listOrders, ({ query }) => {
    const page = pageOf(list, query)
    return { ...page, pagination: { ...page.pagination, counted: false } }
  })
  renderDashboard('/?periodo=oggi&stato=Confermato', api)
  expect(await screen.findByText('Pagina 1 di 1 • 2 ordini trovati')).toBeDefined()
  const counts = api.requests.filter(({ path }) => path === countOrders.path)
  expect(counts.map(({ body }) => body)).toEqual([{ periodo: 'oggi' }])
})
