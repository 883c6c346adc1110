import { downloadMigrationItems, retryMigration } from '@bancone/contract/migration-runs'
import { changeOrdersPhase, type MigrationDetail } from '@bancone/contract/orders-migration'
import { render, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openAdministration, sent } from '../../../../test/administration.ts'
import { fakeDownloads } from '../../../../test/fake-downloads.ts'
import { focused } from '../../../../test/focused.ts'
import { inactive } from '../../../../test/inactive.ts'
import {
  counts,
  ended,
  migrationDetail,
  migrationRun,
  migrationServer,
} from '../../../../test/orders-migration.ts'
import { failure, rawReply } from '../../../../test/stub-api.ts'
import { setViewport } from '../../../../test/viewport.ts'
import { VerificationFindings } from './run-result.tsx'

const page = `/admin/orders-migration/${migrationDetail(1).id}`

const example = { recordId: 'recAAAAAAAAAAAAA1', orderNumber: '1042', customer: 'M••• R•••' }

const dryRun = migrationRun(1, {
  ...ended,
  mode: 'dry_run',
  state: 'completed_with_errors',
  counts: counts({ read: 2_000, new: 412, changed: 58, same: 1_523, refused: 7, onlyHere: 3 }),
  dryRun: {
    changedColumns: [{ column: 'Stato', orders: 41 }],
    examples: {
      new: [],
      changed: [{ ...example, columns: ['Stato', 'Last'] }],
      onlyHere: [],
      conflicts: [],
    },
    refused: [{ reason: 'cells', text: 'Un valore non si può leggere.', records: 7 }],
    unknownStatuses: [
      { status: 'Pronto', orders: 31, proposed: 'Confermato' },
      { status: 'Boh', orders: 1, proposed: 'In attesa' },
    ],
    missingColumns: ['Indirizzo'],
    duplicates: { total: 1, numbers: [{ orderNumber: '1099', records: 2 }] },
    pictures: { total: 412, bytes: 98_400_000 },
  },
})

const fullRun = migrationRun(1, {
  ...ended,
  state: 'completed_with_errors',
  counts: counts({ read: 2_000, new: 2_000, toFix: 7 }),
  items: [
    { kind: 'different', total: 1, open: 1 },
    { kind: 'refused', total: 7, open: 3 },
  ],
  verification: {
    equal: false,
    airtable: 2_000,
    database: 2_000,
    months: 14,
    differentMonths: ['2026-02'],
    onlyInAirtable: 0,
    onlyHere: 0,
    different: 3,
    unreadable: 0,
    toFix: 7,
    settled: 0,
    pictures: { checked: 412, missing: 0, waiting: 0, refused: 0 },
  },
})

const item = {
  recordId: 'recAAAAAAAAAAAAA7',
  orderNumber: '1042',
  columns: ['Phone Number'],
  resolvedAt: null,
}

test('a dry run shows the difference; the chosen statuses go with the migration', async () => {
  const api = migrationServer({ details: [migrationDetail(1, { run: dryRun })] })
  const { user } = openAdministration(page, api)
  expect(await screen.findByRole('heading', { name: /^Simulazione del/ })).toBeDefined()
  for (const text of [
    '41 ordini',
    'Un valore non si può leggere.',
    'Indirizzo',
    '1, importati tutti: 1099 (2 volte)',
    '412, 93,8 MB',
  ]) {
    expect(screen.getByText(text)).toBeDefined()
  }
  await user.click(screen.getByText('Cambiati: 1 esempio'))
  expect(screen.getByText('M••• R•••')).toBeDefined()

  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: '«Pronto»' }).value).toBe(
    'Confermato',
  )
  await user.selectOptions(screen.getByRole('combobox', { name: '«Boh»' }), "Lascia com'è")
  await user.click(screen.getByRole('button', { name: 'Migra con questi stati' }))
  const dialog = within(screen.getByRole('dialog'))
  // What changes in Airtable is said before.
  expect(dialog.getByText('«Pronto» diventa «Confermato»')).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Migra' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent(api, 'POST').at(-1)?.body).toEqual({
    mode: 'full',
    statusMapping: { Pronto: 'Confermato' },
  })
})

