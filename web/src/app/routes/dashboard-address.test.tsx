import { changeOrderStatus, listOrders } from '@bancone/contract/orders'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { order, orders, pageOf } from '../../../test/fixtures.ts'
import { inactive } from '../../../test/inactive.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { failure, later } from '../../../test/stub-api.ts'

const bar = () => screen.getByRole('navigation', { name: 'Pagine degli ordini' })
const section = () => screen.getByRole('region', { name: 'Elenco degli ordini' })
const address = () => location.pathname + location.search

test('the bar shows the page, its rows and up to five numbers', async () => {
  renderApp('/?page=4', serverWith(orders(121)))
  await screen.findByText('Cliente 61')
  // Its code comes after the page.
  await screen.findByRole('navigation', { name: 'Pagine degli ordini' })
  expect(bar().textContent).toContain('Pagina 4 di 7 • 20 ordini in questa pagina')
  const names = within(bar())
    .getAllByRole('button')
    .map((button) => button.textContent)
  expect(names).toEqual(['Precedente', '2', '3', '4', '5', '6', 'Successiva'])
  expect(within(bar()).getByRole('button', { name: '4' }).getAttribute('aria-current')).toBe('page')
})

test('one page has no bar', async () => {
  renderApp('/', serverWith(orders(20)))
  await screen.findByText('Cliente 20')
  expect(screen.queryByRole('navigation', { name: 'Pagine degli ordini' })).toBeNull()
})

test('going on and back goes through the history, and page 1 is not written', async () => {
  const { user } = renderApp('/', serverWith(orders(45)))
  await screen.findByText('Cliente 45')
  await user.click(within(bar()).getByRole('button', { name: 'Successiva' }))
  await screen.findByText('Cliente 25')
  expect(address()).toBe('/?page=2')
  await user.click(within(bar()).getByRole('button', { name: '1' }))
  await screen.findByText('Cliente 45')
  expect(address()).toBe('/')
  window.history.back()
  await screen.findByText('Cliente 25')
  expect(address()).toBe('/?page=2')
})

test('the ends are closed, and the current page leads nowhere', async () => {
  const { user } = renderApp('/?page=2', serverWith(orders(25)))
  await screen.findByText('Cliente 5')
  const button = (name: string) => within(bar()).getByRole('button', { name })
  expect(inactive(button('Successiva'))).toBe(true)
  expect(inactive(button('Precedente'))).toBe(false)
  const before = window.history.length
  await user.click(button('2'))
  await user.click(button('Successiva'))
  expect(window.history.length).toBe(before)
  expect(address()).toBe('/?page=2')
})

test('who arrives at the last page with the keyboard keeps the focus', async () => {
  const { user } = renderApp('/', serverWith(orders(25)))
  await screen.findByText('Cliente 25')
  const next = within(bar()).getByRole('button', { name: 'Successiva' })
  next.focus()
  await user.keyboard('{Enter}')
  await screen.findByText('Cliente 5')
  expect(inactive(next)).toBe(true)
  expect(document.activeElement).toBe(next)
})

test('the bar counts from the page asked for, not from the one still on screen', async () => {
  const api = serverWith(orders(200))
  const { user } = renderApp('/?page=3', api)
  await screen.findByText('Cliente 160')
  api.on(listOrders, () => later<ReturnType<typeof pageOf>>().promise)
  const press = (name: string) => user.click(within(bar()).getByRole('button', { name }))
  const before = window.history.length
  await press('5')
  await press('5')
  expect([address(), window.history.length]).toEqual(['/?page=5', before + 1])
  await press('Successiva')
  await press('Successiva')
  await press('Successiva')
  expect(address()).toBe('/?page=8')
  const current = within(bar()).getByRole('button', { name: '8' })
  expect(current.getAttribute('aria-current')).toBe('page')
  expect(bar().textContent).toContain('Pagina 3 di 10 • 20 ordini in questa pagina')
})

test('the second click of a double click does not hit the number that has moved there', async () => {
  renderApp('/', serverWith(orders(200)))
  await screen.findByText('Cliente 200')
  const number = (name: string) => within(bar()).getByRole('button', { name })
  fireEvent.click(number('4'), { detail: 1 })
  await waitFor(() => expect(number('4').getAttribute('aria-current')).toBe('page'))
  fireEvent.click(number('6'), { detail: 2 })
  await screen.findByText('Cliente 140')
  expect(address()).toBe('/?page=4')
})

const loadError = 'Si è verificato un errore nel caricamento degli ordini. Riprova più tardi.'

