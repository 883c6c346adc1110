import {
  addOrderView,
  changeOrderView,
  listOrderViews,
  type OrderView,
  removeOrderView,
} from '@bancone/contract/order-views'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill } from '../../../test/fill.ts'
import { order } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { failure } from '../../../test/stub-api.ts'
import { setViewport } from '../../../test/viewport.ts'

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const toConfirm: OrderView = { id: id(1), name: 'Da confermare', search: { stato: ['In attesa'] } }
const rossi: OrderView = {
  id: id(2),
  name: 'Rossi di oggi',
  search: { q: 'rossi', periodo: 'oggi', ordina: 'cliente' },
}

const list = [order(2, { Stato: 'Confermato' }), order(1)]
const address = () => location.pathname + location.search + location.hash
const names = () =>
  within(screen.getByRole('dialog'))
    .queryAllByRole('link')
    .map(({ firstElementChild }) => firstElementChild?.textContent)

/** A server that keeps views. */
function keeping(...views: OrderView[]) {
  const state = { views }
  const api = serverWith(list)
    .on(listOrderViews, () => ({ views: state.views }))
    .on(addOrderView, ({ body }) => {
      if (state.views.some(({ name }) => name === body.name)) return failure('views.name_taken')
      const added = { id: id(9), ...body }
      state.views = [...state.views, added]
      return added
    })
    .on(changeOrderView, ({ params, body }) => {
      const before = state.views.find((view) => view.id === params.viewId)
      if (!before) return failure('views.not_found')
      const { name = before.name, search = before.search } = body
      const changed = { ...before, name, search }
      state.views = state.views.map((view) => (view === before ? changed : view))
      return changed
    })
    .on(removeOrderView, ({ params }) => {
      state.views = state.views.filter((view) => view.id !== params.viewId)
      return {}
    })
  return { api, state }
}

async function openViews(path: string, ...views: OrderView[]) {
  const { api, state } = keeping(...views)
  const { user } = renderDashboard(path, api)
  await screen.findByText(/^Pagina 1/)
  await user.click(await screen.findByRole('button', { name: /^Vist[ae]/ }))
  await screen.findByRole('dialog', { name: 'Viste' })
  return { user, api, state }
}

test('a view is a link to what it shows, and is named while it is shown', async () => {
  const { user } = await openViews('/?pageSize=50', toConfirm, rossi)
  const link = await screen.findByRole('link', { name: /^Rossi di oggi/ })
  expect(link.getAttribute('href')).toBe('/?pageSize=50&periodo=oggi&ordina=cliente#q=rossi')
  expect(link.textContent).toContain('«rossi» • Oggi • Cliente A-Z')
  await user.click(screen.getByRole('link', { name: /^Da confermare/ }))
  await waitFor(() => expect(address()).toBe('/?pageSize=50&stato=In+attesa'))
  expect(screen.queryByRole('dialog')).toBeNull()
  const button = await screen.findByRole('button', { name: 'Vista: Da confermare' })
  await user.click(button)
  const current = await screen.findByRole('link', { name: /^Da confermare/ })
  expect(current.getAttribute('aria-current')).toBe('true')
  expect(screen.queryByRole('button', { name: 'Salva questa vista' })).toBeNull()
})

test('the views are not asked for where no filter could be one', async () => {
  const { api } = keeping(toConfirm)
  renderDashboard('/?page=1', api)
  await screen.findByText('Cliente 2')
  expect(api.requests.filter(({ path }) => path === listOrderViews.path)).toEqual([])
})

test('without views it says what they are for', async () => {
  await openViews('/')
  expect(
    await screen.findByText(/^Una vista ricorda una ricerca .* Imposta un filtro/),
  ).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Salva questa vista' })).toBeNull()
})

