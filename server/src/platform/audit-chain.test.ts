import type pg from 'pg'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { type TestServer, testServer } from '../../test/server.ts'
import { createAudit } from './audit.ts'
import { AUDIT_CHECK_TASK, sealAuditEvents } from './audit-chain.ts'

let server: TestServer
let pool: pg.Pool

beforeAll(async () => {
  server = await testServer()
  pool = server.database.pool
})

beforeEach(() => pool.query('truncate audit_events, audit_seals, audit_unsealed restart identity'))

const target = { type: 'plan', id: 'the-plan' }

/** So many changes, sealed. */
async function changes(count: number): Promise<void> {
  const { db } = server.database
  for (let each = 1; each <= count; each += 1) {
    const change = { action: 'plan_changed', before: { price: 0 }, after: { price: each } } as const
    await createAudit(db).recordChange(db, { ...change, pharmacyId: null, target })
  }
  await sealAuditEvents(db)
}

/** The event at which the check finds the chain broken; null when it is whole. */
async function check(): Promise<unknown> {
  await server.runTask(AUDIT_CHECK_TASK)
  const { rows } = await pool.query<{ action: string; event: string | null }>(
    "select action, details ->> 'event' as event from audit_events order by id desc limit 1",
  )
  const [result] = rows
  expect(result?.action).toBe(result?.event ? 'audit_chain_broken' : 'audit_chain_checked')
  return result?.event
}

it('is whole, also where two processes seal at the same time', async () => {
  await changes(5)
  const { db } = server.database
  await createAudit(db).record({ action: 'signed_in', userId: null })
  await Promise.all([changes(3), changes(3), sealAuditEvents(db)])
  await sealAuditEvents(db)
  expect(await check()).toBeNull()
  const { rows } = await pool.query<{ sealed: number; waiting: number }>(
    `select (select count(*)::int from audit_seals) as sealed,
       (select count(*)::int from audit_unsealed) as waiting`,
  )
  // The result of the check waits. A sign-in is no part of the chain.
  expect(rows).toEqual([{ sealed: 11, waiting: 1 }])
})

it.each([
  ['a value that the owner has changed', "update audit_events set target = 'plan:x' where id = 3"],
  ['a changed time', "update audit_events set at = at + interval '1 second' where id = 3"],
  ['a deleted event', 'delete from audit_events where id = 3'],
  ['a seal that was made anew', "update audit_seals set hash = sha256('x') where event_id = 3"],
])('is broken by %s', async (_what, statement) => {
  await changes(5)
  await pool.query(statement)
  expect(await check()).toBe('3')
})

it('is broken by a beginning that was deleted before its time', async () => {
  await changes(5)
  await pool.query('delete from audit_seals where event_id < 3')
  await pool.query('delete from audit_events where id < 4')
  expect(await check()).toBe('3')
})

it('is broken by an event that was deleted before it was sealed', async () => {
  await changes(2)
  const { db } = server.database
  await createAudit(db).recordChange(db, { action: 'plan_deleted', pharmacyId: null, target })
  await pool.query('delete from audit_events where id = 3')
  expect(await check()).toBe('3')
})

it('loses what is older than 24 months, and stays whole', async () => {
  await changes(5)
  await pool.query(
    "update audit_seals set sealed_at = now() - interval '24 months 1 hour' where event_id <= 3",
  )
  expect(await createAudit(server.database.db).deleteExpired()).toBe(3)
  const { rows } = await pool.query<{ id: string }>('select id from audit_events order by id')
  expect(rows).toEqual([{ id: '4' }, { id: '5' }])
  expect(await check()).toBeNull()
})
