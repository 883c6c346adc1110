import { getOwnAdministrator } from '@bancone/contract/administrators'
import { listPharmacyOverview, type PharmacyOverview } from '@bancone/contract/pharmacy-overview'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { administrator, sessionOf } from '../../../test/fixtures.ts'
import { renderApp, serverWith, storeSession } from '../../../test/render-app.tsx'
import { setViewport } from '../../../test/viewport.ts'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

function pharmacy(n: number, traits: Partial<PharmacyOverview> = {}): PharmacyOverview {
  return {
    id: `3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d${String(n).padStart(2, '0')}`,
    code: `PHARM-00${String(n).padStart(2, '0')}`,
    name: `Farmacia ${n}`,
    isActive: true,
    light: 'green',
    reasons: [],
    lastSignInAt: null,
    lastOrderAt: null,
    ordersIn7Days: n,
    source: 'database',
    lastReadAt: null,
    copyError: null,
    activeOffers: 0,
    maxOffers: 10,
    storageBytes: 0,
    failedJobs: 0,
    planValidUntil: null,
    planDaysLeft: null,
    ...traits,
  }
}

const failing = pharmacy(1, {
  light: 'red',
  reasons: ["Airtable rifiuta l'accesso: controlla il token e la base", '1 ordine non leggibile'],
  lastSignInAt: minutesAgo(0),
  source: 'airtable',
  copyError: { kind: 'denied', at: minutesAgo(5) },
  activeOffers: 3,
  storageBytes: 1.5 * 1024 * 1024,
  failedJobs: 2,
  planValidUntil: '2026-01-20',
  planDaysLeft: 14,
})
const near = pharmacy(2, { light: 'yellow', reasons: ['Il piano scade oggi'], planDaysLeft: 0 })
const well = pharmacy(3, { maxOffers: null, source: 'airtable', lastReadAt: minutesAgo(0) })
const off = pharmacy(4, { isActive: false, planDaysLeft: -3, planValidUntil: '2026-01-01' })
const all = [failing, near, well, off]

function open(pharmacies: PharmacyOverview[] = all, path = '/admin/overview') {
  const api = serverWith([])
    .on(getOwnAdministrator, () => administrator)
    .on(listPharmacyOverview, () => ({ pharmacies }))
  storeSession('admin', sessionOf(administrator.id, { email: administrator.email }))
  return { api, ...renderApp(path, api, { signedIn: false }) }
}

const names = () =>
  Array.from(document.querySelectorAll('tbody a, main li a'), ({ textContent }) => textContent)

test('shows those that need attention first, with the reasons in words', async () => {
  open()
  const row = await screen.findByRole('row', { name: /Farmacia 1/ })
  expect(document.title).toContain('Chi ha bisogno di attenzione')
  expect(row.textContent).toContain('Da risolvere: Farmacia 1')
  expect(row.textContent).toContain('1 ordine non leggibile')
  const cells = within(row).getAllByRole('cell')
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    'adesso',
    'Nessuno',
    '1',
    "Airtable rifiuta l'accesso: controlla il token e la base",
    '3 di 10',
    '1,5 MB',
    '2',
    '14 giorni',
  ])
  expect(names()).toEqual(['Farmacia 1', 'Farmacia 2', 'Farmacia 3', 'Farmacia 4'])
  expect(screen.getByRole('row', { name: /Farmacia 4/ }).textContent).toContain('Disattivata')
  const link = screen.getByRole('link', { name: 'Farmacia 1' })
  expect(link.getAttribute('href')).toBe(`/admin/pharmacies/edit/${failing.id}`)
})

test('is filtered by the light and sorted by a column, in the address', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: /^Da guardare/ }))
  expect(names()).toEqual(['Farmacia 2'])
  expect(location.search).toBe('?light=yellow')
  await user.click(screen.getByRole('button', { name: /^Tutte/ }))
  const orders = screen.getByRole('button', { name: 'Ordini in 7 giorni' })
  await user.click(orders)
  await user.click(orders)
  expect(names()).toEqual(['Farmacia 4', 'Farmacia 3', 'Farmacia 2', 'Farmacia 1'])
  expect(location.search).toBe('?sort=orders&dir=desc')
  const head = screen.getByRole('columnheader', { name: 'Ordini in 7 giorni' })
  expect(head.getAttribute('aria-sort')).toBe('descending')
  await user.click(screen.getByRole('button', { name: 'Fine piano' }))
  expect(names()).toEqual(['Farmacia 4', 'Farmacia 2', 'Farmacia 1', 'Farmacia 3'])
  await user.click(screen.getByRole('button', { name: 'Ordina per urgenza' }))
  expect(names()[0]).toBe('Farmacia 1')
})

test('says when no pharmacy is in a state, and leads back to all', async () => {
  const { user } = open([well], '/admin/overview?light=red')
  expect(await screen.findByText('Nessuna farmacia in questo stato')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Mostra tutte le farmacie' }))
  expect(names()).toEqual(['Farmacia 3'])
})

test('shows many in portions', async () => {
  const { user } = open(Array.from({ length: 60 }, (_, n) => pharmacy(n + 1)))
  await user.click(await screen.findByRole('button', { name: 'Mostra altre 10' }))
  expect(names()).toHaveLength(60)
})

test('on a narrow screen is a list of cards, sorted by a menu', async () => {
  setViewport('narrow')
  const { user } = open()
  const sort = await screen.findByRole('combobox', { name: 'Ordina le farmacie' })
  await user.selectOptions(sort, 'Per nome')
  expect(names()).toEqual(['Farmacia 1', 'Farmacia 2', 'Farmacia 3', 'Farmacia 4'])
  expect(screen.getByRole('list', { name: 'Farmacie' })).toBeDefined()
})
