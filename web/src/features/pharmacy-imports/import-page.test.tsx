import {
  cancelPharmacyImport,
  downloadImportTemplate,
  downloadRefusedRows,
  getPharmacyImport,
  type ImportRow,
  listImportRows,
  listPharmacyImports,
  type PharmacyImport,
  startPharmacyImport,
} from '@bancone/contract/pharmacy-imports'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { adminServer, openAdministration, sent } from '../../../test/administration.ts'
import { fakeDownloads } from '../../../test/fake-downloads.ts'
import { fakeUploads } from '../../../test/fake-uploads.ts'
import { focused } from '../../../test/focused.ts'
import { failure, rawReply } from '../../../test/stub-api.ts'
import { setViewport } from '../../../test/viewport.ts'

const page = '/admin/pharmacies/import'

const preview: PharmacyImport = {
  id: '3f0c6a0e-7a54-4b0a-9c39-000000000070',
  state: 'preview',
  ignoredColumns: ['Note'],
  total: 1_000,
  done: 0,
  counts: { new: 962, changed: 1, same: 0, refused: 37 },
  created_at: '2026-03-02T08:00:00Z',
  created_by: 'capo@example.it',
  ended_at: null,
}

const row = (line: number, traits: Partial<ImportRow> = {}): ImportRow => ({
  line,
  code: '',
  name: `Farmacia ${line}`,
  email: `f${line}@example.it`,
  outcome: 'new',
  isDone: false,
  problems: [],
  changes: [],
  differences: [],
  ...traits,
})

const rows = [
  row(2),
  row(3, {
    code: 'PHARM-0003',
    outcome: 'changed',
    changes: ['phone', 'is_active'],
    differences: [
      { field: 'phone', before: '', after: '041 520 1234' },
      { field: 'is_active', before: 'no', after: 'sì' },
    ],
  }),
  row(4, {
    outcome: 'refused',
    problems: [{ field: 'email', text: "L'email è obbligatoria" }],
  }),
]

/** A stub with these imports, which the calls change. */
function server(imports: PharmacyImport[]) {
  const set = (traits: Partial<PharmacyImport>) => {
    const [first] = imports
    if (!first) return failure('pharmacy_imports.not_found')
    imports[0] = { ...first, ...traits }
    return imports[0]
  }
  const api = adminServer({})
    .on(listPharmacyImports, () => ({ imports }))
    .on(
      getPharmacyImport,
      ({ params }) =>
        imports.find(({ id }) => id === params.importId) ?? failure('pharmacy_imports.not_found'),
    )
    .on(listImportRows, ({ query: { outcome } }) => {
      const found = rows.filter((each) => !outcome || each.outcome === outcome)
      const totalRecords = found.length
      return {
        rows: found,
        pagination: { currentPage: 1, totalPages: 1, totalRecords, hasNextPage: false },
      }
    })
    .on(startPharmacyImport, () => set({ state: 'running', done: 37 }))
    .on(cancelPharmacyImport, () => {
      imports.shift()
      return {}
    })
    .on(downloadRefusedRows, () => rawReply('Motivo;Nome', 200))
    .on(downloadImportTemplate, () => rawReply('Codice;Nome', 200))
  return { api, set }
}

const csv = (text = 'Nome;Email') => new File([text], 'farmacie.csv', { type: 'text/csv' })

test('a file is checked, started and followed to its end; its refused rows are saved', async () => {
  const uploads = fakeUploads()
  const downloads = fakeDownloads()
  const imports: PharmacyImport[] = []
  const { api, set } = server(imports)
  const { user } = openAdministration(page, api)
  await user.click(await screen.findByRole('button', { name: 'Scarica il modello' }))
  await waitFor(() =>
    expect(downloads.saved.map(({ name }) => name)).toEqual(['modello-farmacie.csv']),
  )

  await user.upload(screen.getByLabelText('Carica il file CSV'), csv())
  const sending = await uploads.nth(1)
  expect(sending).toMatchObject({ method: 'POST', path: '/api/admin/pharmacy-imports' })
  await sending.hasSent()
  expect(screen.getByText('Controllo delle righe in corso…')).toBeDefined()
  imports.push(preview)
  await sending.answers(201, JSON.stringify(preview))

  await focused(await screen.findByRole('heading', { name: 'Anteprima' }))
  expect(screen.getByText('Colonne ignorate: Note.')).toBeDefined()
  // The refused ones first, because they need something to be done.
  const chosen = screen.getByRole('button', { name: 'Rifiutate 37', pressed: true })
  const table = await screen.findByRole('table', { name: 'Righe del file' })
  expect(await within(table).findByText("Email: L'email è obbligatoria")).toBeDefined()
  await user.click(chosen)
  expect(await within(table).findByText('Attiva: no → sì')).toBeDefined()

  await user.click(screen.getByRole('button', { name: 'Importa 963 farmacie' }))
  await focused(await screen.findByRole('heading', { name: 'Importazione in corso' }))
  expect(sent(api, 'POST').at(-1)?.path).toBe(`/api/admin/pharmacy-imports/${preview.id}/start`)
  const bar = screen.getByRole('progressbar')
  expect(bar.getAttribute('aria-valuetext')).toBe('37 di 1.000 righe')
  expect(screen.queryByLabelText('Carica il file CSV')).toBeNull()

  set({ state: 'done', done: 1_000, ended_at: '2026-03-02T08:01:00Z' })
  expect(
    await screen.findByText(/962 farmacie create, 1 farmacia cambiata\./, {}, { timeout: 4_000 }),
  ).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Scarica le righe rifiutate' }))
  await waitFor(() => expect(downloads.saved.at(-1)?.name).toBe('farmacie-rifiutate.csv'))
  // The corrected file can be sent.
  expect(screen.getByLabelText('Carica il file CSV')).toBeDefined()
})

