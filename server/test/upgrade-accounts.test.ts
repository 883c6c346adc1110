import { createHash, randomUUID } from 'node:crypto'
import { getOrder } from '@bancone/contract/order-details'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { DatabaseConnection } from '../src/database/database.ts'
import { hashPassword } from '../src/platform/auth/passwords.ts'
import { refreshToken, tokenHash } from '../src/platform/auth/refresh-token.ts'
import { loadSigningKeys } from '../src/platform/auth/signing-keys.ts'
import { createSecrets } from '../src/platform/secrets.ts'
import { systemClock } from '../src/ports/clock.ts'
import { prepareDatabase } from '../src/prepare-database.ts'
import { oldDatabase } from './old-database.ts'
import { password, testApp, testAuth } from './server.ts'
import { silentLog } from './silent-log.ts'

const appSecret = 'a secret of the tests, of before and after'
const secrets = createSecrets(appSecret)
const RECORD = 'recAAAAAAAAAAAAAA'
const KEY = `bnc_${'k'.repeat(43)}`

type Device = { userId: string; sessionId: string; access: string; refresh: string }

/** An account of the previous release, with a session that was refreshed once. */
async function addAccount(
  { db, pool }: DatabaseConnection,
  email: string,
  name?: string,
): Promise<Device> {
  const user = await pool.query<{ id: string }>(
    `insert into auth_users (email, password_hash, email_confirmed_at, user_metadata)
     values ($1, $2, now(), $3) returning id`,
    [email, await hashPassword(password), name === undefined ? {} : { full_name: name }],
  )
  const userId = user.rows[0]?.id ?? ''
  const sessionId = randomUUID()
  const amr = JSON.stringify([{ method: 'password', timestamp: Math.floor(Date.now() / 1000) }])
  await pool.query(
    'insert into auth_sessions (id, user_id, amr, refresh_counter) values ($1, $2, $3, 1)',
    [sessionId, userId, amr],
  )
  const key = secrets.key('refresh tokens')
  for (const counter of [0, 1]) {
    await pool.query(
      `insert into auth_refresh_tokens (token_hash, session_id, counter, replaced_at)
       values ($1, $2, $3, case when $3 = 0 then now() end)`,
      [tokenHash(refreshToken(key, sessionId, counter)), sessionId, counter],
    )
  }
  const issuer = { issuer: 'http://localhost:3000/auth/v1', audience: 'authenticated' }
  const keys = await loadSigningKeys(db, secrets, issuer, systemClock)
  const now = Math.floor(Date.now() / 1000)
  const access = await keys.sign({
    sub: userId,
    iat: now,
    exp: now + 3600,
    email,
    role: 'authenticated',
    aal: 'aal1',
    session_id: sessionId,
  })
  return { userId, sessionId, access, refresh: refreshToken(key, sessionId, 1) }
}

/** The data of a pharmacy in the previous release. */
async function addPharmacy(
  { pool }: DatabaseConnection,
  { userId, sessionId }: Device,
  name: string,
) {
  await pool.query(
    `insert into pharmacies (id, pharmacy_id, name, email, use_supabase_orders)
     select $1, $2, $3, email, true from auth_users where id = $1`,
    [userId, `PHARM-${name}`, name],
  )
  await pool.query(
    `insert into pharmacy_orders (pharmacy_id, airtable_order_id, airtable_created, airtable_last)
     values ($1, $2, now(), now())`,
    [userId, RECORD],
  )
  await pool.query(
    `insert into order_events (pharmacy_id, record_id, kind, source, user_id, session_id, from_status, to_status)
     values ($1, $2, 'status', 'person', $1, $3, 'In attesa', 'Confermato')`,
    [userId, RECORD, sessionId],
  )
  await pool.query(
    `insert into order_notes (pharmacy_id, record_id, text, user_id, session_id)
     values ($1, $2, 'Richiamare', $1, $3)`,
    [userId, RECORD, sessionId],
  )
  await pool.query(
    `insert into push_subscriptions (session_id, pharmacy_id, endpoint, p256dh, auth, told)
     values ($1, $2, $3, 'k', 'a', 0)`,
    [sessionId, userId, `https://push.example.it/${name}`],
  )
}

