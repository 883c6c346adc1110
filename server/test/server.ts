import { join } from 'node:path'
import type { Role } from '@bancone/contract/access'
import { hash } from '@node-rs/argon2'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { createSharpPictures } from '../src/adapters/sharp-pictures/sharp-pictures.ts'
import { connectDatabase, type DatabaseConnection } from '../src/database/database.ts'
import { createAdministratorsStore } from '../src/features/administrators/administrators.store.ts'
import { buildApp } from '../src/http/app.ts'
import { createAuthStore } from '../src/platform/auth/auth.store.ts'
import { hashPassword } from '../src/platform/auth/passwords.ts'
import { type Settings, type Wired, wire } from '../src/wiring/wiring.ts'
import { atEnd } from './at-end.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { insertPharmacy } from './pharmacy-row.ts'
import { silentLog } from './silent-log.ts'
import { testFileFolder } from './temporary-folder.ts'

export const password = 'correct horse battery'

export const testSecret = 'a secret of the tests, long enough for them'

/** The default authentication settings of tests. */
export const testAuth: Settings['auth'] = {
  signup: false,
  anonymous: false,
  adminKey: undefined,
  origins: [],
  adminFactor: 'optional',
  currentPassword: 'optional',
  oidc: undefined,
}

/** The hash for users, at the real cost. */
let passwordHash: Promise<string> | undefined

/** The hash for pharmacies and colleagues, at a low cost: most tests sign in only as a prerequisite. */
let cheapHash: Promise<string> | undefined

export type TestServer = Wired & {
  app: FastifyInstance
  database: TestDatabase
  /** Adds a pharmacy that can sign in. @returns its id */
  addPharmacy(pharmacy: NewTestPharmacy): Promise<string>
  addUser(email: string): Promise<string>
  /** Adds a colleague who can sign in. @returns their user's id */
  addColleague(colleague: NewTestColleague): Promise<string>
  /** Makes that user, or a new one with that address, an administrator. */
  addAdministrator(who: { id: string } | { email: string }): Promise<void>
  /** Runs a job. */
  runTask(name: string, payload?: object): Promise<void>
  /** Signs in. @returns the authorization header */
  signIn(email: string): Promise<{ authorization: string }>
}

type NewTestPharmacy = {
  email: string
  code: string
  airtable?: { baseId: string; tableId: string }
  features?: readonly string[]
}

type NewTestColleague = { email: string; pharmacyId: string; role?: Role; name?: string }

/** One process renders the pictures of all applications of a worker. It ends when it is idle. */
const pictures = createSharpPictures()

/** The application on that database, wired as in one process. */
export async function testApp(
  database: DatabaseConnection,
  settings: Partial<Settings>,
  log: FastifyBaseLogger,
): Promise<{ wired: Wired; app: FastifyInstance }> {
  const publicUrl = 'http://localhost:3000'
  const folder = await testFileFolder()
  const wired = await wire(
    database,
    {
      appSecret: testSecret,
      publicUrl,
      airtable: undefined,
      auth: testAuth,
      mail: {
        smtpUrl: undefined,
        from: 'Bancone <bancone@example.it>',
        outbox: join(folder, 'outbox'),
      },
      files: { folder },
      pictures,
      ...settings,
    },
    log,
  )
  const options = {
    log,
    trustProxy: false,
    publicUrl,
    webFolder: '/nowhere',
    previewHosts: [],
    // All callers of a test have one address.
    maxRefusedCalls: 1_000_000,
  }
  return { wired, app: await buildApp(wired, options) }
}

/** The application of another process on the same database, until the end of this test file. */
export async function otherApp(database: DatabaseConnection, settings: Partial<Settings> = {}) {
  const process = await testApp(database, settings, silentLog)
  atEnd(async () => {
    await process.app.close()
    await process.wired.close()
  })
  return process
}

/** The real application on a real database, without a listening socket and external services. */
export async function testServer(
  settings: Partial<Settings> = {},
  log: FastifyBaseLogger = silentLog,
): Promise<TestServer> {
  const database = await testDatabase()
  const connection = connectDatabase(database.runtimeUrl, { max: 5 })
  atEnd(connection.close)
  const { wired, app } = await testApp(connection, settings, log)
  atEnd(async () => {
    await app.close()
    await wired.close()
  })

  const insertUser = async (email: string, hashed: Promise<string>) => {
    const user = await createAuthStore(database.db).users.insert({
      email,
      passwordHash: await hashed,
      confirmed: true,
    })
    if (!user) throw new Error(`${email} is taken`)
    return user.id
  }

  const addUser = (email: string) => insertUser(email, (passwordHash ??= hashPassword(password)))

  const addCheapUser = (email: string) =>
    insertUser(
      email,
      (cheapHash ??= hash(password, { memoryCost: 1_024, timeCost: 1, parallelism: 1 })),
    )

  return {
    ...wired,
    app,
    database,
    addUser,
    async runTask(name, payload = {}) {
      const task = wired.jobs.tasks[name]
      if (!task) throw new Error(`there is no task ${name}`)
      await task.run(payload)
    },
    async addColleague({ email, pharmacyId, role = 'staff', name = 'Collega' }) {
      const id = await addCheapUser(email)
      await database.pool.query(
        'insert into pharmacy_members (pharmacy_id, user_id, name, role) values ($1, $2, $3, $4)',
        [pharmacyId, id, name, role],
      )
      return id
    },
    async addAdministrator(who) {
      const id = 'id' in who ? who.id : await addUser(who.email)
      await createAdministratorsStore(database.db).insert(id)
    },
    async addPharmacy({ email, code, airtable, features = [] }) {
      const id = await addCheapUser(email)
      await insertPharmacy(database.db, {
        id,
        pharmacyCode: code,
        name: `Farmacia ${code}`,
        email,
        phone: null,
        address: null,
        features,
        airtable: airtable ?? null,
      })
      return id
    },
    async signIn(email) {
      const reply = await app.inject({
        method: 'POST',
        url: '/auth/v1/token?grant_type=password',
        payload: { email, password },
      })
      return { authorization: `Bearer ${reply.json<{ access_token: string }>().access_token}` }
    },
  }
}
