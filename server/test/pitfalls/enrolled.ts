import { expect } from 'vitest'
import { appOf, type MovingClock } from '../conformance/authenticator.ts'
import { password, type TestServer } from '../server.ts'

export type Tokens = { access_token: string; refresh_token: string }
export type Headers = { authorization: string }
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A begun enrolment. */
export type Begun = { id: string; totp: { secret: string } }

export const bearer = ({ access_token }: Tokens): Headers => ({
  authorization: `Bearer ${access_token}`,
})

/** The claims of an access token. */
export const claimsOf = ({ access_token }: Tokens) =>
  JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()) as {
    aal: string
    session_id: string
  }

let people = 0

type Server = Pick<TestServer, 'app' | 'database' | 'addPharmacy' | 'addUser' | 'addAdministrator'>

/** Requests without a client library, and users with a second factor. */
export function withFactors(server: Server, clock: MovingClock) {
  /** @param from the remote address */
  function call(method: Method, path: string, headers = {}, payload?: object, from?: string) {
    return server.app.inject({
      method,
      url: path.startsWith('/api') ? path : `/auth/v1${path}`,
      headers,
      ...(payload && { payload }),
      ...(from && { remoteAddress: from }),
    })
  }

  async function login(email: string, given = password): Promise<Tokens> {
    const reply = await call('POST', '/token?grant_type=password', {}, { email, password: given })
    expect(reply.statusCode).toBe(200)
    return reply.json<Tokens>()
  }

  async function begin(headers: Headers): Promise<Begun> {
    const reply = await call('POST', '/factors', headers, { factor_type: 'totp' })
    expect(reply.statusCode).toBe(200)
    return reply.json<Begun>()
  }

  async function challenge(headers: Headers, factorId: string, from?: string): Promise<string> {
    const reply = await call('POST', `/factors/${factorId}/challenge`, headers, {}, from)
    expect(reply.statusCode).toBe(200)
    return reply.json<{ id: string }>().id
  }

  async function verify(headers: Headers, factorId: string, code: string) {
    const challenge_id = await challenge(headers, factorId)
    return call('POST', `/factors/${factorId}/verify`, headers, { challenge_id, code })
  }

  return {
    call,
    login,
    begin,
    challenge,
    verify,

    refresh: ({ refresh_token }: Tokens) =>
      call('POST', '/token?grant_type=refresh_token', {}, { refresh_token }),

    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await server.database.pool.query<Row>(text, values)).rows,

    async recoveryCodes(tokens: Tokens): Promise<[string, ...string[]]> {
      const path = '/factors/recovery-codes/regenerate'
      const reply = await call('POST', path, bearer(tokens), {})
      return reply.json<{ codes: [string, ...string[]] }>().codes
    },

    /** A user with a second factor, with the tokens of aal1 and those of aal2. */
    async enrolled(who: 'pharmacy' | 'administrator' | 'user' = 'user') {
      people += 1
      const email = `secondo${people}@example.it`
      const id =
        who === 'pharmacy'
          ? await server.addPharmacy({ email, code: `PHARM-9${people}` })
          : await server.addUser(email)
      if (who === 'administrator') await server.addAdministrator({ id })
      const before = await login(email)
      const { id: factorId, totp } = await begin(bearer(before))
      const app = appOf(totp.secret, clock)
      const verified = await verify(bearer(before), factorId, app.nextCode())
      expect(verified.statusCode).toBe(200)
      const after = verified.json<Tokens>()
      return { id, email, factorId, secret: totp.secret, app, before, after }
    },
  }
}
export type WithFactors = ReturnType<typeof withFactors>
