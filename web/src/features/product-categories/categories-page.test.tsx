import {
  type AdminCategory,
  changeCategory,
  createCategory,
  listAdminCategories,
  removeCategory,
} from '@bancone/contract/product-categories'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  adminCategory,
  adminServer,
  openAdministration,
  sent,
} from '../../../test/administration.ts'
import { fill } from '../../../test/fill.ts'
import { focused } from '../../../test/focused.ts'
import { failure, rawReply } from '../../../test/stub-api.ts'

const page = '/admin/categories'

function server(categories: AdminCategory[]) {
  return adminServer({ categories })
    .on(createCategory, ({ body }) => {
      categories.push(adminCategory(9, body))
      return { category: adminCategory(9, body) }
    })
    .on(changeCategory, ({ body }) => {
      categories[0] = adminCategory(1, body)
      return { category: adminCategory(1, body) }
    })
}

async function openMenu({ user }: ReturnType<typeof openAdministration>, item: string) {
  await user.click(await screen.findByRole('button', { name: /^Azioni:/ }))
  await user.click(screen.getByRole('menuitem', { name: item }))
}

const form = () => within(screen.getByRole('dialog', { name: /categoria$/ }))

test('a row has the times, the class and the number of offers; the search finds by description', async () => {
  const { user } = openAdministration(
    page,
    server([
      adminCategory(1, { description: 'Da banco', regulatory_class: 'omeopatico', offers: 1200 }),
      adminCategory(2),
    ]),
  )
  const row = await screen.findByRole('row', { name: /^Categoria 1/ })
  const cells = within(row).getAllByRole('cell')
  expect(cells.slice(0, 5).map(({ textContent }) => textContent)).toEqual([
    'Da banco',
    'Omeopatico',
    '1.200',
    '02/01/2026 09:00',
    '03/02/2026 10:30',
  ])
  await user.type(screen.getByRole('searchbox', { name: 'Cerca' }), 'banco')
  await waitFor(() => expect(screen.queryByRole('row', { name: /^Categoria 2/ })).toBeNull())
  fill(screen.getByRole('searchbox', { name: 'Cerca' }), 'altro')
  expect(await screen.findByText('Nessuna categoria trovata')).toBeDefined()
})

test('a failed list says so', async () => {
  openAdministration(
    page,
    server([]).on(listAdminCategories, () => rawReply('broken', 500)),
  )
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Errore nel caricamento delle categorie',
  )
})

test('a new category needs a name; its texts are trimmed and its class is explained', async () => {
  const api = server([])
  const { user } = openAdministration(page, api)
  await screen.findByText('Nessuna categoria')
  await user.click(screen.getByRole('button', { name: 'Nuova categoria' }))
  await focused(form().getByLabelText('Nome'))
  await user.click(form().getByRole('button', { name: 'Salva' }))
  expect(await form().findByText('Il nome della categoria è obbligatorio')).toBeDefined()
  fill(form().getByLabelText('Nome'), ' Sport ')
  fill(form().getByLabelText('Descrizione'), '  ')
  await user.selectOptions(form().getByLabelText('Classe regolatoria'), 'Omeopatico')
  expect(form().getByText(/il pubblico vede solo nome, confezione e prezzo/)).toBeDefined()
  await user.click(form().getByRole('button', { name: 'Salva' }))
  expect(await screen.findByText('Categoria creata')).toBeDefined()
  expect(sent(api, 'POST').at(-1)?.body).toEqual({
    name: 'Sport',
    description: null,
    regulatory_class: 'omeopatico',
  })
  expect(await screen.findByRole('row', { name: /^Sport/ })).toBeDefined()
})

test('an edit that makes medicines of offers warns; a failure keeps the form', async () => {
  const api = server([adminCategory(1, { offers: 3 })])
  const opened = openAdministration(page, api)
  const { user } = opened
  await openMenu(opened, 'Modifica')
  expect(form().queryByRole('status', { name: '' })?.textContent).not.toContain('AIC')
  await user.selectOptions(form().getByLabelText('Classe regolatoria'), 'medicinale_otc_sop')
  expect(form().getByText(/senza un codice AIC valido non saranno più visibili/)).toBeDefined()
  api.on(changeCategory, () => failure('service.unavailable'))
  await user.click(form().getByRole('button', { name: 'Salva' }))
  expect((await form().findByRole('alert')).textContent).toContain(
    'Errore durante il salvataggio della categoria',
  )
  api.on(changeCategory, ({ body }) => ({ category: adminCategory(1, body) }))
  await user.click(form().getByRole('button', { name: 'Salva' }))
  expect(await screen.findByText('Categoria aggiornata')).toBeDefined()
})

test('a category with offers is kept, with their number; another goes', async () => {
  const categories = [adminCategory(1)]
  const inUse = {
    error: 'categories.in_use',
    code: 'categories.in_use',
    requestId: 'test',
    details: { offers: 1 },
  }
  const api = server(categories).on(removeCategory, () => rawReply(JSON.stringify(inUse), 409))
  const opened = openAdministration(page, api)
  await openMenu(opened, 'Elimina')
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText(/non può essere annullata/)).toBeDefined()
  await opened.user.click(dialog.getByRole('button', { name: 'Elimina' }))
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'Impossibile eliminare la categoria: è utilizzata da 1 offerta',
  )
  api.on(removeCategory, () => {
    categories.pop()
    return {}
  })
  await opened.user.click(dialog.getByRole('button', { name: 'Elimina' }))
  expect(await screen.findByText('Categoria eliminata')).toBeDefined()
})
