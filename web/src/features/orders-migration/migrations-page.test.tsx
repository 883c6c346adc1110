import { removeBackupOrders } from '@bancone/contract/backup-orders'
import { cancelMigration, type MigrationProgress } from '@bancone/contract/migration-runs'
import { getMigrationOverview, startMigration } from '@bancone/contract/orders-migration'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openAdministration, sent } from '../../../test/administration.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import {
  counts,
  ended,
  migrationPharmacy,
  migrationRun,
  migrationServer,
} from '../../../test/orders-migration.ts'
import { deferred, failure, rawReply } from '../../../test/stub-api.ts'
import { setViewport } from '../../../test/viewport.ts'

const page = '/admin/orders-migration'

const synced = migrationPharmacy(1, {
  use_supabase_orders: true,
  phase: 'database',
  supabaseCount: 2_000,
  lastMigration: '2026-03-02T08:00:00Z',
  hasDifferences: false,
  differenceReason: null,
  verifiedAt: '2026-03-02T08:00:00Z',
  badge: 'Sincronizzato',
})

const progress: MigrationProgress = {
  batchId: '3f0c6a0e-7a54-4b0a-9c39-000000000900',
  total: 3,
  processed: 1,
  success: 1,
  errors: 0,
  status: 'running',
  currentPharmacy: 'Farmacia 2',
  errorMessages: [],
  migrated: 1_240,
  startedBy: 'capo@example.it',
  createdAt: '2026-03-02T08:00:00Z',
  endedAt: null,
}

const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }))

test('the cards and both tables show how far each pharmacy is', async () => {
  const pharmacies = [
    synced,
    migrationPharmacy(2, { use_supabase_orders: true, phase: 'database' }),
    migrationPharmacy(3, { hasAirtable: false, differenceReason: null, badge: 'Database' }),
  ]
  openAdministration(page, migrationServer({ pharmacies }))
  const backup = within(await screen.findByRole('table', { name: 'Farmacie con backup attivo' }))
  for (const [name, count] of [
    ['Farmacie totali', '3'],
    ['Backup attivo', '2'],
    ['Da sincronizzare', '1'],
    ['In migrazione', '0'],
  ] as const) {
    expect(screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent).toBe(count)
  }
  expect(backup.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Farmacia',
    'Airtable',
    'Supabase',
    'Ultima migrazione',
    'Stato',
    'Progresso',
    'Azioni',
  ])
  expect(backup.getByText('Sincronizzato')).toBeDefined()
  expect(backup.getByText('02/03/2026 09:00')).toBeDefined()
  expect(row('Farmacia 2').getByText('Mai migrato')).toBeDefined()
  expect(row('Farmacia 2').getByText('Da Sincronizzare')).toBeDefined()
  const standard = within(screen.getByRole('table', { name: 'Farmacie standard' }))
  expect(standard.getByText('Airtable non configurato')).toBeDefined()
  // Without Airtable there is nothing to migrate.
  expect(inactive(standard.getByRole('button', { name: 'Migra Farmacia 3' }))).toBe(true)
  expect(screen.getByRole('heading', { name: 'Come Funziona' })).toBeDefined()
})

