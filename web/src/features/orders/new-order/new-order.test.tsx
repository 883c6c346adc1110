import { createOrder } from '@bancone/contract/new-orders'
import type { OrderRecord } from '@bancone/contract/orders'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { order, orders } from '../../../../test/fixtures.ts'
import { focused } from '../../../../test/focused.ts'
import { inactive } from '../../../../test/inactive.ts'
import { renderApp, serverWith } from '../../../../test/render-app.tsx'
import { deferred, failure, type StubApi } from '../../../../test/stub-api.ts'

const sheet = () => screen.findByRole('dialog', { name: 'Nuovo ordine' })
const opener = () => screen.findByRole('button', { name: 'Nuovo ordine' })
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const save = () => screen.getByRole('button', { name: 'Salva' })

/** A server that makes orders, and notes the keys they were sent with. */
function server() {
  const all = orders(2)
  const api = serverWith(all)
  const keys: string[] = []
  const made = (fields: OrderRecord['fields']) => order(3, fields)
  function make() {
    api.on(createOrder, ({ headers, body: { fields } }) => {
      keys.push(headers['idempotency-key'])
      const created = made({ ...order(3).fields, ...fields, 'ID Ordine': 3 })
      all.unshift(created)
      return created
    })
  }
  make()
  return {
    api,
    keys,
    make,
    refuse: (reply: Parameters<typeof failing>[2]) => failing(api, keys, reply),
  }
}

function failing(
  api: StubApi,
  keys: string[],
  reply: () => ReturnType<typeof failure> | Promise<ReturnType<typeof failure>>,
) {
  api.on(createOrder, ({ headers }) => {
    keys.push(headers['idempotency-key'])
    return reply()
  })
}

async function open(api: StubApi, address = '/') {
  const view = renderApp(address, api)
  await view.user.click(await opener())
  await sheet()
  return view
}

async function fill(user: UserEvent) {
  await user.type(field('Cliente'), 'Mara Bianchi')
  await user.type(field('Prodotto richiesto'), 'Una pomata')
}

test('an order that is typed in is made, told by its number, and in the list', async () => {
  const { api, keys } = server()
  const { user } = await open(api, '/?pageSize=50#q=mara')
  await focused(field('Cliente'))
  expect(location.search + location.hash).toBe('?pageSize=50#q=mara')
  await user.keyboard(' Mara Bianchi ')
  await user.type(field('Telefono'), '333 123 4567')
  await user.type(field('Prodotto richiesto'), 'Una pomata')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Stato' }), 'Confermato')
  await user.click(save())
  expect(await screen.findByText('Ordine 3 salvato')).toBeDefined()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await focused(await opener())
  const sent = api.requests.find(({ path }) => path === '/api/orders')
  expect(sent?.body).toEqual({
    fields: {
      Cliente: 'Mara Bianchi',
      'Phone Number': '333 123 4567',
      Ordine: 'Una pomata',
      Stato: 'Confermato',
    },
  })
  expect(keys).toHaveLength(1)
  expect(sessionStorage.getItem('bancone-drafts') ?? '').not.toContain('Mara')
})

test('the list has it at once even while it is in use, and Apri in the toast opens it', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  const { user } = await open(server().api)
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(10)
  await fill(user)
  await user.click(save())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByText('Mara Bianchi')).toBeDefined()
  fireEvent.click(await screen.findByRole('button', { name: 'Apri' }))
  expect(await screen.findByRole('dialog', { name: 'Dettaglio Ordine' })).toBeDefined()
})

test('what is missing or wrong is said beside its field, and nothing is sent', async () => {
  const { api } = server()
  const { user } = await open(api)
  await user.type(field('Telefono'), '12 34')
  await user.click(save())
  await screen.findByText('Scrivi il nome del cliente.')
  const said = screen.getAllByRole('alert').map(({ textContent }) => textContent)
  expect(said).toEqual([
    'Scrivi il nome del cliente.',
    'Scrivi un numero di telefono con almeno 6 cifre.',
    'Scrivi il prodotto richiesto.',
  ])
  await focused(field('Cliente'))
  await user.type(field('Cliente'), 'x'.repeat(201))
  expect(await screen.findByText('Al massimo 200 caratteri.')).toBeDefined()
  expect(api.requests.some(({ path }) => path === '/api/orders')).toBe(false)
})

test('a failure keeps everything, and the same order is sent with the same key', async () => {
  const { api, keys, make, refuse } = server()
  refuse(() => failure('service.unavailable'))
  const { user } = await open(api)
  await fill(user)
  await user.click(save())
  expect((await screen.findByRole('alert')).textContent).toContain('non è disponibile')
  expect(field('Cliente').value).toBe('Mara Bianchi')
  make()
  await user.click(save())
  await screen.findByText('Ordine 3 salvato')
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})

test('a number that is taken is said at its field; another number is another attempt', async () => {
  const { api, keys, make, refuse } = server()
  refuse(() => failure('orders.number_taken'))
  const { user } = await open(api)
  await fill(user)
  await user.click(screen.getByText('Altro', { selector: 'summary' }))
  await user.type(field('ID Ordine'), '2')
  await user.click(save())
  const taken = await screen.findByText("C'è già un ordine con questo numero.")
  expect(field('ID Ordine').getAttribute('aria-describedby')).toBe(taken.id)
  await focused(field('ID Ordine'))
  make()
  await user.clear(field('ID Ordine'))
  await user.type(field('ID Ordine'), '33')
  await user.click(save())
  await screen.findByText('Ordine 3 salvato')
  expect(keys[0]).not.toBe(keys[1])
})

