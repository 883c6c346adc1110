import { Secret, TOTP } from 'otpauth'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { noLimits } from './auth-server.ts'
import { type TestServer, testAuth, testServer } from './server.ts'

type Caller = { authorization: string }

let server: TestServer
let now = Date.now()
beforeAll(async () => {
  server = await testServer({
    limits: noLimits,
    auth: { ...testAuth, adminFactor: 'required' },
    clock: { now: () => now },
  })
})

const Enrolment = z.object({ id: z.uuid(), totp: z.object({ secret: z.string() }) })
const Named = z.object({ id: z.uuid() })
const Session = z.object({ access_token: z.string(), refresh_token: z.string() })
const Codes = z.object({ codes: z.array(z.string()) })

type App = { id: string; totp: TOTP }

async function post<T>(caller: Caller, path: string, payload: object, answer: z.core.$ZodType<T>) {
  const url = `/auth/v1${path}`
  const reply = await server.app.inject({ method: 'POST', url, headers: caller, payload })
  return z.parse(answer, reply.json())
}

const callerOf = ({ access_token }: z.infer<typeof Session>): Caller => ({
  authorization: `Bearer ${access_token}`,
})

async function begin(caller: Caller): Promise<App> {
  const { id, totp } = await post(caller, '/factors', { factor_type: 'totp' }, Enrolment)
  return { id, totp: new TOTP({ secret: Secret.fromBase32(totp.secret) }) }
}

/** Each code is accepted once, so the clock advances by half a minute. */
async function show(caller: Caller, { id, totp }: App) {
  now += 30_000
  const challenge = await post(caller, `/factors/${id}/challenge`, {}, Named)
  const code = totp.generate({ timestamp: now })
  return post(caller, `/factors/${id}/verify`, { challenge_id: challenge.id, code }, Session)
}

async function told(caller: Caller, url: string): Promise<string> {
  const reply = await server.app.inject({ url, headers: caller })
  return reply.statusCode === 200 ? 'let in' : reply.json<{ code: string }>().code
}

const renewed = ({ refresh_token }: z.infer<typeof Session>) =>
  post(
    { authorization: '' },
    '/token?grant_type=refresh_token',
    { refresh_token },
    z.union([Session, z.object({ error_code: z.string() })]),
  )

it('lets an administrator in who enrols, and asks for the second factor from then on', async () => {
  await server.addAdministrator({ email: 'admin@example.it' })
  const url = '/api/administrator'
  const [other, first] = [
    await server.signIn('admin@example.it'),
    await server.signIn('admin@example.it'),
  ]
  expect(await told(first, url)).toBe('session.enrolment_needed')
  const app = await begin(first)
  expect(await told(first, url)).toBe('session.enrolment_needed')
  const lifted = await show(first, app)
  expect(await told(callerOf(lifted), url)).toBe('let in')
  // The user's other session has ended; its earlier token does not get the level of the elevated one.
  await expect.poll(() => told(other, url)).toBe('session.missing')
  await expect.poll(() => told(first, url)).toBe('session.second_factor_needed')

  const second = await server.signIn('admin@example.it')
  expect(await told(second, url)).toBe('session.second_factor_needed')
  expect(await told(callerOf(await show(second, app)), url)).toBe('let in')
  // A refreshed session keeps its level.
  const again = Session.parse(await renewed(lifted))
  expect(await told(callerOf(again), url)).toBe('let in')
})

it('lets staff in with a recovery code, and no further without their second factor', async () => {
  const pharmacyId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  await server.addColleague({ email: 'anna@example.it', pharmacyId })
  const url = '/api/pharmacy'
  const first = await server.signIn('anna@example.it')
  expect(await told(first, url)).toBe('let in')
  const app = await begin(first)
  // An unfinished enrolment has no effect.
  expect(await told(await server.signIn('anna@example.it'), url)).toBe('let in')
  const lifted = callerOf(await show(first, app))
  const { codes } = await post(lifted, '/factors/recovery-codes/regenerate', {}, Codes)

  const lost = await server.signIn('anna@example.it')
  expect(await told(lost, url)).toBe('session.second_factor_needed')
  const code = codes[0]
  const found = callerOf(await post(lost, '/factors/recovery-codes/verify', { code }, Session))
  expect(await told(found, url)).toBe('let in')
  expect(await told(found, '/api/colleagues')).toBe('access.owners_only')

  // Without the factor, level aal1 suffices again.
  const gone = { method: 'DELETE', url: `/auth/v1/factors/${app.id}`, headers: found } as const
  expect((await server.app.inject(gone)).statusCode).toBe(200)
  await expect.poll(() => told(found, url)).toBe('let in')
  expect(await told(await server.signIn('anna@example.it'), url)).toBe('let in')
})