const Session = z.object({ access_token: z.string(), user: z.object({ id: z.string() }) })

it('leaves everybody signed in whose sessions are of the release before', async () => {
  const database = await oldDatabase('0009_offers.sql')
  const { pool } = database
  const named = await addAccount(database, 'anna@example.it', 'Anna Rossi')
  const nameless = await addAccount(database, 'centrale@example.it')
  const admin = await addAccount(database, 'admin@example.it')
  await addPharmacy(database, named, 'Farmacia San Marco')
  await addPharmacy(database, nameless, 'Farmacia Centrale')
  await pool.query('insert into admin_users (user_id) values ($1)', [admin.userId])
  await pool.query(
    "insert into api_keys (pharmacy_id, name, start, key_hash) values ($1, 'Sito', 'bnc_kkkkkk', $2)",
    [named.userId, createHash('sha256').update(KEY).digest()],
  )
  await pool.query(
    "insert into audit_events (action, user_id, address) values ('signed_in', $1, '203.0.113.7')",
    [named.userId],
  )

  await prepareDatabase(database.url, silentLog, async () => {})

  const { app, wired } = await testApp(database, { appSecret, auth: testAuth }, silentLog)
  onTestFinished(async () => {
    await app.close()
    await wired.close()
  })
  const get = (url: string, token: string) =>
    app.inject({ url, headers: { authorization: `Bearer ${token}` } })

  // With the existing tokens, and with refreshed ones.
  for (const [device, url, told] of [
    [named, '/api/pharmacy', { pharmacyId: 'PHARM-Farmacia San Marco', role: 'owner' }],
    [nameless, '/api/pharmacy', { pharmacyId: 'PHARM-Farmacia Centrale', role: 'owner' }],
    [admin, '/api/administrator', { email: 'admin@example.it' }],
  ] as const) {
    const reply = await get(url, device.access)
    expect([reply.statusCode, reply.json()]).toMatchObject([200, told])
    const renewed = await app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: device.refresh },
    })
    const { access_token, user } = Session.parse(renewed.json())
    expect(user.id).toBe(device.userId)
    expect((await get(url, access_token)).statusCode).toBe(200)
    expect((await get(url, device.access)).statusCode).toBe(200)
  }

  // Audit events keep their names.
  for (const [{ access }, name] of [
    [named, 'Anna Rossi'],
    [nameless, 'Farmacia Centrale'],
  ] as const) {
    const reply = await get(`/api/orders/${RECORD}`, access)
    const { history, notes } = getOrder.response.parse(reply.json())
    const who = { name, you: true, here: true }
    expect(history).toContainEqual(
      expect.objectContaining({ kind: 'status', to: 'Confermato', who }),
    )
    expect(notes).toMatchObject([{ text: 'Richiamare', who }])
  }

  // Push subscriptions, API keys and audit events are kept.
  const { rows } = await pool.query<{ endpoint: string }>('select endpoint from push_subscriptions')
  expect(rows).toHaveLength(2)
  const order = await app.inject({
    method: 'POST',
    url: '/api/orders',
    headers: { authorization: `Bearer ${KEY}`, 'idempotency-key': 'the-first-one' },
    payload: { fields: { Cliente: 'Bianchi', Ordine: 'Aspirina', 'Phone Number': '333 1234567' } },
  })
  expect([order.statusCode, order.body]).toEqual([201, expect.any(String)])
  const activity = await get('/api/account/activity', named.access)
  expect(activity.json()).toMatchObject({
    events: expect.arrayContaining([
      expect.objectContaining({ kind: 'signed_in', address: '203.0.113.7' }),
    ]) as unknown,
  })
  const sessions = await get('/api/account/sessions', named.access)
  expect(sessions.json()).toMatchObject({ sessions: [{ id: named.sessionId, isCurrent: true }] })
  expect((await get('/api/colleagues', named.access)).json()).toMatchObject({
    colleagues: [{ id: named.userId, name: 'Anna Rossi', role: 'owner', isPrimary: true }],
  })
})