test('a pharmacy is migrated after a question, followed to its end, and read again', async () => {
  const pharmacies = [migrationPharmacy(1)]
  const api = migrationServer({ pharmacies })
  const { user } = openAdministration(page, api)
  await user.click(await screen.findByRole('button', { name: 'Migra Farmacia 1' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Migrare gli ordini di «Farmacia 1»?' }))
  await user.click(dialog.getByRole('button', { name: 'Migra' }))
  // The same button stops it now, and has the focus.
  await focused(await screen.findByRole('button', { name: 'Interrompi Farmacia 1' }))
  expect(sent(api, 'POST').at(-1)?.body).toEqual({ mode: 'full', statusMapping: {} })
  const bar = screen.getByRole('progressbar', { name: 'Migrazione di Farmacia 1' })
  expect(bar.getAttribute('aria-valuetext')).toBe('1.240 di 2.000 ordini')
  // Read out by quarters.
  expect(screen.getByText('Migrazione di Farmacia 1: 50%')).toBeDefined()

  const run = migrationRun(1, { ...ended, counts: counts({ read: 2_000, new: 1_990, same: 10 }) })
  pharmacies[0] = { ...synced, use_supabase_orders: false, run }
  expect(await screen.findByText('Migrazione di Farmacia 1 completata')).toBeDefined()
  expect(screen.getByText('1.990 ordini migrati, 10 già uguali')).toBeDefined()
  await focused(screen.getByRole('button', { name: 'Migra Farmacia 1' }))
  // Long before the list is read without a run.
  const reads = () =>
    sent(api, 'GET').filter(({ path }) => path.endsWith('/orders-migration')).length
  const before = reads()
  await waitFor(() => expect(reads()).toBe(before + 1))
})

test('the end of a run with errors and of one that failed is told', async () => {
  const pharmacies = [
    migrationPharmacy(1, { run: migrationRun(1) }),
    migrationPharmacy(2, { run: migrationRun(2) }),
  ]
  openAdministration(page, migrationServer({ pharmacies }))
  await screen.findByRole('button', { name: 'Interrompi Farmacia 2' })
  const errors = migrationRun(1, {
    ...ended,
    state: 'completed_with_errors',
    counts: counts({ read: 500, new: 497, refused: 3 }),
  })
  const failed = migrationRun(2, {
    ...ended,
    state: 'failed',
    failure: 'unreachable',
    failureText: 'Airtable non risponde.',
  })
  pharmacies.splice(
    0,
    2,
    migrationPharmacy(1, { run: errors }),
    migrationPharmacy(2, { run: failed }),
  )
  expect(await screen.findByText('Migrazione di Farmacia 1: 3 errori')).toBeDefined()
  expect(await screen.findByText('Errore nella migrazione di Farmacia 2')).toBeDefined()
})

test('a migration that cannot start says why', async () => {
  const api = migrationServer({ pharmacies: [migrationPharmacy(1)] }).on(startMigration, () =>
    rawReply('Bad gateway', 418),
  )
  const { user } = openAdministration(page, api)
  await user.click(await screen.findByRole('button', { name: 'Migra Farmacia 1' }))
  const dialog = within(screen.getByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Migra' }))
  expect((await dialog.findByRole('alert')).textContent).toBe(
    'Errore nella migrazione di Farmacia 1. API Error: 418',
  )
})

test('«Migra Tutte» asks, and the run of another administrator is seen to its end', async () => {
  setViewport('narrow')
  const contents: { pharmacies: (typeof synced)[]; progress: MigrationProgress | null } = {
    pharmacies: [synced, migrationPharmacy(2), migrationPharmacy(3)],
    progress: null,
  }
  const api = migrationServer(contents)
  const { user } = openAdministration(page, api)
  const all = await screen.findByRole('button', { name: 'Migra Tutte' })
  await screen.findByRole('list', { name: 'Farmacie standard' })
  await user.click(all)
  // The standard ones are not migrated.
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText(/^Riguarda 1 farmacia\./)).toBeDefined()
  contents.progress = progress
  await user.click(dialog.getByRole('button', { name: 'Migra Tutte' }))
  const bar = await screen.findByRole('progressbar', { name: 'Migrazione di tutte le farmacie' })
  expect(bar.getAttribute('aria-valuetext')).toBe('1 di 3 farmacie')
  expect(screen.getByText(/capo@example.it/)).toBeDefined()
  expect(inactive(all)).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Interrompi' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Interrompi' }))
  expect(sent(api, 'DELETE').at(-1)?.path).toBe('/api/admin/orders-migration/runs')
  contents.progress = {
    ...progress,
    processed: 3,
    success: 2,
    errors: 1,
    status: 'error',
    currentPharmacy: null,
    errorMessages: ['Farmacia 3: interrotta'],
    endedAt: '2026-03-02T08:01:00Z',
  }
  expect(await screen.findByText('2/3 farmacie migrate')).toBeDefined()
  expect(screen.getByText('Farmacia 3: interrotta')).toBeDefined()
})

