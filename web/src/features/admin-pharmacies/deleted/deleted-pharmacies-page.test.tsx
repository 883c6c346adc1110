import { getOwnAdministrator } from '@bancone/contract/administrators'
import {
  type DeletedPharmacy,
  downloadPharmacyExport,
  getPharmacyExport,
  listDeletedPharmacies,
  type PharmacyExport,
  type PurgeCertificate,
  purgePharmacy,
  restorePharmacy,
  startPharmacyExport,
} from '@bancone/contract/pharmacy-deletion'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeDownloads } from '../../../../test/fake-downloads.ts'
import { administrator, sessionOf } from '../../../../test/fixtures.ts'
import { focused } from '../../../../test/focused.ts'
import { renderApp, serverWith, storeSession } from '../../../../test/render-app.tsx'
import { rawReply, type StubApi } from '../../../../test/stub-api.ts'

const page = '/admin/pharmacies/deleted'
const exportId = '3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d40'

function pharmacy(n: number, traits: Partial<DeletedPharmacy> = {}): DeletedPharmacy {
  return {
    id: `3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d1${n}`,
    code: `PHARM-000${n}`,
    name: `Farmacia ${n}`,
    email: `farmacia${n}@example.it`,
    deletedAt: '2026-01-05T07:30:00Z',
    daysLeft: 12,
    purgedSteps: null,
    export: null,
    ...traits,
  }
}

const certificate: PurgeCertificate = {
  id: exportId,
  code: 'PHARM-0009',
  deletedAt: '2025-11-05T07:30:00Z',
  deletedBy: null,
  requestedBy: null,
  startedAt: '2025-12-05T07:30:00Z',
  finishedAt: '2025-12-05T07:31:00Z',
  steps: [
    {
      step: 'orders',
      finishedAt: '2025-12-05T07:30:30Z',
      removed: { pharmacy_orders: 1200, files: 3 },
    },
  ],
}

function server(deleted: DeletedPharmacy[], purged: PurgeCertificate[] = []) {
  return serverWith([])
    .on(getOwnAdministrator, () => administrator)
    .on(listDeletedPharmacies, () => ({ deleted, purged }))
    .on(restorePharmacy, ({ params }) => {
      deleted.splice(
        deleted.findIndex(({ id }) => id === params.pharmacyId),
        1,
      )
      return {}
    })
}

function open(api: StubApi) {
  storeSession('admin', sessionOf(administrator.id))
  return renderApp(page, api, { signedIn: false })
}

const button = (name: string) => screen.findByRole('button', { name })

test('lists the days left, purges in progress and certificates; a pharmacy is restored', async () => {
  const deleted = [
    pharmacy(1),
    pharmacy(2, { daysLeft: 1 }),
    pharmacy(3, { purgedSteps: ['access', 'orders'] }),
  ]
  const { user } = open(server(deleted, [certificate]))
  expect(await screen.findByText(/restano 12 giorni/)).toBeDefined()
  expect(screen.getByText(/ultimo giorno per ripristinarla/)).toBeDefined()
  const purging = screen.getByText(/in corso: 2 passi su 7/).closest('li')
  expect(within(purging as HTMLElement).queryByRole('button')).toBeNull()
  expect(screen.getByText('Certificato: 1.200 righe e 3 file cancellati')).toBeDefined()
  await user.click(await button('Ripristina Farmacia 1'))
  await waitFor(() => expect(screen.queryByText('Farmacia 1')).toBeNull())
  await focused(screen.getByRole('link', { name: 'Tutte le farmacie' }))
})

test('a purge needs the code of the pharmacy', async () => {
  const codes: string[] = []
  const deleted = [pharmacy(1)]
  const api = server(deleted).on(purgePharmacy, ({ body }) => {
    codes.push(body.code)
    deleted[0] = pharmacy(1, { purgedSteps: [] })
    return {}
  })
  const { user } = open(api)
  await user.click(await button('Elimina subito Farmacia 1'))
  const field = screen.getByLabelText('Codice della farmacia')
  await user.type(field, 'PHARM-0002')
  await user.click(screen.getByRole('button', { name: 'Elimina per sempre' }))
  expect(screen.getByText('Il codice non corrisponde: scrivi PHARM-0001')).toBeDefined()
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(codes).toEqual([])
  await user.clear(field)
  await user.type(field, 'pharm-0001{Enter}')
  expect(await screen.findByText(/in corso: 0 passi su 7/)).toBeDefined()
  expect(codes).toEqual(['PHARM-0001'])
})

test('an export shows how far it is, and is then downloaded', async () => {
  const { saved } = fakeDownloads()
  const made: PharmacyExport = {
    id: exportId,
    state: 'waiting',
    done: 0,
    total: 0,
    bytes: null,
    expiresAt: null,
    fileName: 'PHARM-0001-2026-01-06.zip',
  }
  const states: PharmacyExport[] = [
    { ...made, state: 'running', done: 50, total: 100 },
    {
      ...made,
      state: 'done',
      done: 100,
      total: 100,
      bytes: 12_340_000,
      expiresAt: '2026-01-07T07:30:00Z',
    },
  ]
  const api = server([pharmacy(1)])
    .on(startPharmacyExport, () => made)
    .on(getPharmacyExport, () => (states.length > 1 ? states.shift() : states[0]) ?? made)
    .on(downloadPharmacyExport, () => rawReply('the zip', 200))
  const { user } = open(api)
  await user.click(await button('Esporta tutto di Farmacia 1'))
  expect(await screen.findByText('Esportazione in corso: 50%')).toBeDefined()
  const take = await screen.findByRole(
    'button',
    { name: "Scarica l'esportazione di Farmacia 1" },
    { timeout: 3_000 },
  )
  expect(take.textContent).toBe('Scarica (12,3 MB)')
  await user.click(take)
  await waitFor(() => expect(saved).toEqual([{ name: made.fileName, text: 'the zip' }]))
})

test('without deleted pharmacies it says so', async () => {
  open(server([]))
  expect(await screen.findByText('Nessuna farmacia eliminata')).toBeDefined()
})
