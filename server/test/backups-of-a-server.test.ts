import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupStatus } from '@bancone/contract/backups'
import { eraseCustomerData } from '@bancone/contract/customer-data'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { connectDatabase, type DatabaseConnection } from '../src/database/database.ts'
import { createAdministratorsStore } from '../src/features/administrators/administrators.store.ts'
import { wireBackups } from '../src/features/backups/backups.wiring.ts'
import { noHooks } from '../src/features/orders/records/order-hooks.ts'
import { createOrderCopyStore } from '../src/features/orders/sync/order-copy.store.ts'
import { createAuthStore } from '../src/platform/auth/auth.store.ts'
import { hashPassword } from '../src/platform/auth/passwords.ts'
import { systemClock } from '../src/ports/clock.ts'
import type { Mail } from '../src/ports/mailer.ts'
import { createBackupPlace } from '../src/wiring/backups.ts'
import type { Settings, Wired } from '../src/wiring/wiring.ts'
import { atEnd } from './at-end.ts'
import { type BackupWorld, backupWorld, fast, keyText } from './backup-world.ts'
import { sourceOrder } from './orders.ts'
import { insertPharmacy } from './pharmacy-row.ts'
import { password, testApp } from './server.ts'
import { silentLog } from './silent-log.ts'
import { tablesWith } from './tables-with.ts'

// It starts several PostgreSQL.
vi.setConfig({ testTimeout: 60_000 })

const ADMIN = 'admin@example.it'
const PHONE = '+39 347 123 4567'

let world: BackupWorld
let server: TestedServer
let keyFile: string
let outbox: string

type TestedServer = { app: FastifyInstance; wired: Wired; connection: DatabaseConnection }

beforeAll(async () => {
  world = await backupWorld()
  keyFile = join(world.root, 'key')
  outbox = join(world.root, 'outbox')
  await writeFile(keyFile, keyText)
  await mkdir(outbox)
  const connection = connected(world.database.url)
  await addUser(connection, ADMIN, true)
  server = await application(connection, { backups: backupSettings() })
}, 120_000)

function backupSettings(): NonNullable<Settings['backups']> {
  const { target, source, dataDir, database } = world
  return {
    to: { folder: target },
    key: { file: keyFile },
    ownerUrl: database.url,
    databasePassword: source.databasePassword,
    archive: database.archive,
    dataDir,
    postgresSettings: fast,
  }
}

function connected(url: string): DatabaseConnection {
  const connection = connectDatabase(url, { max: 5 })
  atEnd(connection.close)
  return connection
}

async function application(
  connection: DatabaseConnection,
  settings: Partial<Settings>,
): Promise<TestedServer> {
  const mail = { smtpUrl: undefined, from: 'Bancone <bancone@example.it>', outbox }
  const folder = world.dataDir
  const { app, wired } = await testApp(
    connection,
    { mail, files: { folder }, ...settings },
    silentLog,
  )
  atEnd(async () => {
    await app.close()
    await wired.close()
  })
  return { app, wired, connection }
}

async function addUser({ db }: DatabaseConnection, email: string, isAdmin: boolean) {
  const passwordHash = await hashPassword(password)
  const user = await createAuthStore(db).users.insert({ email, passwordHash, confirmed: true })
  if (!user) throw new Error(`${email} is taken`)
  if (isAdmin) await createAdministratorsStore(db).insert(user.id)
  return user.id
}

async function signIn(email: string, { app } = server) {
  const reply = await app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    payload: { email, password },
  })
  const { access_token: token } = z.object({ access_token: z.string() }).parse(reply.json())
  return { authorization: `Bearer ${token}` }
}

/** An erasure beside the back-ups is written by a job. */
async function writeErasure(key: string, task: string) {
  const { rows } = await server.connection.pool.query<{ payload: object }>(
    'select payload from graphile_worker._private_jobs where key like $1',
    [`${key}%`],
  )
  await runTask(task, rows[0]?.payload)
  return rows[0]?.payload
}

const ask = (method: 'GET' | 'POST', path: string, payload?: object, at = server) =>
  asked(method, path, payload, at, async () => {})

async function asked(
  method: 'GET' | 'POST',
  path: string,
  payload: object | undefined,
  at: TestedServer,
  afterSignIn: () => Promise<unknown>,
) {
  const headers = await signIn(ADMIN, at)
  await afterSignIn()
  const url = `/api/admin/backups${path}`
  return at.app.inject({ method, url, headers, ...(payload && { payload }) })
}

