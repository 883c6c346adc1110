import {
  AUDIT_PAGE_SIZE,
  type AuditEvent,
  downloadAuditEvents,
  listAuditEvents,
  listAuditSubjects,
  listPharmacyAudit,
  PharmacyAuditEvent,
} from '@bancone/contract/audit'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type TestServer, testServer } from '../../../test/server.ts'

type Caller = { authorization: string }

let server: TestServer
let admin: Caller
let owner: Caller
let pharmacyId: string
let made = 0

beforeAll(async () => {
  server = await testServer()
  await server.addAdministrator({ email: 'audit-admin@example.it' })
  admin = await server.signIn('audit-admin@example.it')
})

beforeEach(async () => {
  made += 1
  const email = `audit-${made}@example.it`
  pharmacyId = await server.addPharmacy({ email, code: `AUD-${made}`, features: ['offers'] })
  owner = await server.signIn(email)
})

const fields = {
  Nome_Prodotto: 'Crema',
  Prezzo_Listino: 20,
  Prezzo_Offerta: 10,
  Categoria: 'Altro',
  URL_Immagine: PLACEHOLDER_IMAGE,
}

function call(
  caller: Caller,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
) {
  return server.app.inject({ method, url, headers: caller, ...(payload && { payload }) })
}

async function offer(caller = owner, given: object = fields): Promise<string> {
  const reply = await call(caller, 'POST', '/api/offers', { fields: given })
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json<{ id: string }>().id
}

