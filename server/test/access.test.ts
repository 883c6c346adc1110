import { Feature } from '@bancone/contract/access'
import type { Endpoint } from '@bancone/contract/endpoint'
import { ErrorBody } from '@bancone/contract/errors'
import { priorityStreams } from '@bancone/contract/priority-customer'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { addCallers, type Callers, type Headers } from './access-callers.ts'
import { accessDocument } from './access-document.ts'
import { type RoleName, roleNames, roles } from './access-roles.ts'
import { describeOutcome, guardCodes, outcome } from './access-rules.ts'
import { endpoints } from './endpoints.ts'
import { routesOf } from './served-routes.ts'

let callers: Callers
beforeAll(async () => {
  callers = await addCallers()
}, 60_000)

function variantOf({ requiredQuery = {} }: Endpoint): string {
  return new URLSearchParams(requiredQuery).toString()
}

function call(
  endpoint: Endpoint,
  role: RoleName,
  headers: Headers = callers.headersOf(role),
  method: Endpoint['method'] | 'HEAD' = endpoint.method,
) {
  return callers.appOf(role).inject({
    method,
    url: `${endpoint.path.replaceAll(/:\w+/g, 'recAAAAAAAAAAAAAA')}?${variantOf(endpoint)}`,
    headers,
  })
}

/** Error codes that a caller with access never gets. */
const failures: readonly string[] = [...guardCodes, 'route.not_found', 'internal']

/** The guard's response; 'let in' for any other. */
async function answered(endpoint: Endpoint, role: RoleName): Promise<string> {
  const reply = await call(endpoint, role)
  const body = ErrorBody.safeParse(reply.statusCode < 400 ? undefined : reply.json())
  // A public resource may be missing, which has the same code.
  const ownCodes = endpoint.access === 'public' ? endpoint.errors : []
  if (!body.success || ownCodes.includes(body.data.code)) return 'let in'
  return failures.includes(body.data.code) ? `${reply.statusCode} ${body.data.code}` : 'let in'
}

const named = endpoints.map(
  (endpoint) =>
    [`${endpoint.method} ${endpoint.path} ${variantOf(endpoint)}`.trim(), endpoint] as const,
)
/** Public routes that are no endpoints, because their responses do not end. */
const streams: readonly string[] = Object.values(priorityStreams)

const guarded = named.filter(([, endpoint]) => endpoint.access !== 'public')
const ofKeys = named.filter(([, endpoint]) => endpoint.access === 'pharmacy-or-key')