/** The administrator signed in two days ago. */
async function sheetInOldSession() {
  const { pool } = server.connection
  const old = `[{"method": "password", "timestamp": ${Math.floor(Date.now() / 1000) - 2 * 86_400}}]`
  return asked('GET', '/recovery-sheet', undefined, server, () =>
    pool.query('update auth_sessions set amr = $1', [old]),
  )
}

const status = async (at = server) =>
  BackupStatus.parse((await ask('GET', '', undefined, at)).json())

const codeOf = (reply: { json(): unknown }) =>
  z.object({ code: z.string() }).parse(reply.json()).code

async function runTask(name: string, payload: object = {}): Promise<void> {
  await server.wired.jobs.tasks[name]?.run(payload)
}

/** Meanwhile nothing can be written to the target. */
async function withoutTarget(work: () => Promise<void>) {
  const away = `${world.target}-away`
  await rename(world.target, away)
  await work()
  await rename(away, world.target)
}

describe('a server without a place of back-ups', () => {
  it('says so', async () => {
    const without = await application(server.connection, {})
    expect(await status(without)).toMatchObject({ setup: null, problems: ['not_configured'] })
    const refused = await ask('POST', '/runs', { kind: 'backup' }, without)
    expect(codeOf(refused)).toBe('backups.not_configured')
  })
})

describe('back-ups', () => {
  it('are active when one was made and the recovery sheet was confirmed', async () => {
    expect((await status()).problems).toEqual(['no_backup', 'sheet_unconfirmed'])
    expect((await ask('POST', '/runs', { kind: 'backup' })).statusCode).toBe(200)
    await runTask('backups.run')
    const sheet = await ask('GET', '/recovery-sheet')
    expect(sheet.headers['content-disposition']).toMatch(/scheda-di-recupero-[0-9a-f]{8}\.html/)
    expect(sheet.body).toContain(keyText)
    const stale = await sheetInOldSession()
    expect(codeOf(stale)).toBe('session.reauthentication_needed')
    const confirm = (ending: string) => ask('POST', '/recovery-sheet/confirmation', { ending })
    expect(codeOf(await confirm('AAAAAAAA'))).toBe('backups.wrong_ending')
    expect((await confirm(keyText.slice(-9).toLowerCase())).statusCode).toBe(200)
    await runTask('backups.test', { now: true })
    const now = await status()
    expect(now).toMatchObject({
      problems: [],
      lastBackup: { state: 'done' },
      lastTest: { problem: null },
    })
    expect(now.lastBackup?.bytes).toBeGreaterThan(100_000)
    expect(JSON.stringify(now)).not.toContain(keyText.slice(0, 9))
    const { rows } = await server.connection.pool.query<{ action: string }>(
      `select action from audit_events
       where outcome = 'done' and (action like 'recovery%' or action = 'backup_started') order by at`,
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'backup_started',
      'recovery_sheet_downloaded',
      'recovery_sheet_confirmed',
    ])
  })

  it('are one at a time, and one whose process ended does not stand in the way', async () => {
    const { pool } = server.connection
    await pool.query("insert into backup_runs (kind) values ('backup')")
    const before = (await status()).lastBackup?.id
    await runTask('backups.run')
    expect((await status()).lastBackup?.id).toBe(before)
    await pool.query("update backup_runs set updated_at = now() - interval '3 minutes'")
    await runTask('backups.run')
    const { lastBackup, runs } = await status()
    expect(lastBackup?.id).not.toBe(before)
    expect(runs.find(({ state }) => state === 'failed')?.problem).toBe('interrupted')
  })

  it('that fail are red, mailed once a day, and green again after a good one', async () => {
    await rename(keyFile, `${keyFile}-away`)
    await expect(runTask('backups.run')).rejects.toMatchObject({ kind: 'key_unusable' })
    expect((await status()).problems).toEqual(['key_unusable'])
    await rename(`${keyFile}-away`, keyFile)
    await withoutTarget(async () => {
      await expect(runTask('backups.run')).rejects.toMatchObject({ kind: 'target' })
    })
    expect((await status()).problems).toEqual(['target'])
    const mails: Mail[] = []
    const { backups } = parts(mails)
    await backups.alert()
    await backups.alert()
    expect(mails.map(({ to, text }) => [to, text.includes('La cartella o il bucket')])).toEqual([
      [ADMIN, true],
    ])
    await runTask('backups.run')
    expect((await status()).problems).toEqual([])
  })

  it('lack nothing of the last minutes, or are red', async () => {
    const { start, close } = parts([])
    start?.()
    await world.pool.query("select pg_logical_emit_message(false, 'test', ''), pg_switch_wal()")
    await vi.waitFor(async () => expect((await status()).archivedUntil).not.toBeNull(), 30_000)
    await close?.()
    await withoutTarget(async () => {
      const other = parts([])
      other.start?.()
      await vi.waitFor(async () => expect((await status()).problems).toEqual(['target']), 30_000)
      await other.close?.()
    })
  })

  it('are due after a start that did not archive, which left a gap in the log', async () => {
    const { pool } = server.connection
    const jobs = async () => {
      const { rowCount } = await pool.query(
        "delete from graphile_worker._private_jobs where key = 'backups.run:now'",
      )
      return rowCount
    }
    await pool.query(
      "insert into backup_runs (kind, state, finished_at) values ('backup', 'done', now())",
    )
    await pool.query('insert into backup_archive default values on conflict do nothing')
    await jobs()
    await parts([]).backups.startIfDue()
    expect(await jobs()).toBe(0)
    await parts([], null).backups.startIfDue()
    await parts([]).backups.startIfDue()
    expect(await jobs()).toBe(1)
  })
})

