import {
  listAdminPharmacies,
  removePharmacy,
  switchPharmacy,
} from '@bancone/contract/admin-pharmacies'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  adminPharmacy,
  adminServer,
  openAdministration,
  sent,
} from '../../../test/administration.ts'
import { fill } from '../../../test/fill.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { deferred, failure, rawReply } from '../../../test/stub-api.ts'
import { setViewport } from '../../../test/viewport.ts'

const page = '/admin/pharmacies'
const search = () => screen.getByRole('searchbox', { name: 'Cerca' })
// By selector: roles of many rows take long.
const names = () =>
  Array.from(document.querySelectorAll('th[scope=row] a'), ({ textContent }) => textContent)

test('a row has every column, also without a plan and without a limit', async () => {
  openAdministration(
    page,
    adminServer({
      pharmacies: [
        adminPharmacy(1, { airtable_base_id: 'appX', airtable_table_id: 'tblX' }),
        adminPharmacy(2, {
          subscription_plan_id: null,
          subscription_plans: null,
          max_offers: null,
          airtable_base_id: 'appX',
          use_supabase_orders: true,
          is_active: false,
        }),
      ],
    }),
  )
  const texts = async (name: string) =>
    within(await screen.findByRole('row', { name: new RegExp(name) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
  expect(await texts('Farmacia 1')).toEqual([
    'PHARM-0001',
    'farmacia1@example.it',
    'Piano 1',
    '10',
    'Configurato',
    'Airtable',
    'Attiva',
    'Azioni: Farmacia 1',
  ])
  expect(await texts('Farmacia 2')).toEqual([
    'PHARM-0002',
    'farmacia2@example.it',
    'Nessun piano',
    'Illimitate',
    'Non Configurato',
    'Database',
    'Disattivata',
    'Azioni: Farmacia 2',
  ])
})

test('the search finds by code, name, email and address, and its words stay out of what a server is sent', async () => {
  const { user } = openAdministration(
    page,
    adminServer({
      pharmacies: [
        adminPharmacy(1),
        adminPharmacy(2, { address: 'Via Roma 5, Torino' }),
        adminPharmacy(3, { name: 'Comunale' }),
      ],
    }),
  )
  await screen.findByRole('row', { name: /Comunale/ })
  for (const [words, name] of [
    ['pharm-0001', 'Farmacia 1'],
    ['FARMACIA2@', 'Farmacia 2'],
    ['via roma', 'Farmacia 2'],
    ['munale', 'Comunale'],
  ] as const) {
    fill(search(), words)
    await waitFor(() => expect(location.hash).toBe(`#q=${encodeURIComponent(words)}`))
    await waitFor(() => expect(names()).toEqual([name]))
    expect(location.search).toBe('')
  }
  fill(search(), 'altrove')
  expect(await screen.findByText('Nessuna farmacia trovata')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Mostra tutte le farmacie' }))
  await waitFor(() => expect(names()).toHaveLength(3))
})

test('many pharmacies are shown in pages, and a search begins with the first', async () => {
  const pharmacies = Array.from({ length: 60 }, (_, n) => adminPharmacy(n + 1))
  const { user } = openAdministration(`${page}?page=2`, adminServer({ pharmacies }))
  await screen.findByText('60 farmacie • Pagina 2 di 2')
  expect(names()).toHaveLength(10)
  fill(search(), 'farmacia1@')
  await waitFor(() => expect(names()).toEqual(['Farmacia 1']))
  expect(location.search).toBe('')
  fill(search(), '')
  await screen.findByText('60 farmacie • Pagina 1 di 2')
  expect(names()).toHaveLength(50)
  await user.click(screen.getByText('Successiva'))
  await screen.findByText('60 farmacie • Pagina 2 di 2')
})

test('without pharmacies the page leads to the form; a failure says so', async () => {
  const api = adminServer({}).on(listAdminPharmacies, () => rawReply('broken', 500))
  const { user } = openAdministration(page, api)
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Errore nel caricamento delle farmacie',
  )
  api.on(listAdminPharmacies, () => ({ pharmacies: [] }))
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  expect(await screen.findByText('Nessuna farmacia')).toBeDefined()
  expect(screen.getAllByRole('link', { name: 'Nuova farmacia' })).toHaveLength(2)
})

test('the status is switched at once, and goes back with a text when the server refuses', async () => {
  setViewport('narrow')
  const api = adminServer({ pharmacies: [adminPharmacy(1)] })
  const { user } = openAdministration(page, api)
  await user.click(await screen.findByRole('switch', { name: 'Stato di Farmacia 1: Attiva' }))
  expect(await screen.findByText('Farmacia disattivata')).toBeDefined()
  expect(sent(api, 'PATCH')[0]?.body).toEqual({ is_active: false })
  const answer = deferred<ReturnType<typeof failure>>()
  api.on(switchPharmacy, () => answer.promise)
  await user.click(screen.getByRole('button', { name: 'Azioni: Farmacia 1' }))
  await user.click(screen.getByRole('menuitem', { name: 'Attiva' }))
  const on = await screen.findByRole('switch', { name: 'Stato di Farmacia 1: Attiva' })
  expect(inactive(on)).toBe(true)
  answer.resolve(failure('service.unavailable'))
  expect(await screen.findByText('Errore durante la modifica dello stato')).toBeDefined()
  expect(screen.getByRole('switch', { name: 'Stato di Farmacia 1: Disattivata' })).toBeDefined()
})

test('the source of the orders is switched after a question, and says what analytics will use', async () => {
  const base = { airtable_base_id: 'appA', airtable_table_id: 'tblA' }
  const api = adminServer({ pharmacies: [adminPharmacy(1, base), adminPharmacy(2)] })
  const { user } = openAdministration(page, api)
  const open = async (word: string) =>
    user.click(await screen.findByRole('switch', { name: `Fonte ordini di Farmacia 1: ${word}` }))
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }))
  await open('Airtable')
  const missing = 'Per leggere gli ordini dal database manca: 24 ore di confronto senza differenze.'
  api.on(switchPharmacy, () => failure('migrations.phase_refused', missing))
  await press('Passa a Supabase')
  const dialog = within(await screen.findByRole('dialog', { name: /Passare a Supabase/ }))
  expect((await dialog.findByRole('alert')).textContent).toBe(
    `Errore durante la modifica della fonte ordini. ${missing}`,
  )
  expect(dialog.getByRole('link', { name: 'Apri la migrazione' })).toBeDefined()
  const there = { ...adminPharmacy(1, base), use_supabase_orders: true }
  api
    .on(switchPharmacy, () => ({ pharmacy: there }))
    .on(listAdminPharmacies, () => ({ pharmacies: [there, adminPharmacy(2)] }))
  await press('Passa a Supabase')
  expect(
    await screen.findByText(
      'Orders backup attivato per Farmacia 1. Analytics useranno ora: Supabase',
    ),
  ).toBeDefined()
  expect(sent(api, 'PATCH').at(-1)?.body).toEqual({ use_supabase_orders: true })
  // The way back takes a run, until whose end the source is the old one.
  await open('Supabase')
  await press('Torna ad Airtable')
  expect(await screen.findByText('Ritorno ad Airtable avviato per Farmacia 1')).toBeDefined()
  // Without a base there is nothing to choose.
  expect(screen.queryByRole('switch', { name: /^Fonte ordini di Farmacia 2/ })).toBeNull()
  expect(screen.getByText('Database')).toBeDefined()
})