test('a run is interrupted after a question', async () => {
  const run = migrationRun(1)
  const api = migrationServer({ pharmacies: [migrationPharmacy(1, { run })] }).on(
    cancelMigration,
    () => migrationRun(1, { state: 'cancelling' }),
  )
  const { user } = openAdministration(page, api)
  await user.click(await screen.findByRole('button', { name: 'Interrompi Farmacia 1' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Interrompi' }))
  expect(sent(api, 'DELETE')).toEqual([
    { path: `/api/admin/orders-migration/runs/${run.id}`, body: undefined },
  ])
})

test('the backup is deleted after its code is typed, and not while it is in use', async () => {
  const deleted = deferred<Record<string, never>>()
  const api = migrationServer({
    pharmacies: [synced, migrationPharmacy(2, { supabaseCount: 820 })],
  }).on(removeBackupOrders, () => deleted.promise)
  const { user } = openAdministration(page, api)
  await user.click(await screen.findByRole('button', { name: 'Elimina il backup di Farmacia 1' }))
  const inUse = within(screen.getByRole('dialog', { name: 'Il backup è in uso' }))
  await user.click(inUse.getByRole('button', { name: 'Chiudi' }))

  await user.click(screen.getByRole('button', { name: 'Elimina il backup di Farmacia 2' }))
  const dialog = within(
    screen.getByRole('dialog', { name: 'Eliminare gli ordini di backup di «Farmacia 2»?' }),
  )
  await user.type(dialog.getByLabelText('Codice della farmacia'), 'PHARM-0001')
  await user.click(dialog.getByRole('button', { name: 'Elimina' }))
  expect(dialog.getByRole('alert').textContent).toContain('Il codice non corrisponde')
  expect(sent(api, 'DELETE')).toHaveLength(0)
  await user.clear(dialog.getByLabelText('Codice della farmacia'))
  await user.type(dialog.getByLabelText('Codice della farmacia'), 'pharm-0002')
  await user.click(dialog.getByRole('button', { name: 'Elimina' }))
  deleted.resolve({})
  expect(await screen.findByText('Ordini di backup eliminati')).toBeDefined()
  expect(sent(api, 'DELETE').at(-1)).toEqual({
    path: '/api/supabase-orders-cleanup',
    body: { pharmacyId: migrationPharmacy(2).id, code: 'PHARM-0002' },
  })
})

test('a failed list says so and can be tried again; without a pharmacy it is explained', async () => {
  const api = migrationServer({}).on(getMigrationOverview, () => failure('service.unavailable'))
  const { user } = openAdministration(page, api)
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Errore nel caricamento delle farmacie',
  )
  api.on(getMigrationOverview, () => ({
    cards: { total: 0, backupActive: 0, toSync: 0, migrating: 0 },
    isConfigured: false,
    progress: null,
    backup: [],
    standard: [],
  }))
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  expect(await screen.findByText('Nessuna farmacia')).toBeDefined()
  expect(screen.getByText(/manca il token di Airtable/)).toBeDefined()
})

test('of many pharmacies those are found that have the words or the state, page by page', async () => {
  const failed = migrationRun(7, { ...ended, state: 'failed' })
  const pharmacies = Array.from({ length: 60 }, (_, index) =>
    migrationPharmacy(index + 1, index === 6 ? { run: failed } : {}),
  )
  const { user } = openAdministration(page, migrationServer({ pharmacies }))
  const table = within(await screen.findByRole('table', { name: 'Farmacie standard' }))
  expect(table.getAllByRole('row')).toHaveLength(51)
  const pages = within(screen.getByRole('navigation', { name: 'Pagine: Farmacie standard' }))
  await user.click(pages.getByRole('button', { name: 'Successiva' }))
  await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(11))
  await user.type(screen.getByRole('searchbox', { name: 'Cerca' }), 'pharm-000')
  await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(10))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Stato' }), 'Con errori')
  await waitFor(() => expect(table.getAllByRole('row')).toHaveLength(2))
  // The way to a pharmacy and back keeps the filter.
  await user.click(table.getByRole('link', { name: 'Farmacia 7' }))
  const back = await screen.findByRole('link', { name: 'Tutte le farmacie' })
  expect(back.getAttribute('href')).toBe('/admin/orders-migration?stato=con-errori#q=pharm-000')
})