test('the verification and the records say what differs; the refused ones are tried again', async () => {
  const downloads = fakeDownloads()
  const details = [migrationDetail(1, { run: fullRun })]
  const items = [
    { ...item, kind: 'refused' as const, reason: 'Non si legge.', advice: 'Correggilo.' },
    { ...item, kind: 'different' as const, reason: 'È diverso.', advice: 'Migra di nuovo.' },
  ]
  const api = migrationServer({ details, items })
    .on(downloadMigrationItems, () => rawReply('Record;Motivo', 200))
    .on(retryMigration, () => {
      const run = migrationRun(1, { id: example4, retryOf: fullRun.id })
      details[0] = migrationDetail(1, { run })
      return run
    })
  const { user } = openAdministration(page, api)
  const table = within(await screen.findByRole('table', { name: 'Righe da guardare' }))
  expect(screen.getByText('14, con differenze: febbraio 2026')).toBeDefined()
  expect(screen.getByText(/Airtable e il database sono diversi/)).toBeDefined()
  expect(table.getByText('Correggilo.')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Da correggere 3 di 7' })).toBeDefined()
  expect(screen.getByText(/^Altre 2 differenze non sono in elenco/)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Diversi 1' }))
  await waitFor(() => expect(table.queryByText('Correggilo.')).toBeNull())
  expect(table.getByText('È diverso.')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Scarica il CSV' }))
  await waitFor(() => expect(downloads.saved.at(-1)?.name).toBe('migrazione-PHARM-0001.csv'))
  await user.click(screen.getByRole('button', { name: 'Riprova solo queste' }))
  expect(await screen.findByRole('heading', { name: 'Migrazione in corso' })).toBeDefined()
  expect(sent(api, 'POST').at(-1)?.path).toBe(
    `/api/admin/orders-migration/runs/${fullRun.id}/retry`,
  )
})

test.each([
  [
    2_000,
    0,
    7,
    '7 ordini sono nel database con campi da sistemare in Airtable. Tutti gli altri sono uguali.',
  ],
  [7, 0, 7, '7 ordini sono nel database con campi da sistemare in Airtable.'],
  [1, 1, 0, 'Un record di Airtable non è stato importato.'],
])(
  'of %i orders, %i not imported and %i to mend, only what is there is called equal',
  (orders, unreadable, toFix, text) => {
    if (!fullRun.verification) throw new Error('the run has compared')
    const found = {
      ...fullRun.verification,
      different: 0,
      airtable: orders,
      database: orders - unreadable,
      unreadable,
      toFix,
    }
    render(<VerificationFindings found={found} />)
    expect(screen.getByText(text)).toBeDefined()
  },
)

const example4 = '3f0c6a0e-7a54-4b0a-9c39-000000000504'

test('a run in progress is followed; one that stalls says so, without a bar of its own', async () => {
  setViewport('narrow')
  const details = [migrationDetail(1, { run: migrationRun(1) })]
  const api = migrationServer({ details })
  openAdministration(page, api)
  expect(await screen.findByText('380 al secondo, ancora circa 2 minuti')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Simula' })).toBeNull()
  details[0] = migrationDetail(1, {
    run: migrationRun(1, { failure: 'unreachable', failureText: 'Airtable non risponde.' }),
  })
  expect(await screen.findByText(/^Airtable non risponde. Si riprova da solo./)).toBeDefined()
  details[0] = migrationDetail(1, {
    run: migrationRun(1, {
      state: 'stalled',
      total: null,
      percent: null,
      perSecond: null,
      secondsLeft: null,
    }),
  })
  expect(await screen.findByText(/entro pochi minuti riprende/)).toBeDefined()
  const bar = screen.getByRole('progressbar')
  expect(bar.getAttribute('aria-valuetext')).toBe('Letti 1.240')
  expect(bar.getAttribute('aria-valuenow')).toBeNull()
})

const shadow: Partial<MigrationDetail> = {
  phase: 'shadow',
  steps: [
    {
      to: 'database',
      isPossible: true,
      needsReason: true,
      needs: [
        { text: 'Verifica completa senza differenze', met: true },
        { text: '24 ore senza differenze (mancano 11 ore)', met: false },
      ],
    },
    { to: 'airtable', isPossible: false, needsReason: false, needs: [] },
  ],
}

test('a phase shows what the next one needs; before its time it wants a reason', async () => {
  const api = migrationServer({ details: [migrationDetail(1, shadow)] })
  const { user } = openAdministration(page, api)
  expect(await screen.findByText('Confronto', { selector: '[aria-current=step] h3' })).toBeDefined()
  expect(screen.getByText('24 ore senza differenze (mancano 11 ore)').textContent).toBe(
    'Manca: 24 ore senza differenze (mancano 11 ore)',
  )
  expect(inactive(screen.getByRole('button', { name: 'Torna ad Airtable' }))).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Passa al database' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Passa al database: «Farmacia 1»' }))
  expect(dialog.getByText(/leggono solo dal database/)).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Passa al database' }))
  expect(dialog.getByRole('alert').textContent).toBe('Scrivi almeno 10 caratteri.')
  expect(sent(api, 'POST')).toHaveLength(0)
  await user.type(dialog.getByLabelText('Motivo'), 'La farmacia chiude stasera')
  await user.click(dialog.getByRole('button', { name: 'Passa al database' }))
  expect(await screen.findByText('Fase della migrazione: Database')).toBeDefined()
  expect(sent(api, 'POST').at(-1)?.body).toEqual({
    from: 'shadow',
    to: 'database',
    reason: 'La farmacia chiude stasera',
  })
  expect(screen.getByText('Database', { selector: '[aria-current=step] h3' })).toBeDefined()
})

test('a phase that another administrator has changed is refused and read again', async () => {
  const details = [migrationDetail(1, shadow)]
  const [step] = details[0]?.steps ?? []
  details[0] = migrationDetail(1, {
    ...shadow,
    steps: step ? [{ ...step, needsReason: false }] : [],
  })
  const api = migrationServer({ details }).on(changeOrdersPhase, () => {
    details[0] = migrationDetail(1)
    return failure('migrations.phase_changed', 'Un altro amministratore ha cambiato la fase.')
  })
  const { user } = openAdministration(page, api)
  await user.click(await screen.findByRole('button', { name: 'Passa al database' }))
  const dialog = within(screen.getByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Passa al database' }))
  expect((await dialog.findByRole('alert')).textContent).toContain('Un altro amministratore')
  expect(await screen.findByText('Airtable', { selector: '[aria-current=step] h3' })).toBeDefined()
})

test('a run of the history is shown, and its result has the focus', async () => {
  const latest = { ...dryRun, id: example4 }
  const detail = migrationDetail(1, { run: latest })
  const api = migrationServer({ details: [detail], runs: [latest, fullRun] })
  const { user } = openAdministration(page, api)
  const link = await screen.findByRole('link', { name: /^Migrazione del/ })
  await user.click(link)
  await focused(await screen.findByRole('heading', { name: /^Migrazione del/ }))
  expect(link.getAttribute('aria-current')).toBe('true')
})

test('without a token for Airtable nothing can be started; pictures that wait are counted', async () => {
  const pictures = { waiting: 12, refused: 0 }
  const detail = migrationDetail(1, { run: dryRun, isConfigured: false, pictures })
  openAdministration(page, migrationServer({ details: [detail] }))
  expect(await screen.findByText(/^Sul server manca il token di Airtable/)).toBeDefined()
  for (const name of ['Simula', 'Migra', 'Verifica', 'Migra con questi stati']) {
    expect(inactive(screen.getByRole('button', { name }))).toBe(true)
  }
  expect(screen.getByText('Immagini da copiare').nextElementSibling?.textContent).toBe('12')
  expect(screen.queryByText('Immagini non copiate')).toBeNull()
})