test('what is shown is saved with a name that no other view has', async () => {
  const { user, state } = await openViews('/?stato=Confermato&page=2#q=cliente', toConfirm)
  await user.click(await screen.findByRole('button', { name: 'Salva questa vista' }))
  const field = await screen.findByLabelText('Nome della vista')
  await focused(field)
  await user.keyboard('{Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe('Scrivi un nome per la vista.')
  fill(field, 'Da confermare')
  await user.keyboard('{Enter}')
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toContain("C'è già una vista con questo nome"),
  )
  await user.clear(field)
  await user.type(field, ' Confermati {Enter}')
  await waitFor(() => expect(names()).toEqual(['Da confermare', 'Confermati']))
  expect(state.views[1]).toMatchObject({
    name: 'Confermati',
    search: { q: 'cliente', stato: ['Confermato'] },
  })
  expect(screen.queryByLabelText('Nome della vista')).toBeNull()
  expect(await screen.findByRole('button', { name: 'Vista: Confermati' })).toBeDefined()
})

const actions = (name: string) => screen.findByRole('button', { name: `Modifica la vista ${name}` })

test('a view gets another name, and is made to show what is shown now', async () => {
  const { user, state } = await openViews('/?periodo=oggi', toConfirm)
  await user.click(await actions('Da confermare'))
  await user.click(screen.getByRole('button', { name: 'Rinomina' }))
  const field = await screen.findByLabelText<HTMLInputElement>('Nome della vista')
  expect(field.value).toBe('Da confermare')
  fill(field, 'In attesa')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(names()).toEqual(['In attesa']))
  await user.click(await actions('In attesa'))
  await user.click(screen.getByRole('button', { name: 'Aggiorna con i filtri attuali' }))
  expect(await screen.findByText('Vista aggiornata con i filtri attuali')).toBeDefined()
  expect(state.views).toEqual([{ ...toConfirm, name: 'In attesa', search: { periodo: 'oggi' } }])
  expect(await screen.findByRole('button', { name: 'Vista: In attesa' })).toBeDefined()
})

test('a view is taken away, its name in no toast, and brought back', async () => {
  const { user, state } = await openViews('/', rossi, toConfirm)
  await user.click(await actions('Rossi di oggi'))
  await user.click(screen.getByRole('button', { name: 'Elimina' }))
  const toast = (await screen.findByText('Vista eliminata')).closest('li')
  expect(toast?.textContent).not.toContain('Rossi')
  await waitFor(() => expect(names()).toEqual(['Da confermare']))
  expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Annulla' }))
  await waitFor(() => expect(state.views).toHaveLength(2))
  expect(state.views[1]).toMatchObject({ name: 'Rossi di oggi', search: rossi.search })
})

test('what could not be done is said, and the view is as it was', async () => {
  const { user, api } = await openViews('/', toConfirm)
  api.on(removeOrderView, () => failure('views.not_found'))
  await user.click(await actions('Da confermare'))
  await user.click(screen.getByRole('button', { name: 'Elimina' }))
  expect(await screen.findByText('Impossibile eliminare la vista')).toBeDefined()
  expect(screen.getByText("La vista non c'è più.")).toBeDefined()
  expect(names()).toEqual(['Da confermare'])
})

test('views that cannot be read say so, and are read again', async () => {
  const { api } = keeping(toConfirm)
  api.on(listOrderViews, () => failure('internal'))
  const { user } = renderDashboard('/', api)
  await user.click(await screen.findByRole('button', { name: 'Viste' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Viste' }))
  await dialog.findByRole('alert')
  api.on(listOrderViews, () => ({ views: [toConfirm] }))
  await user.click(dialog.getByRole('button', { name: 'Riprova' }))
  expect(await screen.findByRole('link', { name: /^Da confermare/ })).toBeDefined()
})

test('on a phone they are among the filters, and choosing one shows the list', async () => {
  setViewport('narrow')
  const { api } = keeping(toConfirm)
  const { user } = renderDashboard('/', api)
  await user.click(await screen.findByRole('button', { name: 'Filtri' }))
  const sheet = within(await screen.findByRole('dialog', { name: 'Filtri' }))
  await user.click(await sheet.findByRole('link', { name: /^Da confermare/ }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(address()).toBe('/?stato=In+attesa')
})