test('one that was made the first time is said to be there, and another can be made', async () => {
  const { api, keys, make, refuse } = server()
  refuse(() => failure('orders.key_reused'))
  const { user } = await open(api)
  await fill(user)
  await user.click(save())
  expect((await screen.findByRole('alert')).textContent).toContain(
    "l'ordine era già stato salvato".slice(2),
  )
  make()
  await user.click(save())
  await screen.findByText('Ordine 3 salvato')
  expect(keys[0]).not.toBe(keys[1])
})

test('while it is on its way it is not sent twice; closed, the toast tells how it went', async () => {
  const { api } = server()
  const answer = deferred<OrderRecord>()
  api.on(createOrder, () => answer.promise)
  const { user } = await open(api)
  await fill(user)
  await user.click(save())
  const busy = await screen.findByRole('button', { name: 'Salvataggio in corso…' })
  expect(inactive(busy)).toBe(true)
  await user.click(busy)
  await user.type(field('Cliente'), '{Enter}')
  expect(api.requests.filter(({ path }) => path === '/api/orders')).toHaveLength(1)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const left = vi.fn<() => void>()
  window.addEventListener('popstate', left, { once: true })
  act(() => answer.resolve(order(3)))
  expect(await screen.findByText('Ordine 3 salvato')).toBeDefined()
  // Going back takes a moment.
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(left).not.toHaveBeenCalled()
})

test('a failure that comes when it is closed is said, and the draft is there', async () => {
  const { api } = server()
  const answer = deferred<ReturnType<typeof failure>>()
  api.on(createOrder, () => answer.promise)
  const { user } = await open(api)
  await fill(user)
  await user.click(save())
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  act(() => answer.resolve(failure('internal')))
  expect(await screen.findByText("L'ordine non è stato salvato")).toBeDefined()
  await user.click(await opener())
  await sheet()
  expect(field('Cliente').value).toBe('Mara Bianchi')
})

test('it outlasts a reload, and the attempt with it', async () => {
  const { api, keys, make, refuse } = server()
  refuse(() => failure('internal'))
  const { user, unmount } = await open(api)
  await fill(user)
  await user.click(save())
  await within(await sheet()).findByRole('alert')
  unmount()
  make()
  const again = renderApp('/', api, { entry: { overlay: 'new-order' } })
  await sheet()
  expect(field('Cliente').value).toBe('Mara Bianchi')
  await again.user.click(save())
  await screen.findByText('Ordine 3 salvato')
  expect(keys[0]).toBe(keys[1])
})

test('so does one whose answer never came, because the page was left', async () => {
  const { api, keys, make, refuse } = server()
  const never = deferred<ReturnType<typeof failure>>()
  refuse(() => never.promise)
  const { user, unmount } = await open(api)
  await fill(user)
  await user.click(save())
  await waitFor(() => expect(keys).toHaveLength(1))
  unmount()
  make()
  const again = renderApp('/', api, { entry: { overlay: 'new-order' } })
  await sheet()
  await again.user.click(save())
  await screen.findByText('Ordine 3 salvato')
  expect(keys[0]).toBe(keys[1])
})

test('back closes it, and what was typed is there when it is opened again', async () => {
  const { user } = await open(server().api)
  await fill(user)
  act(() => window.history.back())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(await opener())
  await sheet()
  expect(field('Prodotto richiesto').value).toBe('Una pomata')
  expect(document.title).toBe('Ordini · Bancone')
})

test('a logout forgets it', async () => {
  const { user } = await open(server().api)
  await fill(user)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Farmacia San Carlo' }))
  await user.click(screen.getByRole('menuitem', { name: 'Logout' }))
  await screen.findByRole('heading', { name: 'Accedi' })
  expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain('Mara')
})

test('the codes of a prescription are shown and checked while the order is typed', async () => {
  const { user } = await open(server().api)
  await user.type(field('Prodotto richiesto'), 'Oki, NRE 1300A4000000248')
  const section = await screen.findByRole('region', { name: 'Ricetta' })
  within(section).getByText('1300A4000000248')
  within(section).getByText('Manca il codice fiscale.')
  expect(within(section).queryByRole('button', { name: 'Chiedi al cliente' })).toBeNull()
  await user.type(field('Prodotto richiesto'), ' cf RSSMRA79B11C566R')
  await within(section).findByText('RSSMRA79B11C566R')
  expect(within(section).queryByText('Manca il codice fiscale.')).toBeNull()
})

test('a code that a scanner types into a field does not send the order', async () => {
  const { api } = server()
  const { user } = await open(api)
  await fill(user)
  await user.click(field('Indirizzo'))
  await user.keyboard('RSSMRA79B11C566R{Enter}')
  expect(field('Indirizzo').value).toBe('RSSMRA79B11C566R')
  expect(api.requests.some(({ path }) => path === '/api/orders')).toBe(false)
  await user.click(save())
  await screen.findByText('Ordine 3 salvato')
})
