import type { AddressInfo } from 'node:net'
import { listAllOrders } from '@bancone/contract/orders'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addCallers, type Callers } from './access-callers.ts'
import { type RoleName, roleNames, roles } from './access-roles.ts'
import { type CallerState, outcome } from './access-rules.ts'
import { until } from './realtime/clients.ts'
import { rawSocket } from './realtime/sockets.ts'

let callers: Callers
let topic: string
let file: string
const ports = new Map<RoleName, number>()

beforeAll(async () => {
  callers = await addCallers()
  topic = `pharmacy:${callers.pharmacyId}`
  file = `${callers.pharmacyId}/theirs.txt`
  for (const role of roleNames) {
    const { server } = callers.appOf(role)
    if (!server.listening) await callers.appOf(role).listen({ port: 0, host: '127.0.0.1' })
    ports.set(role, (server.address() as AddressInfo).port)
  }
  await send(
    "the pharmacy's own account",
    'POST',
    `/storage/v1/object/pharmacies/${file}`,
    'theirs',
  )
}, 60_000)

const tokenOf = (role: RoleName) =>
  callers.headersOf(role).authorization?.replace('Bearer ', '') ?? null

function send(
  role: RoleName,
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  payload?: string | object,
) {
  const headers = {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    ...callers.headersOf(role),
    ...(typeof payload === 'string' && { 'content-type': 'text/plain', 'x-upsert': 'true' }),
  }
  return callers
    .appOf(role)
    .inject({ method, url, headers, ...(payload !== undefined && { payload }) })
}

/** Whether the caller belongs to the pharmacy under test. */
function isAtHome(standing: CallerState): boolean {
  const { shows, worksAt } = standing
  const isIn = shows === 'session' && outcome(getOwnPharmacy, standing) === 'let in'
  return isIn && worksAt?.hasFeatures === true
}

const isAdministrator = (standing: CallerState) =>
  Boolean(standing.isAdmin) && outcome(listAllOrders, standing) === 'let in'

/** Compares every role's result with the expected one. */
async function expectOfEach(
  ask: (role: RoleName) => Promise<boolean>,
  expected: (standing: CallerState) => boolean,
) {
  const found: Record<string, boolean> = {}
  for (const role of roleNames) found[role] = await ask(role)
  expect(found).toEqual(Object.fromEntries(roleNames.map((role) => [role, expected(roles[role])])))
  expect(new Set(Object.values(found)).size).toBe(2)
}

const Reply = z.tuple([
  z.unknown(),
  z.unknown(),
  z.string(),
  z.literal('phx_reply'),
  z.object({ status: z.string() }),
])

describe('the line of a pharmacy', () => {
  it('is joined by those who are let in there, with the token in the join', () =>
    expectOfEach(async (role) => {
      const socket = await rawSocket({ port: ports.get(role) ?? 0, origin: '' })
      const config = { private: true, presence: { enabled: false } }
      socket.send([
        '1',
        '1',
        `realtime:${topic}`,
        'phx_join',
        { config, access_token: tokenOf(role) },
      ])
      await until(() => socket.frames.length > 0, 'an answer')
      return Reply.parse(socket.frames[0])[4].status === 'ok'
    }, isAtHome))

  it('is told something by those who are let in there', () =>
    expectOfEach(async (role) => {
      const messages = [{ topic, event: 'news', payload: {}, private: true }]
      const reply = await send(role, 'POST', '/realtime/v1/api/broadcast', { messages })
      return reply.statusCode === 202
    }, isAtHome))
})

describe('the folder of a pharmacy', () => {
  const canReach = (standing: CallerState) => isAtHome(standing) || isAdministrator(standing)

  it('is read by those who are let in there, and by administrators', () =>
    expectOfEach(async (role) => {
      const reply = await send(role, 'GET', `/storage/v1/object/pharmacies/${file}`)
      return reply.statusCode === 200 && reply.body === 'theirs'
    }, canReach))

  it('is written by the same', () =>
    expectOfEach(async (role) => {
      const reply = await send(role, 'POST', `/storage/v1/object/pharmacies/${file}`, 'theirs')
      return reply.statusCode === 200
    }, canReach))

  it('is listed by the same', () =>
    expectOfEach(async (role) => {
      const wish = { prefix: `${callers.pharmacyId}/` }
      const reply = await send(role, 'POST', '/storage/v1/object/list/pharmacies', wish)
      return reply.body.includes('theirs.txt')
    }, canReach))

  it('is led into by links of the same', () =>
    expectOfEach(async (role) => {
      const wish = { expiresIn: 60 }
      const reply = await send(role, 'POST', `/storage/v1/object/sign/pharmacies/${file}`, wish)
      if (reply.statusCode !== 200) return false
      const { signedURL } = z.object({ signedURL: z.string() }).parse(reply.json())
      const opened = await send('visitor', 'GET', `/storage/v1${signedURL}`)
      return opened.body === 'theirs'
    }, canReach))

  it('has buckets that administrators alone make', () =>
    expectOfEach(async (role) => {
      const name = `bucket-${roleNames.indexOf(role)}`
      const reply = await send(role, 'POST', '/storage/v1/bucket', {
        name,
        id: name,
        public: false,
      })
      return reply.statusCode === 200
    }, isAdministrator))
})
