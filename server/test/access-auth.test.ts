import { randomUUID } from 'node:crypto'
import { startOpenId } from '@bancone/sandbox/openid'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type AuthCall,
  authCallNames,
  authCalls,
  authOutcome,
  type KeyCaller,
} from './access-auth-rules.ts'
import { addCallers, type Callers } from './access-callers.ts'
import { type RoleName, roleNames, roles } from './access-roles.ts'
import { atEnd } from './at-end.ts'
import { addFactor, claimsOf } from './second-factor.ts'
import { routesOf } from './served-routes.ts'

const adminKey = 'a-key-of-the-tests-for-other-servers'

let callers: Callers
beforeAll(async () => {
  const clientId = 'bancone'
  const clientSecret = 'a secret of the client'
  const redirectUris = ['http://localhost:3000/auth/v1/callback']
  const demo = await startOpenId({ clientId, clientSecret, redirectUris, accounts: [] })
  atEnd(demo.close)
  const oidc = { provider: 'demo', name: 'Demo', issuer: demo.issuer, clientId, clientSecret }
  callers = await addCallers({ adminKey, oidc })
}, 60_000)

/** Error codes of refused access, of unknown routes and of failures. */
const failures = [
  'no_authorization',
  'bad_jwt',
  'session_not_found',
  'user_banned',
  'not_admin',
  'insufficient_aal',
  'reauthentication_needed',
  'not_found',
  'unexpected_failure',
]

const ErrorAnswer = z.object({ error_code: z.string() })

/** The factor in the URL: one of the caller, or a random id. */
async function factorOf(role: RoleName, isRemoved: boolean): Promise<string> {
  if (!isRemoved || !('factor' in roles[role])) return randomUUID()
  const { authorization = '' } = callers.headersOf(role)
  // A second factor, so that removing it does not change the caller's state.
  return addFactor(callers.server.database, claimsOf({ authorization }).sub)
}

async function answered(
  { route, query = '', body }: AuthCall,
  headers: Record<string, string>,
  app = callers.server.app,
  factorId: string = randomUUID(),
): Promise<string> {
  const [method = '', path = ''] = route.split(' ')
  const named = path.replace(':factorId', factorId).replaceAll(/:\w+/g, randomUUID())
  const reply = await app.inject({
    method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).parse(method),
    url: `/auth/v1${named}?${query}`,
    headers,
    ...(body && { payload: body }),
  })
  const isJson = String(reply.headers['content-type']).includes('json')
  const error = ErrorAnswer.safeParse(reply.statusCode >= 400 && isJson ? reply.json() : undefined)
  if (!error.success) return reply.statusCode < 500 ? 'let in' : String(reply.statusCode)
  const { error_code: code } = error.data
  return failures.includes(code) ? `${reply.statusCode} ${code}` : 'let in'
}

const withKey: [KeyCaller, Record<string, string>][] = [
  ['a server with the key', {}],
  ['a browser with the key', { origin: 'http://localhost:3000' }],
]

describe('who may call /auth/v1', () => {
  it('is asked of every route there is', () => {
    const served = routesOf(callers.server.app, '/auth/v1/').filter(
      (route) => !route.startsWith('HEAD '),
    )
    const asked = authCalls.map(({ route }) => route.replace(' ', ' /auth/v1'))
    expect(served).toEqual([...new Set(asked)].toSorted())
  })

  it.each(authCallNames)(
    '%s: each role gets the outcome of its access rule',
    async (_name, call) => {
      const isRemoval = call.route === 'DELETE /factors/:factorId'
      const found: Record<string, string> = {}
      const expected: Record<string, string> = {}
      for (const role of roleNames) {
        const factor = await factorOf(role, isRemoval)
        const headers = callers.headersOf(role)
        found[role] = await answered(call, { ...headers }, callers.appOf(role), factor)
        expected[role] = authOutcome(call, roles[role])
      }
      for (const [who, headers] of withKey) {
        const authorization = `Bearer ${adminKey}`
        found[who] = await answered(call, { authorization, ...headers })
        expected[who] = authOutcome(call, who)
      }
      expect(found).toEqual(expected)
    },
  )

  it('is over for each of them with the logout', async () => {
    const user: AuthCall = { route: 'GET /user', needs: 'a session' }
    for (const role of roleNames.filter((each) => roles[each].shows === 'session')) {
      const found = await answered(user, { ...callers.headersOf(role) }, callers.appOf(role))
      expect([role, found]).toEqual([role, '403 session_not_found'])
    }
  })
})
