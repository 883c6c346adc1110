import { Feature } from '@bancone/contract/access'
import { listColleagues } from '@bancone/contract/colleagues'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Settings } from '../src/wiring/wiring.ts'
import { type RoleName, roleNames, roles } from './access-roles.ts'
import type { CallerState } from './access-rules.ts'
import { atEnd } from './at-end.ts'
import { noLimits } from './auth-server.ts'
import { ageSessions } from './conformance/clients.ts'
import { addFactor, elevateSession } from './second-factor.ts'
import { type TestServer, testApp, testAuth, testServer } from './server.ts'
import { silentLog } from './silent-log.ts'
import { testFileFolder } from './temporary-folder.ts'

export type Headers = { authorization?: string }

export type Callers = {
  server: TestServer
  /** The pharmacy of most callers. */
  pharmacyId: string
  /** The headers of a caller of that role. */
  headersOf(role: RoleName): Headers
  /** The application that the caller uses: some roles depend on its settings. */
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

/** Creates a signed-in caller of each role, in the state that the role describes. */
export async function addCallers(auth: Partial<Settings['auth']> = {}): Promise<Callers> {
  const common = { ...testAuth, ...auth }
  const settings = { limits: noLimits, files: { folder: await testFileFolder() }, auth: common }
  const server = await testServer(settings)
  const { database, app, auth: authService } = server
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

  function pharmacyOf({ isActive, hasFeatures }: NonNullable<CallerState['worksAt']>): string {
    if (!isActive) return ids.closed
    return hasFeatures ? ids.own : ids.bare
  }

  async function addPerson(email: string, { worksAt, isAdmin }: CallerState): Promise<string> {
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
    const state: CallerState = roles[role]
    const account = ownAccounts[role]
    const email = `${account ?? `person-${roleNames.indexOf(role)}`}@example.it`
    const id = account ? ids[account] : await addPerson(email, state)
    if (state.factor) await addFactor(database, id)
    const caller = await server.signIn(email)
    if (state.factor === 'shown') await elevateSession(database, caller)
    if (state.isStale) await ageSessions(server, id)
    if (role === 'a colleague who was removed') await remove(email)
    if (role === 'a colleague who was shut out') {
      await authService.users.change(id, { banDurationMs: 3_600_000 }, nobody)
    }
    return caller
  }

  async function addKey(role: RoleName): Promise<Headers> {
    const state: CallerState = roles[role]
    const isOfClosed = state.worksAt?.isActive === false
    const { id, key } = await makeKey(isOfClosed ? await server.signIn('closed@example.it') : owner)
    if (state.isRevoked) {
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