test('a file that is refused as a whole says why, and one that is too large is not sent', async () => {
  const uploads = fakeUploads()
  const { user } = openAdministration(page, server([]).api)
  await user.upload(await screen.findByLabelText('Carica il file CSV'), csv())
  await (await uploads.nth(1)).refuses(
    'pharmacy_imports.missing_columns',
    'Mancano «Codice» e «Email»',
  )
  expect((await screen.findByRole('alert')).textContent).toContain('Mancano «Codice» e «Email»')
  const large = csv()
  Object.defineProperty(large, 'size', { value: 3 * 1024 * 1024 })
  await user.upload(screen.getByLabelText('Carica il file CSV'), large)
  expect((await screen.findByRole('alert')).textContent).toContain('2 MB')
  expect(uploads.opened).toHaveLength(1)
})

test('the run of another administrator is seen, and can be interrupted', async () => {
  setViewport('narrow')
  const running = { ...preview, state: 'running' as const, done: 500 }
  const { api } = server([running, { ...preview, id: preview.id.replace('070', '071') }])
  const { user } = openAdministration(page, api)
  expect(await screen.findByRole('progressbar')).toBeDefined()
  expect(screen.getByText('capo@example.it', { exact: false })).toBeDefined()
  expect(await screen.findByRole('list', { name: 'Righe del file' })).toBeDefined()
  expect(screen.getByRole('link', { name: /^Anteprima del/ }).getAttribute('href')).toContain(
    '?importazione=3f0c6a0e-7a54-4b0a-9c39-000000000071',
  )
  await user.click(screen.getByRole('button', { name: 'Interrompi' }))
  const dialog = within(screen.getByRole('dialog', { name: "Interrompere l'importazione?" }))
  await user.click(dialog.getByRole('button', { name: 'Interrompi' }))
  await vi.waitFor(() => expect(sent(api, 'DELETE')).toHaveLength(1))
})

test('a preview that another administrator has started cannot be started again', async () => {
  const imports = [preview]
  const { api, set } = server(imports)
  api.on(startPharmacyImport, () => failure('pharmacy_imports.started', 'È già stata avviata.'))
  const { user } = openAdministration(page, api)
  const start = await screen.findByRole('button', { name: 'Importa 963 farmacie' })
  set({ state: 'running' })
  await user.click(start)
  expect(await screen.findByRole('heading', { name: 'Importazione in corso' })).toBeDefined()
  expect(screen.getByRole('alert').textContent).toContain('già stata avviata')
})

test('without an import there is only the choice of a file; a failed list says so', async () => {
  const { api } = server([])
  api.on(listPharmacyImports, () => failure('service.unavailable'))
  const { user } = openAdministration(page, api)
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Errore nel caricamento delle importazioni',
  )
  api.on(listPharmacyImports, () => ({ imports: [] }))
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  expect(await screen.findByLabelText('Carica il file CSV')).toBeDefined()
  expect(screen.queryByRole('heading', { name: 'Altre importazioni' })).toBeNull()
})

test('a discarded preview is not read again', async () => {
  const { api } = server([preview])
  const { user } = openAdministration(page, api)
  await user.click(await screen.findByRole('button', { name: 'Scarta' }))
  const reads = () => sent(api, 'GET').filter(({ path }) => path.endsWith(preview.id)).length
  const before = reads()
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Scarta' }))
  expect(await screen.findByRole('heading', { name: 'Scegli il file' })).toBeDefined()
  expect(reads()).toBe(before)
})