test('a pharmacy is deleted when its code is typed; a failure keeps the question', async () => {
  const pharmacies = [adminPharmacy(1), adminPharmacy(2)]
  const api = adminServer({ pharmacies }).on(removePharmacy, () => failure('service.unavailable'))
  const { user } = openAdministration(page, api)
  await user.click(await screen.findByRole('button', { name: 'Azioni: Farmacia 1' }))
  await user.click(screen.getByRole('menuitem', { name: 'Elimina' }))
  const dialog = within(screen.getByRole('dialog', { name: /Farmacia 1/ }))
  expect(dialog.getByText(/non può essere annullata/)).toBeDefined()
  await user.type(dialog.getByLabelText('Codice della farmacia'), adminPharmacy(1).pharmacy_id)
  await user.click(dialog.getByRole('button', { name: 'Elimina' }))
  expect((await dialog.findByRole('alert')).textContent).toContain(
    "Errore durante l'eliminazione della farmacia",
  )
  api.on(removePharmacy, () => {
    const [pharmacy] = pharmacies.splice(0, 1)
    return pharmacy ? { pharmacy } : failure('pharmacies.not_found')
  })
  await user.click(dialog.getByRole('button', { name: 'Elimina' }))
  expect(await screen.findByText('Farmacia eliminata')).toBeDefined()
  await waitFor(() => expect(names()).toEqual(['Farmacia 2']))
  await focused(screen.getByRole('link', { name: 'Nuova farmacia' }))
})
