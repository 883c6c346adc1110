import { getOwnAdministrator } from '@bancone/contract/administrators'
import {
  type AuditEvent,
  downloadAuditEvents,
  listAuditEvents,
  listAuditSubjects,
  listPharmacyAudit,
  PharmacyAuditEvent,
} from '@bancone/contract/audit'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeDownloads } from '../../../test/fake-downloads.ts'
import { administrator, sessionOf } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { renderApp, serverWith, storeSession } from '../../../test/render-app.tsx'
import { failure, rawReply } from '../../../test/stub-api.ts'

const PHARMACY = '7b1c8f6e-2d0a-4c1e-9f6f-0c7b8d1e2f3a'

function event(n: number, traits: Partial<AuditEvent> = {}): AuditEvent {
  return {
    id: String(n),
    at: '2026-01-05T07:30:00Z',
    action: 'offer_changed',
    outcome: 'done',
    refusal: null,
    role: 'owner',
    target: 'offer:abc',
    changes: [],
    details: [],
    actor: { id: PHARMACY, name: 'Ada' },
    pharmacy: { id: PHARMACY, code: 'PHARM-0001', name: 'Farmacia San Carlo' },
    requestId: 'the-request',
    address: '93.40.12.1',
    ...traits,
  }
}

function open(events: AuditEvent[], path = '/admin/audit') {
  const api = serverWith([])
    .on(getOwnAdministrator, () => administrator)
    .on(listAuditEvents, () => ({ events, hasMore: false, check: null }))
    .on(listAuditSubjects, () => ({
      pharmacies: [{ id: PHARMACY, code: 'PHARM-0001', name: 'Farmacia San Carlo' }],
      people: [{ id: administrator.id, name: administrator.email, isAdmin: true }],
    }))
  storeSession('admin', sessionOf(administrator.id, { email: administrator.email }))
  return { api, ...renderApp(path, api, { signedIn: false }) }
}

const items = async () =>
  (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)

test('an event says when, what, who and for whom, and what was before and after', async () => {
  const price = { field: 'Prezzo_Offerta', before: '10', after: '8', isWithheld: false }
  const email = { field: 'email', before: null, after: null, isWithheld: true }
  const refusal = { outcome: 'refused', refusal: 'access.owners_only', role: 'staff' } as const
  open([
    event(3, { changes: [price, email] }),
    event(2, refusal),
    event(1, { action: 'audit_chain_checked', role: 'system', actor: null, pharmacy: null }),
    event(0, {
      details: [
        { name: 'step', value: 'done' },
        { name: 'new', value: '12' },
      ],
    }),
  ])
  const [changed = '', refused = '', checked = '', imported] = await items()
  expect(imported).toContain('FaseFineNuove12')
  expect(changed).toContain(
    '05/01/2026 08:30Modifica offertaAda · TitolareFarmacia San Carlo (PHARM-0001)',
  )
  expect(changed).toContain('Prezzo OffertaPrima: 10 → , dopo: 8')
  expect(changed).toContain('EmailModificato (il valore non si conserva)')
  expect(changed).toContain('Richiestathe-request')
  expect(refused).toContain('Modifica offertaRespintaAda · Collaboratore')
  expect(refused).toMatch(/Respinta perché.*titolar/)
  expect(checked).toContain('Verifica del registroSistema')
})

test('the filters are in the address by ids, and can be put back', async () => {
  const { api, user } = open([])
  expect(await screen.findByText('Nessuna voce corrisponde ai filtri.')).toBeDefined()
  await user.selectOptions(screen.getByLabelText('Farmacia'), 'Farmacia San Carlo (PHARM-0001)')
  await user.selectOptions(screen.getByLabelText('Esito'), 'Respinte')
  await user.selectOptions(screen.getByLabelText('Azione'), 'Creazione offerta')
  await waitFor(() =>
    expect(location.search).toBe(`?pharmacy=${PHARMACY}&action=offer_created&outcome=refused`),
  )
  const asked = `/api/admin/audit${location.search}`
  await waitFor(() => expect(api.requests.map(({ path }) => path)).toContain(asked))
  await user.click(screen.getByRole('button', { name: 'Azzera i filtri' }))
  await waitFor(() => expect(location.search).toBe(''))
})

test('what is filtered is downloaded, and a failure is told', async () => {
  const downloads = fakeDownloads()
  const { api, user } = open([event(1)], '/admin/audit?outcome=refused')
  const button = await screen.findByRole('button', { name: 'Scarica CSV' })
  api.on(downloadAuditEvents, () => failure('service.unavailable'))
  await user.click(button)
  expect((await screen.findByRole('alert')).textContent).toContain('non è disponibile')
  api.on(downloadAuditEvents, () => rawReply('Data e ora', 200))
  await user.click(button)
  await waitFor(() => expect(downloads.saved[0]?.name).toMatch(/^registro-\d{4}-\d\d-\d\d\.csv$/))
  expect(api.requests.at(-1)?.path).toBe('/api/admin/audit/file?outcome=refused')
})

test('an altered log is an alarm', async () => {
  const { api } = open([])
  const check = { at: '2026-01-05T02:27:00Z', isIntact: false }
  api.on(listAuditEvents, () => ({ events: [], hasMore: false, check }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/alterata.*05\/01\/2026 03:27/)
})

test('owners see what was done for their pharmacy, and older events after that', async () => {
  const own = (n: number, traits: Partial<PharmacyAuditEvent>) =>
    PharmacyAuditEvent.parse({ ...event(n), actorName: null, ...traits })
  const api = serverWith([]).on(listPharmacyAudit, ({ query: { before } }) =>
    before === undefined
      ? { events: [own(2, { role: 'admin' })], hasMore: true }
      : { events: [own(1, { actorName: 'Ada' })], hasMore: false },
  )
  const { user } = renderApp('/account/audit', api)
  const list = within(await screen.findByRole('main'))
  expect(await list.findByText('Amministratore della piattaforma')).toBeDefined()
  await user.click(list.getByRole('button', { name: 'Mostra altre' }))
  await focused((await list.findByText('Ada')).closest('li') ?? document.body)
})
