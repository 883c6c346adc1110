import { Feature } from '@bancone/contract/access'
import { listColleagues } from '@bancone/contract/colleagues'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Settings } from '../src/wiring.ts'
import { type RoleName, roleNames, roles } from './access-roles.ts'
import type { Standing } from './access-rules.ts'
import { atEnd } from './at-end.ts'
import { noLimits } from './auth-server.ts'
import { giveFactor, lift } from './second-factor.ts'
import { type TestServer, testApp, testAuth, testServer } from './server.ts'
import { silentLog } from './silent-log.ts'
import { lastingFolder } from './temporary-folder.ts'

export type Headers = { authorization?: string }

export type Callers = {
  server: TestServer
  /** Of the pharmacy that most of them work at. */
  pharmacyId: string
  /** What somebody of that role says in their calls. */
  headersOf(role: RoleName): Headers
  /** The process that they call: some roles are about a setting of it. */
  appOf(role: RoleName): FastifyInstance
}

type Known = 'own' | 'bare' | 'closed'

const ownAccounts: Partial<Record<RoleName, Known>> = {
  "the pharmacy's own account": 'own',
  'the own account of another pharmacy, without features': 'bare',
  'the own account of a closed pharmacy': 'closed',
}

const Key = z.object({ id: z.uuid(), key: z.string() })

const Colleagues = listColleagues.response

const nobody = { actorId: null, address: '127.0.0.1', agent: null }

/** Somebody of each role, signed in; and then what their role says has happened to them. */
export async function addCallers(auth: Partial<Settings['auth']> = {}): Promise<Callers> {
  const common = { ...testAuth, ...auth }
  const settings = { limits: noLimits, files: { folder: await lastingFolder() }, auth: common }
  const server = await testServer(settings)
  const { database, app, services } = server
  const asked = { ...common, adminFactor: 'required' } as const
  const strict = await testApp(database, { ...settings, auth: asked }, silentLog)
  atEnd(async () => {
    await strict.app.close()
    await strict.wired.close()
  })

  const addPharmacy = (name: Known, features: readonly string[]) =>
    server.addPharmacy({ email: `${name}@example.it`, code: `PHARM-${name}`, features })
  const ids = {
    own: await addPharmacy('own', Feature.options),
    bare: await addPharmacy('bare', []),
    closed: await addPharmacy('closed', Feature.options),
  }
  const owner = await server.signIn('own@example.it')

  async function makeKey(headers: Headers): Promise<z.infer<typeof Key>> {
    const call = { method: 'POST', url: '/api/api-keys', payload: { name: 'Sito' } } as const
    return Key.parse((await app.inject({ ...call, headers })).json())
  }

  function pharmacyOf({ isActive, hasFeatures }: NonNullable<Standing['worksAt']>): string {
    if (!isActive) return ids.closed
    return hasFeatures ? ids.own : ids.bare
  }

  async function addPerson(email: string, { worksAt, isAdmin }: Standing): Promise<string> {
    const id = worksAt
      ? await server.addColleague({ email, pharmacyId: pharmacyOf(worksAt), role: worksAt.role })
      : await server.addUser(email)
    if (isAdmin) await server.addAdministrator({ id })
    return id
  }

  async function remove(email: string): Promise<void> {
    const reply = await app.inject({ url: '/api/colleagues', headers: owner })
    const { colleagues } = Colleagues.parse(reply.json())
    const { id } = colleagues.find((colleague) => colleague.email === email) ?? {}
    const url = `/api/colleagues/${id}`
    const { statusCode } = await app.inject({ method: 'DELETE', url, headers: owner })
    if (statusCode !== 200) throw new Error(`${email} was not removed`)
  }

  async function addSession(role: RoleName): Promise<Headers> {
    const standing: Standing = roles[role]
    const account = ownAccounts[role]
    const email = `${account ?? `person-${roleNames.indexOf(role)}`}@example.it`
    const id = account ? ids[account] : await addPerson(email, standing)
    if (standing.factor) await giveFactor(database, id)
    const caller = await server.signIn(email)
    if (standing.factor === 'shown') await lift(database, caller)
    if (role === 'a colleague who was removed') await remove(email)
    if (role === 'a colleague who was shut out') {
      await services.auth.users.change(id, { banFor: 3_600_000 }, nobody)
    }
    return caller
  }

  async function addKey(role: RoleName): Promise<Headers> {
    const standing: Standing = roles[role]
    const isOfClosed = standing.worksAt?.isActive === false
    const { id, key } = await makeKey(isOfClosed ? await server.signIn('closed@example.it') : owner)
    if (standing.isOver) {
      await app.inject({ method: 'DELETE', url: `/api/api-keys/${id}`, headers: owner })
    }
    return { authorization: `Bearer ${key}` }
  }

  const all = new Map<RoleName, Headers>()
  for (const role of roleNames) {
    const { shows } = roles[role]
    if (shows === 'session') all.set(role, await addSession(role))
    else all.set(role, shows === 'key' ? await addKey(role) : {})
  }
  await database.pool.query('update pharmacies set is_active = false where id = $1', [ids.closed])

  return {
    server,
    pharmacyId: ids.own,
    headersOf(role) {
      const headers = all.get(role)
      if (!headers) throw new Error(`there is no ${role}`)
      return headers
    },
    appOf: (role) => ('adminsNeedFactor' in roles[role] ? strict.app : app),
  }
}
