import { Secret, TOTP } from 'otpauth'
import type { AuthServer } from '../auth-server.ts'
import { type Client, type ClientOptions, newPerson, ok, type Person } from './clients.ts'

/** A clock that runs, and can be advanced. */
export function movingClock() {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    advance(seconds: number) {
      ahead += seconds * 1000
    },
  }
}
export type MovingClock = ReturnType<typeof movingClock>

const STEP = 30

/** An authenticator app with a secret. */
export function appOf(secret: string, clock: MovingClock) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6 })
  const codeIn = (seconds: number) => totp.generate({ timestamp: clock.now() + seconds * 1000 })
  return {
    /** A code of a new time step, because each is accepted once. */
    nextCode() {
      clock.advance(STEP)
      return codeIn(0)
    },
    codeIn,
    /** A code that is invalid at all times near. */
    wrongCode() {
      const right = new Set([-2, -1, 0, 1, 2].map((steps) => codeIn(steps * STEP)))
      const all = Array.from({ length: 10 }, (_, n) => String(n).repeat(6))
      return all.find((code) => !right.has(code)) ?? ''
    },
  }
}

/** Enrols an app, and verifies its first code. */
export async function enrol(client: Client, clock: MovingClock, friendlyName?: string) {
  const { id, totp } = await ok(
    client.mfa.enroll({ factorType: 'totp', ...(friendlyName && { friendlyName }) }),
  )
  const app = appOf(totp.secret, clock)
  await ok(client.mfa.challengeAndVerify({ factorId: id, code: app.nextCode() }))
  return { factorId: id, app, secret: totp.secret }
}

/** A new user with a second factor, signed in at aal2. */
export async function newEnrolled(
  server: AuthServer,
  clock: MovingClock,
  options: ClientOptions = {},
): Promise<Person & Awaited<ReturnType<typeof enrol>>> {
  const person = await newPerson(server, options)
  const enrolled = await enrol(person.client, clock)
  const { session } = await ok(person.client.getSession())
  if (!session) throw new Error('no session')
  return { ...person, ...enrolled, session }
}

/** The current and the next assurance level of a client. */
export async function levelOf(client: Client): Promise<[unknown, unknown]> {
  const level = await ok(client.mfa.getAuthenticatorAssuranceLevel())
  return [level.currentLevel, level.nextLevel]
}

/** The authentication methods in the client's token, the newest first. */
export async function methodsOf(client: Client): Promise<string[]> {
  const claims = await ok(client.getClaims())
  return (claims?.claims.amr ?? []).map((entry) =>
    typeof entry === 'string' ? entry : entry.method,
  )
}