test('what was on screen stays when another page or filter cannot be loaded', async () => {
  const api = serverWith(orders(45))
  const { user } = renderApp('/', api)
  await screen.findByText('Cliente 45')
  api.on(listOrders, () => failure('internal'))
  await user.click(within(bar()).getByRole('button', { name: '3' }))
  expect((await screen.findByRole('alert')).textContent).toContain(loadError)
  await user.click(screen.getByRole('button', { name: /^Annullato/ }))
  expect((await screen.findByRole('alert')).textContent).toContain(loadError)
  expect(screen.getByText('Cliente 45')).toBeDefined()
  expect(screen.getByText('Pagina 1 di 3 • 45 ordini totali')).toBeDefined()
  expect(screen.getByText('Totale Ordini').closest('dt')?.nextElementSibling?.textContent).toBe(
    '45',
  )
  expect(section().getAttribute('aria-busy')).toBe('false')

  api.on(listOrders, ({ query }) => pageOf(orders(45), query))
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  expect(await screen.findByText('Nessun ordine trovato')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a status changed on the page that stayed shows there', async () => {
  const api = serverWith(orders(45))
  const { user } = renderApp('/', api)
  await screen.findByText('Cliente 45')
  api.on(listOrders, () => failure('internal'))
  await user.click(within(bar()).getByRole('button', { name: '3' }))
  await screen.findByRole('alert')
  api.on(changeOrderStatus, () => order(45, { Stato: 'Annullato' }))
  const status = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Stato ordine 45' })
  await user.selectOptions(status, 'Annullato')
  await screen.findByText('Ordine 45: Annullato')
  expect([status.value, inactive(status)]).toEqual(['Annullato', false])
})

test('the rows of the page before stay until those of the next are there', async () => {
  const api = serverWith(orders(45))
  const { user } = renderApp('/?page=3', api)
  await screen.findByText('Cliente 5')
  const answer = later<ReturnType<typeof pageOf>>()
  api.on(listOrders, () => answer.promise)
  await user.click(within(bar()).getByRole('button', { name: 'Precedente' }))
  expect(screen.getByText('Cliente 5')).toBeDefined()
  expect(section().getAttribute('aria-busy')).toBe('true')
  answer.resolve(pageOf(orders(45), { page: 2, pageSize: 20 }))
  await screen.findByText('Cliente 25')
  expect(section().getAttribute('aria-busy')).toBe('false')
})

test('the next page is fetched ahead', async () => {
  const api = serverWith(orders(45))
  renderApp('/', api)
  await screen.findByText('Cliente 45')
  await waitFor(() => {
    const paths = api.requests.map(({ path }) => path)
    expect(paths).toContain('/api/airtable-orders?page=2&pageSize=20')
  })
})

test('a page beyond the last leads to the last', async () => {
  const before = window.history.length
  renderApp('/?page=9', serverWith(orders(45)))
  expect(await screen.findByText('Cliente 5')).toBeDefined()
  await waitFor(() => expect(address()).toBe('/?page=3'))
  expect(window.history.length).toBe(before + 1)
})

test('values that are not valid fall back', async () => {
  const api = serverWith(orders(1))
  renderApp('/?page=-1&pageSize=1000&stato=Perso', api)
  await screen.findByText('Cliente 1')
  const paths = api.requests.map(({ path }) => path)
  expect(paths).toContain('/api/airtable-orders?page=1&pageSize=20')
})

test('the filter and the size are written, and start again from page 1', async () => {
  const list = orders(45).map(({ fields }, index) =>
    order(45 - index, { ...fields, Stato: index % 2 ? 'Confermato' : 'In attesa' }),
  )
  const { user } = renderApp('/?page=2', serverWith(list))
  await screen.findByText('Cliente 25')
  await user.click(screen.getByRole('button', { name: 'Confermato 22' }))
  await waitFor(() => expect(address()).toBe('/?stato=Confermato'))
  await screen.findByText('Cliente 44')
  expect(screen.getByText('Pagina 1 di 2 • 22 ordini trovati')).toBeDefined()
  await waitFor(() => expect(screen.queryByText('Cliente 25')).toBeNull())
  await user.selectOptions(screen.getByRole('combobox', { name: 'Ordini per pagina' }), '50')
  expect(address()).toBe('/?pageSize=50&stato=Confermato')
  await user.click(screen.getByRole('button', { name: 'Tutti 45' }))
  expect(address()).toBe('/?pageSize=50')
})

test('an empty filter offers the way back to all orders', async () => {
  const { user } = renderApp('/?stato=Annullato', serverWith(orders(1)))
  await user.click(await screen.findByRole('button', { name: 'Azzera filtri' }))
  expect(await screen.findByText('Cliente 1')).toBeDefined()
  expect(address()).toBe('/')
})