describe('a restored server', () => {
  it('knows its people, and has nothing of pharmacies and customers that were erased later', async () => {
    const { connection } = server
    const pharmacyId = await addUser(connection, 'farmacia@example.it', false)
    await insertPharmacy(connection.db, {
      id: pharmacyId,
      pharmacyCode: 'PURGED-1',
      name: 'Farmacia Purgata',
      email: 'farmacia@example.it',
      phone: PHONE,
      address: null,
      features: [],
      airtable: null,
    })
    const openId = await addUser(connection, 'aperta@example.it', false)
    await insertPharmacy(connection.db, {
      id: openId,
      pharmacyCode: 'OPEN-1',
      name: 'Farmacia Aperta',
      email: 'aperta@example.it',
      phone: null,
      address: null,
      features: [],
      airtable: null,
    })
    const order = (phone: string, name: string) =>
      sourceOrder({ customerPhone: phone, customerName: name })
    await createOrderCopyStore(connection.db, noHooks).saveOrders(
      openId,
      [order('333 765 4321', 'Ermenegilda Zanetti'), order('333 000 0000', 'Bruno Altri')],
      new Date().toISOString(),
    )
    await runTask('backups.run')
    const erasure = await server.app.inject({
      method: 'POST',
      url: eraseCustomerData.path,
      headers: await signIn('aperta@example.it'),
      payload: { phone: '+39 3337654321', identity: 'document' },
    })
    expect(erasure.json()).toMatchObject({ orders: 1 })
    await connection.pool.query('update pharmacies set deleted_at = now() where id = $1', [
      pharmacyId,
    ])
    await runTask('pharmacies.purge', { pharmacyId })
    await writeErasure(`backups.erasure:${pharmacyId}`, 'backups.erasure')
    const payload = await writeErasure('backups.customer_erasure:', 'backups.customer_erasure')
    expect(JSON.stringify(payload)).not.toContain('7654321')

    const folder = world.newFolder()
    await world.restore(folder)
    const database = await world.start(folder)
    atEnd(() => database.stop())
    const restored = connected(database.url)
    expect(await tablesWith(restored.pool, ['Purgata'])).toContain('pharmacies')
    expect(await tablesWith(restored.pool, ['Zanetti'])).toContain('pharmacy_orders')
    const started = await application(restored, {})
    await started.wired.applyErasures()
    expect(await tablesWith(restored.pool, ['Zanetti', '7654321'])).toEqual([])
    expect(await tablesWith(restored.pool, ['Altri'])).toContain('pharmacy_orders')
    expect(await tablesWith(restored.pool, ['Purgata'])).toEqual([])
    expect(await tablesWith(restored.pool, [PHONE])).toEqual([])
    expect((await ask('GET', '', undefined, started)).statusCode).toBe(200)
  })
})

function place() {
  return createBackupPlace(backupSettings(), world.stores, world.source.appSecret)
}

/** The module on the database of the server, with what it mails. */
function parts(mails: Mail[], at: ReturnType<typeof place> | null = place()) {
  return wireBackups({
    db: server.connection.db,
    place: at ?? undefined,
    auth: server.wired.auth,
    administrators: async () => [ADMIN],
    purge: async () => {},
    eraseCustomers: async () => ({ customers: 0, doSomeStay: false }),
    mailer: { send: async (mail) => void mails.push(mail) },
    publicUrl: 'http://localhost:3000',
    clock: systemClock,
    log: silentLog,
  })
}