async function events(query: Record<string, string> = {}): Promise<AuditEvent[]> {
  const search = new URLSearchParams({ pharmacy: pharmacyId, ...query })
  const reply = await call(admin, 'GET', `${listAuditEvents.path}?${search.toString()}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return listAuditEvents.response.parse(reply.json()).events
}

/** Actions, the oldest first. */
const actions = async (query?: Record<string, string>) =>
  (await events(query)).map(({ action }) => action).toReversed()

const rows = async () => {
  const { rows: found } = await server.database.pool.query(
    'select from audit_events where pharmacy_id = $1',
    [pharmacyId],
  )
  return found.length
}

describe('a change', () => {
  it('is recorded with who, for whom, what, before and after', async () => {
    const id = await offer()
    const change = { fields: { Prezzo_Offerta: 8, Descrizione: 'a'.repeat(400) } }
    const reply = await call(owner, 'PATCH', `/api/offers/${id}`, change)
    expect(reply.statusCode, reply.body).toBe(200)
    const [newest] = await events()
    expect(newest).toMatchObject({
      action: 'offer_changed',
      outcome: 'done',
      refusal: null,
      role: 'owner',
      actor: { id: pharmacyId, name: `Farmacia AUD-${made}` },
      pharmacy: { id: pharmacyId, code: `AUD-${made}` },
      target: `offer:${id}`,
      requestId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      address: '127.0.0.1',
    })
    expect(newest?.changes).toEqual([
      { field: 'Descrizione', before: null, after: null, isWithheld: true },
      { field: 'Prezzo_Offerta', before: '10', after: '8', isWithheld: false },
    ])
  })

  it('of nothing is not recorded', async () => {
    const id = await offer()
    await call(owner, 'PATCH', `/api/offers/${id}`, { fields: { Prezzo_Offerta: 10 } })
    expect(await actions()).toEqual(['offer_created'])
  })

  it('that cannot be recorded is not made', async () => {
    const { pool } = server.database
    await pool.query(
      "alter table audit_events add constraint refuse check (action <> 'offer_created') not valid",
    )
    onTestFinished(async () => {
      await pool.query('alter table audit_events drop constraint refuse')
    })
    const reply = await call(owner, 'POST', '/api/offers', { fields })
    expect(reply.statusCode).toBe(500)
    const { rows: offers } = await pool.query('select from product_offers where pharmacy_id = $1', [
      pharmacyId,
    ])
    expect(offers).toEqual([])
  })

  it('that is rolled back leaves the refusal alone', async () => {
    await server.database.pool.query('update pharmacies set max_offers = 0 where id = $1', [
      pharmacyId,
    ])
    const inactive = await offer(owner, { ...fields, Stato_Offerta: 'Inattiva' })
    const before = await rows()
    const publish = { fields: { Stato_Offerta: 'Attiva' } }
    const reply = await call(owner, 'PATCH', `/api/offers/${inactive}`, publish)
    expect(reply.statusCode).toBe(409)
    expect(await rows()).toBe(before + 1)
    const [newest] = await events()
    expect(newest).toMatchObject({
      action: 'offer_changed',
      outcome: 'refused',
      refusal: 'offers.limit_reached',
      target: `offer:${inactive}`,
      changes: [],
      requestId: reply.json<{ requestId: string }>().requestId,
    })
  })
})

describe('a refusal', () => {
  it('for a missing right is recorded with who tried', async () => {
    const email = `audit-staff-${made}@example.it`
    const id = await server.addColleague({ email, pharmacyId, name: 'Ada' })
    const staff = await server.signIn(email)
    await call(staff, 'POST', '/api/api-keys', { name: 'Mia' })
    expect(await events()).toMatchObject([
      {
        action: 'api_key_made',
        outcome: 'refused',
        refusal: 'access.owners_only',
        role: 'staff',
        actor: { id, name: 'Ada' },
      },
    ])
  })

  it('is recorded so many times a minute and not more', async () => {
    for (let each = 0; each < 65; each += 1) {
      await call(owner, 'DELETE', '/api/offers/7a1b9c52-0000-4000-8000-000000000000')
    }
    expect(await rows()).toBe(60)
  })

  it('of input that cannot be read is none', async () => {
    await call(owner, 'POST', '/api/offers', { fields: { Nome_Prodotto: 7 } })
    expect(await rows()).toBe(0)
  })
})

describe('the list for administrators', () => {
  it('is narrowed by each filter', async () => {
    const id = await offer()
    const email = `audit-staff-${made}@example.it`
    const staffId = await server.addColleague({ email, pharmacyId })
    await call(await server.signIn(email), 'DELETE', `/api/offers/${id}`)
    await call(owner, 'DELETE', `/api/offers/${id}`)
    await server.database.pool.query(
      "insert into audit_events (action, pharmacy_id, role, at) values ('plan_changed', $1, 'admin', '2026-01-31T23:30:00Z')",
      [pharmacyId],
    )
    const all = ['plan_changed', 'offer_created', 'offer_removed', 'offer_removed']
    expect(await actions()).toEqual(all)
    expect(await actions({ person: staffId })).toEqual(['offer_removed'])
    expect(await actions({ action: 'offer_created' })).toEqual(['offer_created'])
    expect(await actions({ outcome: 'refused' })).toEqual(['offer_removed'])
    // Half past midnight in Rome.
    expect(await actions({ from: '2026-02-01', to: '2026-02-01' })).toEqual(['plan_changed'])
    expect(await actions({ to: '2026-01-31' })).toEqual([])
    expect(await actions({ pharmacy: staffId })).toEqual([])
  })

  it('has pages that hold each event once, also of those at one moment', async () => {
    await server.database.pool.query(
      `insert into audit_events (action, pharmacy_id, role, at)
       select 'plan_changed', $1, 'admin', '2026-01-31T23:30:00Z' from generate_series(1, $2::int)`,
      [pharmacyId, AUDIT_PAGE_SIZE + 3],
    )
    const first = await events()
    const last = await events({ before: first.at(-1)?.id ?? '' })
    expect([first.length, last.length]).toEqual([AUDIT_PAGE_SIZE, 3])
    expect(new Set([...first, ...last].map(({ id }) => id)).size).toBe(AUDIT_PAGE_SIZE + 3)
  })

  it('offers administrators and the people of a pharmacy to choose from', async () => {
    await server.addColleague({ email: `audit-ada-${made}@example.it`, pharmacyId, name: 'Ada' })
    const reply = await call(admin, 'GET', `${listAuditSubjects.path}?pharmacy=${pharmacyId}`)
    const { people, pharmacies } = listAuditSubjects.response.parse(reply.json())
    expect(people.map(({ name, isAdmin }) => [name, isAdmin])).toEqual([
      ['audit-admin@example.it', true],
      ['Ada', false],
      [`Farmacia AUD-${made}`, false],
    ])
    expect(pharmacies).toContainEqual(
      expect.objectContaining({ id: pharmacyId, code: `AUD-${made}` }),
    )
  })
})

describe('the download', () => {
  it('is a CSV for Excel without formulas, and is recorded itself', async () => {
    await offer(owner, { ...fields, Nome_Prodotto: '=HYPERLINK("x");1' })
    await server.database.pool.query(
      "update audit_events set target = '=1+1' where pharmacy_id = $1",
      [pharmacyId],
    )
    const reply = await call(admin, 'GET', `${downloadAuditEvents.path}?pharmacy=${pharmacyId}`)
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(reply.headers['content-disposition']).toMatch(/filename="registro-\d{4}-\d\d-\d\d\.csv"/)
    const [head = '', own = '', row = ''] = reply.body.split('\r\n')
    expect(head).toMatch(/^\uFEFFData e ora;Azione;Esito;/)
    // Its own event is in the file, too: it was recorded before.
    expect(own).toContain(';Download del registro;Eseguita;')
    expect(row).toContain(';Creazione offerta;Eseguita;')
    expect(row).toContain(";'=1+1;")
    expect(await actions()).toEqual(['offer_created', 'audit_downloaded'])
  })
})

describe("a pharmacy's own list", () => {
  const own = async (caller: Caller) => {
    const reply = await call(caller, 'GET', listPharmacyAudit.path)
    return { reply, events: () => listPharmacyAudit.response.parse(reply.json()).events }
  }

  it('holds its own events alone, and does not name administrators', async () => {
    await offer()
    const url = `/auth/v1/admin/users/${pharmacyId}`
    const changed = await server.app.inject({
      method: 'PUT',
      url,
      headers: admin,
      payload: { user_metadata: { theme: 'dark' } },
    })
    expect(changed.statusCode).toBe(200)
    await server.addPharmacy({
      email: `other-${made}@example.it`,
      code: `OTH-${made}`,
      features: ['offers'],
    })
    await offer(await server.signIn(`other-${made}@example.it`))
    const { reply, events: listed } = await own(owner)
    expect(listed().map(({ action, role, actorName }) => [action, role, actorName])).toEqual([
      ['user_changed', 'admin', null],
      ['offer_created', 'owner', `Farmacia AUD-${made}`],
    ])
    for (const event of listed())
      expect(Object.keys(event)).toEqual(Object.keys(PharmacyAuditEvent.shape))
    expect(reply.body).not.toContain('audit-admin')
  })
})
