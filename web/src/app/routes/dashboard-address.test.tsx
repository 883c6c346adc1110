import { changeOrderStatus, listOrders } from '@bancone/contract/orders'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { order, orders, pageOf } from '../../../test/fixtures.ts'
import { inactive } from '../../../test/inactive.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { deferred, failure } from '../../../test/stub-api.ts'

const bar = () => screen.getByRole('navigation', { name: 'Pagine degli ordini' })
const number = (name: string) => within(bar()).getByRole('button', { name })
const section = () => screen.getByRole('region', { name: 'Elenco degli ordini' })
const address = () => location.pathname + location.search

/** Pages of three orders. */
async function open(path: string, count: number, first: number) {
  const api = serverWith(orders(count))
  const view = renderDashboard(path, api)
  await screen.findByText(`Cliente ${first}`)
  // Its code comes after the page.
  await screen.findByRole('navigation', { name: 'Pagine degli ordini' })
  return { ...view, api }
}

test('the bar shows the page, its rows and up to five numbers, the subtitle all orders, in Italian', async () => {
  await open('/?page=4&pageSize=3', 3_700, 3_691)
  expect(screen.getByText('Pagina 4 di 1.234 • 3.700 ordini totali')).toBeDefined()
  expect(bar().textContent).toContain('Pagina 4 di 1.234 • 3 ordini in questa pagina')
  const names = within(bar())
    .getAllByRole('button')
    .map((button) => button.textContent)
  expect(names).toEqual(['Precedente', '2', '3', '4', '5', '6', 'Successiva'])
  expect(number('4').getAttribute('aria-current')).toBe('page')
})

test('one page has no bar', async () => {
  renderDashboard('/?pageSize=3', serverWith(orders(3)))
  await screen.findByText('Cliente 3')
  expect(screen.queryByRole('navigation', { name: 'Pagine degli ordini' })).toBeNull()
})

test('the ends are closed, the current page leads nowhere, and the keyboard keeps the focus there', async () => {
  const { user } = await open('/?pageSize=3', 5, 5)
  const next = number('Successiva')
  next.focus()
  await user.keyboard('{Enter}')
  await screen.findByText('Cliente 2')
  expect([inactive(next), inactive(number('Precedente'))]).toEqual([true, false])
  expect(document.activeElement).toBe(next)
  const before = window.history.length
  await user.click(number('2'))
  await user.click(next)
  expect(window.history.length).toBe(before)
  expect(address()).toBe('/?page=2&pageSize=3')
})

test('the bar counts from the page asked for, not from the one still on screen', async () => {
  const { user, api } = await open('/?page=3&pageSize=3', 30, 24)
  api.on(listOrders, () => deferred<ReturnType<typeof pageOf>>().promise)
  const before = window.history.length
  await user.click(number('5'))
  await user.click(number('5'))
  expect([address(), window.history.length]).toEqual(['/?page=5&pageSize=3', before + 1])
  await user.click(number('Successiva'))
  await user.click(number('Successiva'))
  await user.click(number('Successiva'))
  expect(address()).toBe('/?page=8&pageSize=3')
  expect(number('8').getAttribute('aria-current')).toBe('page')
  expect(bar().textContent).toContain('Pagina 3 di 10 • 3 ordini in questa pagina')
})

test('the second click of a double click does not hit the number that has moved there', async () => {
  await open('/?pageSize=3', 30, 30)
  fireEvent.click(number('4'), { detail: 1 })
  await waitFor(() => expect(number('4').getAttribute('aria-current')).toBe('page'))
  fireEvent.click(number('6'), { detail: 2 })
  await screen.findByText('Cliente 21')
  expect(address()).toBe('/?page=4&pageSize=3')
})

test('what was on screen stays, and can be changed, when another page or filter cannot be loaded', async () => {
  const { user, api } = await open('/?pageSize=3', 7, 7)
  const alert = async () => (await screen.findByRole('alert')).textContent
  const loadError = 'Si è verificato un errore nel caricamento degli ordini. Riprova più tardi.'
  api.on(listOrders, () => failure('internal'))
  await user.click(number('3'))
  expect(await alert()).toContain(loadError)
  api.on(changeOrderStatus, () => order(7, { Stato: 'Annullato' }))
  const status = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Stato ordine 7' })
  await user.selectOptions(status, 'Annullato')
  await screen.findByText('Ordine 7: Annullato')
  expect([status.value, inactive(status)]).toEqual(['Annullato', false])
  await user.click(screen.getByRole('button', { name: /^Ordini Confermati/ }))
  expect(await alert()).toContain(loadError)
  expect(screen.getByText('Cliente 7')).toBeDefined()
  expect(screen.getByText('Pagina 1 di 3 • 7 ordini totali')).toBeDefined()
  expect(screen.getByText('Totale Ordini').closest('dt')?.nextElementSibling?.textContent).toBe('7')
  expect(section().getAttribute('aria-busy')).toBe('false')

  api.on(listOrders, ({ query }) => pageOf(orders(7), query))
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  expect(await screen.findByText('Nessun ordine trovato')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the next page is fetched ahead', async () => {
  const { api } = await open('/?pageSize=3', 7, 7)
  await waitFor(() => {
    const paths = api.requests.map(({ path }) => path)
    expect(paths).toContain('/api/airtable-orders?page=2&pageSize=3')
  })
})

test('a page beyond the last leads to the last, and back does not return to it', async () => {
  const before = window.history.length
  await open('/?page=9&pageSize=3', 7, 1)
  await waitFor(() => expect(address()).toBe('/?page=3&pageSize=3'))
  expect(window.history.length).toBe(before + 1)
})
