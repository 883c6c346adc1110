import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { atEnd } from './at-end.ts'
import { noLimits } from './auth-server.ts'
import { addFactor, elevateSession } from './second-factor.ts'
import { type TestServer, testApp, testAuth, testServer } from './server.ts'
import { silentLog } from './silent-log.ts'

let server: TestServer
/** Two processes of the same application. */
let processes: FastifyInstance[]
let pharmacyId: string
let people = 0

beforeAll(async () => {
  const auth = { ...testAuth, adminFactor: 'required' } as const
  server = await testServer({ limits: noLimits, auth })
  const other = await testApp(server.database, { limits: noLimits, auth }, silentLog)
  atEnd(async () => {
    await other.app.close()
    await other.wired.close()
  })
  processes = [server.app, other.app]
  pharmacyId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
})

type Person = { id: string; email: string; headers: { authorization: string } }

async function person(): Promise<Person> {
  people += 1
  const email = `person-${people}@example.it`
  const id = await server.addColleague({ email, pharmacyId })
  return { id, email, headers: await server.signIn(email) }
}

type Change = (person: Person) => Promise<unknown>

const sql =
  (text: string): Change =>
  ({ id }) =>
    server.database.pool.query(text, [id])

const enrol: Change = ({ id }) => addFactor(server.database, id)
const show: Change = ({ headers }) => elevateSession(server.database, headers)
const change = (attributes: object): Change => {
  const noActor = { actorId: null, address: '127.0.0.1', agent: null }
  return ({ id }) => server.auth.users.change(id, attributes, noActor)
}
const close: Change = ({ id }) =>
  server.auth.users.delete(id, true, { actorId: null, address: '127.0.0.1', agent: null })

const toOwner = sql("update pharmacy_members set role = 'owner' where user_id = $1")
const toStaff = sql("update pharmacy_members set role = 'staff' where user_id = $1")
const signOut = sql('delete from auth_sessions where user_id = $1')
const leave = sql('update pharmacy_members set removed_at = now() where user_id = $1')
const fall = sql("update auth_sessions set aal = 'aal1' where user_id = $1")
const unenrol = sql('delete from auth_factors where user_id = $1')
const promote = sql('insert into admin_users (user_id) values ($1)')
const demote = sql('delete from admin_users where user_id = $1')

const IN = 'let in'
const NEEDED = 'session.second_factor_needed'
const OWNERS = 'access.owners_only'

const cases: [string, string, Change[], string, Change, string][] = [
  ['a second factor', '/api/pharmacy', [], IN, enrol, NEEDED],
  ['that it was shown', '/api/pharmacy', [enrol], NEEDED, show, IN],
  ['that a session falls', '/api/pharmacy', [enrol, show], IN, fall, NEEDED],
  ['that it was taken away', '/api/pharmacy', [enrol], NEEDED, unenrol, IN],
  ['a new owner', '/api/api-keys', [], OWNERS, toOwner, IN],
  ['an owner no more', '/api/api-keys', [toOwner], IN, toStaff, OWNERS],
  ['that a session ends', '/api/pharmacy', [], IN, signOut, 'session.missing'],
  ['that a colleague leaves', '/api/pharmacy', [], IN, leave, 'pharmacy.not_found'],
  ['that an account is closed', '/api/pharmacy', [], IN, close, 'session.unknown_user'],
  ['a ban', '/api/pharmacy', [], IN, change({ banDurationMs: 60_000 }), 'session.missing'],
  ['a new administrator', '/api/pharmacy', [], IN, promote, 'session.enrolment_needed'],
  ['an administrator no more', '/api/pharmacy', [promote], 'session.enrolment_needed', demote, IN],
]

it.each(cases)(
  'every process knows at once of %s',
  async (_news, url, past, before, happens, after) => {
    const user = await person()
    for (const was of past) await was(user)
    // Stops the clock of the caches, so that only notifications can invalidate them.
    const time = vi.spyOn(performance, 'now').mockReturnValue(1_000)
    onTestFinished(() => time.mockRestore())
    const told = () =>
      Promise.all(
        processes.map(async (app) => {
          const reply = await app.inject({ url, headers: user.headers })
          return reply.statusCode === 200 ? IN : reply.json<{ code: string }>().code
        }),
      )
    await expect.poll(told, { timeout: 10_000 }).toEqual([before, before])
    await happens(user)
    await expect.poll(told, { timeout: 10_000 }).toEqual([after, after])
  },
)

it('every process knows at once that a pharmacy is closed, of all who work there', async () => {
  const staff = await person()
  const owner = await server.signIn('own@example.it')
  const time = vi.spyOn(performance, 'now').mockReturnValue(1_000)
  onTestFinished(() => time.mockRestore())
  const told = () =>
    Promise.all(
      processes.flatMap((app) =>
        [staff.headers, owner].map(async (headers) => {
          const reply = await app.inject({ url: '/api/pharmacy', headers })
          return reply.statusCode
        }),
      ),
    )
  await expect.poll(told, { timeout: 10_000 }).toEqual([200, 200, 200, 200])
  const set = 'update pharmacies set is_active = $2 where id = $1'
  await server.database.pool.query(set, [pharmacyId, false])
  await expect.poll(told, { timeout: 10_000 }).toEqual([403, 403, 403, 403])
  await server.database.pool.query(set, [pharmacyId, true])
  await expect.poll(told, { timeout: 10_000 }).toEqual([200, 200, 200, 200])
})
