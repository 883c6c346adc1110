import { getAdminStatistics } from '@bancone/contract/administrators'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  adminCategory,
  adminPharmacy,
  adminServer,
  openAdministration,
  plan,
} from '../../../test/administration.ts'
import { focused } from '../../../test/focused.ts'
import { failure } from '../../../test/stub-api.ts'
import { setViewport } from '../../../test/viewport.ts'

function server() {
  return adminServer({
    pharmacies: [adminPharmacy(1), adminPharmacy(2), adminPharmacy(3, { is_active: false })],
    plans: [plan(1)],
    categories: [adminCategory(1), adminCategory(2)],
  })
}

test('the counters and the cards lead to their pages', async () => {
  const { user } = openAdministration('/admin/dashboard', server())
  expect(await screen.findByRole('link', { name: 'Farmacie totali 3' })).toBeDefined()
  for (const name of ['Farmacie attive 2', 'Categorie 2', 'Piani di abbonamento 1'])
    expect(screen.getByRole('link', { name })).toBeDefined()
  await user.click(screen.getByRole('link', { name: 'Piani di abbonamento' }))
  await focused(await screen.findByRole('heading', { level: 1, name: 'Piani di abbonamento' }))
  const bar = within(screen.getByRole('navigation', { name: 'Principale' }))
  expect(bar.getByRole('link', { current: 'page' }).textContent).toBe('Piani')
  await user.click(bar.getByRole('link', { name: 'Categorie' }))
  await focused(await screen.findByRole('heading', { level: 1, name: 'Categorie' }))
})

test('a failure of the counters leaves the cards', async () => {
  const api = server().on(getAdminStatistics, () => failure('service.unavailable'))
  const { user } = openAdministration('/admin/dashboard', api)
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Errore nel caricamento delle statistiche',
  )
  expect(screen.getByRole('link', { name: 'Nuova farmacia' }).getAttribute('href')).toBe(
    '/admin/pharmacies/new',
  )
  api.on(getAdminStatistics, () => ({
    pharmacies: 0,
    activePharmacies: 0,
    categories: 0,
    plans: 0,
  }))
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  expect(await screen.findByRole('link', { name: 'Farmacie totali 0' })).toBeDefined()
})

test('on a phone the pages and the own account are in a menu', async () => {
  setViewport('narrow')
  const { user } = openAdministration('/admin/dashboard', server())
  await user.click(await screen.findByRole('button', { name: 'Menu' }))
  const items = screen.getAllByRole('menuitem').map((item) => item.getAttribute('href'))
  expect(items).toEqual([
    '/admin/dashboard',
    '/admin/pharmacies',
    '/admin/subscription-plans',
    '/admin/categories',
    '/admin/orders-migration',
    '/admin/audit',
    '/admin/settings',
    '/admin/account',
  ])
  expect(screen.getByRole('button', { name: 'Esci' })).toBeDefined()
})