describe('who may call', () => {
  it('is asked of every endpoint, each of them once', () => {
    expect(named.length).toBeGreaterThanOrEqual(60)
    expect(ofKeys.length).toBeGreaterThanOrEqual(1)
    expect(new Set(named.map(([name]) => name)).size).toBe(named.length)
  })

  it('is asked of every route there is', () => {
    const { app } = callers.server
    const served = routesOf(app, '/api/').filter((route) => !route.startsWith('HEAD '))
    const declared = endpoints.map(({ method, path }) => `${method} ${path}`)
    const isBesides = (route: string) =>
      /^GET \/api\/(docs|openapi\.json|order-images)\b/.test(route) ||
      streams.some((path) => route === `POST ${path}`)
    expect(served.filter((route) => !isBesides(route))).toEqual([...new Set(declared)].toSorted())
  })

  it.each(named)('%s: each role gets the outcome of its access rule', async (_name, endpoint) => {
    const found: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const role of roleNames) {
      found[role] = await answered(endpoint, role)
      expected[role] = describeOutcome(outcome(endpoint, roles[role]))
    }
    expect(found).toEqual(expected)
  })

  it.each(guarded.filter(([, { method }]) => method === 'GET'))(
    '%s: the same when its head alone is asked for',
    async (_name, endpoint) => {
      for (const role of roleNames) {
        const expected = outcome(endpoint, roles[role])
        const { statusCode } = await call(endpoint, role, callers.headersOf(role), 'HEAD')
        const isIn = ![401, 403].includes(statusCode)
        if (expected === 'let in') expect([role, isIn]).toEqual([role, true])
        else
          expect([role, String(statusCode)]).toEqual([role, describeOutcome(expected).slice(0, 3)])
      }
    },
  )

  it.each(guarded)('%s: refuses forged and broken tokens', async (_name, endpoint) => {
    const [head = '', , signature = ''] = String(
      callers.headersOf('staff').authorization?.slice('Bearer '.length),
    ).split('.')
    const [, otherPayload = ''] = String(
      callers.headersOf("the pharmacy's own account").authorization,
    ).split('.')
    for (const authorization of [
      '',
      'Bearer ',
      'Bearer a.b.c',
      'Basic YTpi',
      `Bearer bnc_${'x'.repeat(43)}`,
      `Bearer ${head}.${otherPayload}.${signature}`,
    ]) {
      const reply = await call(endpoint, 'visitor', { authorization })
      expect([authorization, reply.statusCode, reply.json()]).toMatchObject([
        authorization,
        401,
        { code: 'session.missing', error: 'No active session' },
      ])
    }
  })

  it('is at least one role for every endpoint, and every role for public ones alone', () => {
    for (const [name, endpoint] of named) {
      const outcomes = new Set(roleNames.map((role) => outcome(endpoint, roles[role])))
      expect([name, outcomes.has('let in')]).toEqual([name, true])
      expect([name, outcomes.size > 1]).toEqual([name, endpoint.access !== 'public'])
    }
  })

  it('meets every rule somewhere', () => {
    const met = named.flatMap(([, endpoint]) =>
      roleNames.map((role) => outcome(endpoint, roles[role])),
    )
    expect([...new Set(met)].toSorted()).toEqual(['let in', ...guardCodes].toSorted())
  })

  it('is an owner for all that is about colleagues and API keys', () => {
    const theirs = named.filter(([name]) => /^\w+ \/api\/(colleagues|api-keys)\b/.test(name))
    expect(theirs.length).toBeGreaterThanOrEqual(8)
    for (const [, { role }] of theirs) expect(role).toBe('owner')
  })

  it('is recorded with every change that administrators or owners alone may make', () => {
    const changing = endpoints.filter(
      ({ method, access, role }) => method !== 'GET' && (access === 'admin' || role === 'owner'),
    )
    expect(changing.length).toBeGreaterThanOrEqual(40)
    const unrecorded = changing.flatMap(({ method, path, audit }) =>
      typeof audit === 'string' || /^(reads$|recorded with )/.test(audit?.none ?? '')
        ? []
        : [`${method} ${path}`],
    )
    expect(unrecorded).toEqual([])
  })

  it('is a pharmacy with the feature for all that is about offers', () => {
    const theirs = named.filter(([name]) => /^\w+ \/api\/offers\b/.test(name))
    expect(theirs.length).toBeGreaterThanOrEqual(6)
    for (const [, { feature }] of theirs) expect(feature).toBe('offers')
  })

  it.each(ofKeys)('%s: then looks at what was sent', async (_name, endpoint) => {
    for (const role of ['API key', 'staff'] as const) {
      const reply = await call(endpoint, role)
      expect([reply.statusCode, reply.json()]).toMatchObject([400, { code: 'request.invalid' }])
    }
  })

  it('is told in the words that older pages know', async () => {
    const url = '/api/airtable-orders'
    for (const [role, error] of [
      ['visitor', 'No active session'],
      ['a user without a pharmacy', 'Could not find pharmacy information'],
    ] as const) {
      const reply = await callers.server.app.inject({ url, headers: callers.headersOf(role) })
      expect(reply.json()).toMatchObject({ error })
    }
  })

  it('lets the endpoints see the user of the session', async () => {
    const ask = async (role: RoleName, url: string) => {
      const reply = await callers.appOf(role).inject({ url, headers: callers.headersOf(role) })
      return reply.json<object>()
    }
    const id = expect.stringMatching(/^person-\d+@example\.it$/) as string
    expect(await ask('administrator with a pharmacy', '/api/administrator')).toMatchObject({
      email: id,
    })
    for (const [role, pharmacyCode, what] of [
      ["the pharmacy's own account", 'PHARM-own', 'owner'],
      ['another owner', 'PHARM-own', 'owner'],
      ['an owner whose second factor was shown', 'PHARM-own', 'owner'],
      ['staff', 'PHARM-own', 'staff'],
      ['staff of another pharmacy, without features', 'PHARM-bare', 'staff'],
    ] as const) {
      expect(await ask(role, '/api/pharmacy')).toMatchObject({ pharmacyCode, role: what })
    }
  })
})

describe('a feature that is off', () => {
  const needed = [...new Set(endpoints.flatMap(({ feature }) => feature ?? []))]

  it.each(needed)('closes every endpoint of %s, with all other features on', async (feature) => {
    const role = 'the own account of another pharmacy, without features'
    const { database, sessions } = callers.server
    const grant = async (features: readonly string[]) => {
      await database.pool.query(
        "update pharmacies set features_enabled = $1 where pharmacy_id = 'PHARM-bare'",
        [JSON.stringify(features)],
      )
      sessions.invalidate()
    }
    onTestFinished(() => grant([]))
    await grant(Feature.options.filter((id) => id !== feature))
    for (const [name, endpoint] of named.filter(([, each]) => each.feature === feature)) {
      expect([name, await answered(endpoint, role)]).toEqual([name, '403 access.denied'])
    }
  })
})

describe('the document of it', () => {
  // Update it with `npx vitest run --project server access.test -u`.
  it('is up to date', async () => {
    await expect(accessDocument(endpoints)).toMatchFileSnapshot('../../docs/access.md')
  })
})
