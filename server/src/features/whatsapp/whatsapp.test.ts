import { exchangeFacebookToken, type WhatsAppState } from '@bancone/contract/whatsapp'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { capturedLog } from '../../../test/captured-log.ts'
import { type MetaServer, metaApplication, metaServer } from '../../../test/meta-server.ts'
import { testApp } from '../../../test/server.ts'
import { silentLog } from '../../../test/silent-log.ts'

type Headers = { authorization: string }

const { lines, log } = capturedLog('trace')
let server: MetaServer
let owner: Headers
let pharmacyId: string

beforeAll(async () => {
  server = await metaServer({}, log)
})

beforeEach(async () => {
  server.meta.fail({ mode: 'ok' })
  server.meta.restore()
  server.clock.now = Date.now()
  await server.database.pool.query('delete from whatsapp_connections')
  const { number } = server.meta.accounts
  Object.assign(number.numbers[0] ?? {}, {
    status: 'PENDING',
    platform_type: 'NOT_APPLICABLE',
    throughput: { level: 'NOT_APPLICABLE' },
    name_status: 'APPROVED',
    pin: null,
  })
  Object.assign(number, { isSubscribed: false, callback: null })
  ;({ headers: owner, id: pharmacyId } = await server.newPharmacy())
})

const exchange = (body: object, headers = owner) =>
  server.call('POST', exchangeFacebookToken.path, headers, body)
const check = (headers = owner) => server.call('POST', '/api/whatsapp/checks', headers)
const disconnect = (headers = owner) => server.call('DELETE', '/api/whatsapp', headers)
const code = (name: keyof MetaServer['meta']['accounts'] = 'number', scopes?: string[]) =>
  server.meta.newCode(server.meta.accounts[name].id, scopes)

async function stored() {
  const { rows } = await server.database.pool.query<Record<string, unknown>>(
    'select * from whatsapp_connections where pharmacy_id = $1',
    [pharmacyId],
  )
  return rows[0]
}

async function mailsTo(address: string) {
  const { rows } = await server.database.pool.query<{ payload: { pharmacyId: string } }>(
    `select payload from graphile_worker._private_jobs as job
     join graphile_worker._private_tasks as task on task.id = job.task_id
     where task.identifier = 'whatsapp.mail'`,
  )
  return rows.filter(({ payload }) => payload.pharmacyId === address).map(({ payload }) => payload)
}

describe('a number', () => {
  it('is connected by the code alone, as the specification says', async () => {
    const reply = await server.app.inject({
      method: 'POST',
      url: '/api/facebook-token-exchange',
      headers: owner,
      payload: { code: code() },
    })
    const { user, connection } = exchangeFacebookToken.response.parse(reply.json())
    const { id } = server.meta.accounts.number
    expect(user).toEqual({
      name: 'Farmacia San Marco',
      accounts: { data: [{ id, name: 'Farmacia San Marco' }] },
    })
    expect(connection).toMatchObject({
      state: 'connected',
      wabaId: id,
      displayPhoneNumber: '+39 041 520 1234',
      quality: 'GREEN',
      isSubscribed: true,
      problem: null,
    })
    expect(server.meta.accounts.number.callback).toEqual({
      url: 'http://localhost:3000/webhooks/whatsapp',
      verifyToken: metaApplication.verifyToken,
    })
    expect(server.meta.accounts.number.numbers[0]?.pin).toMatch(/^\d{6}$/)
  })

  it.each<[keyof MetaServer['meta']['accounts'], WhatsAppState, string | null]>([
    ['empty', 'pending_number', null],
    ['unverified', 'pending_number', 'registration unverified'],
    ['review', 'in_review', null],
    ['businessApp', 'connected', null],
  ])('of the account "%s" is %s', async (name, state, problem) => {
    const { numbers } = server.meta.accounts[name]
    const { body } = await exchange({ code: code(name) })
    const { connection } = body
    expect(connection?.state).toBe(state)
    const { step, kind } = connection?.problem ?? {}
    expect(step ? `${step} ${kind}` : null).toBe(problem)
    // A number of the Business app is never registered: it would leave the app.
    if (name === 'businessApp') expect(numbers[0]?.pin).toBeNull()
  })

  it('is found in whichever authorized account has it, when the window tells the number alone', async () => {
    const { number, other } = server.meta.accounts
    const both = server.meta.newCode(number.id, undefined, [other.id])
    const { body } = await exchange({ code: both, phoneNumberId: number.numbers[0]?.id })
    expect(body.connection).toMatchObject({ wabaId: number.id, state: 'connected' })
  })

  it('that comes later is found by the next check', async () => {
    const { empty, other } = server.meta.accounts
    await exchange({ code: code('empty') })
    empty.numbers.push(...structuredClone(other.numbers))
    const { body } = await check()
    empty.numbers.pop()
    expect(body.connection).toMatchObject({
      state: 'connected',
      phoneNumberId: other.numbers[0]?.id,
    })
  })

  it.each([
    ['a code that was used', () => exchange({ code: 'AQused' }), 'whatsapp.exchange_failed'],
    [
      'a code without the permissions',
      () => exchange({ code: code('number', ['public_profile']) }),
      'whatsapp.permissions_missing',
    ],
    [
      'an account that was not chosen',
      () => exchange({ code: code(), wabaId: '999' }),
      'whatsapp.account_unreadable',
    ],
    [
      'a number of another account',
      () => exchange({ code: code(), phoneNumberId: '200000000000002' }),
      'whatsapp.numbers_unreadable',
    ],
  ])('is not connected with %s', async (_what, ask, error) => {
    const { body } = await ask()
    expect(body.code).toBe(error)
    if (error === 'whatsapp.exchange_failed')
      expect(body.error).toBe('Errore nello scambio del token')
    expect(await stored()).toBeUndefined()
  })

  it('of another pharmacy cannot be connected, and is not shown', async () => {
    await server.connect(owner)
    const other = await server.newPharmacy()
    const { body } = await exchange({ code: code() }, other.headers)
    expect(body.code).toBe('whatsapp.number_taken')
    expect(await server.connection(other.headers)).toBeNull()
    expect((await check(other.headers)).body.code).toBe('whatsapp.not_connected')
    expect((await disconnect(other.headers)).body.code).toBe('whatsapp.not_connected')
    expect((await server.connection(owner))?.state).toBe('connected')
  })

  it('is connected again only if it is the same, until it is disconnected', async () => {
    const { pin } = (await server.connect(owner), server.meta.accounts.number.numbers[0] ?? {})
    expect((await exchange({ code: code('other') })).body.code).toBe('whatsapp.other_number')
    // Registered anew at Meta, it needs the PIN that it got first.
    Object.assign(server.meta.accounts.number.numbers[0] ?? {}, { platform_type: 'NOT_APPLICABLE' })
    expect(await server.connect(owner)).toMatchObject({ state: 'connected', problem: null })
    expect(server.meta.accounts.number.numbers[0]?.pin).toBe(pin)
    await disconnect()
    expect((await exchange({ code: code('other') })).body.connection?.state).toBe('connected')
  })

  it('with a PIN of its own says so', async () => {
    Object.assign(server.meta.accounts.number.numbers[0] ?? {}, { pin: 'other' })
    const { problem, state } = await server.connect(owner)
    expect([state, problem]).toEqual(['pending_number', { step: 'registration', kind: 'pin' }])
  })

  it('is connected by hand with a token', async () => {
    const { id, numbers } = server.meta.accounts.number
    const ids = { wabaId: id, phoneNumberId: numbers[0]?.id }
    const manual = (token: string) =>
      server.call('POST', '/api/whatsapp/manual-connection', owner, { token, ...ids })
    expect((await manual('EAAthis-is-no-token-of-meta')).body.code).toBe('whatsapp.token_refused')
    expect((await manual(server.meta.newToken(id))).body.connection?.state).toBe('connected')
  })
})

describe('a check', () => {
  it.each<[string, number, string, WhatsAppState]>([
    ['GET /debug_token', 2, 'authorization unreachable', 'connected'],
    ['GET /100000000000001', 200, 'account permission', 'needs_reauth'],
    ['GET /200000000000001', 368, 'health restricted', 'restricted'],
    ['subscribed_apps', 2200, 'subscription callback', 'connected'],
    ['subscribed_apps', 190, 'subscription expired', 'needs_reauth'],
  ])('names the step that failed: %s with %i', async (of, graphCode, problem, state) => {
    await server.connect(owner)
    server.meta.fail({ mode: 'graph', of, code: graphCode })
    const { connection } = (await check()).body
    const { step, kind } = connection?.problem ?? {}
    expect([`${step} ${kind}`, connection?.state]).toEqual([problem, state])
  })

  it('completes what a failure of Meta has left', async () => {
    server.meta.fail({ mode: 'status', of: 'subscribed_apps' })
    const { state, problem } = await server.connect(owner)
    expect([state, problem]).toEqual([
      'pending_number',
      { step: 'subscription', kind: 'unreachable' },
    ])
    server.meta.fail({ mode: 'ok' })
    expect((await check()).body.connection).toMatchObject({ state: 'connected', problem: null })
  })

  it('finds an invalid token, tells the pharmacy once, and ends with a new login', async () => {
    await server.connect(owner)
    server.meta.revoke('*')
    expect((await check()).body.connection).toMatchObject({
      state: 'needs_reauth',
      problem: { step: 'authorization', kind: 'expired' },
    })
    await check()
    expect(await mailsTo(pharmacyId)).toHaveLength(1)
    server.meta.restore()
    expect((await server.connect(owner)).state).toBe('connected')
  })

  it('does not undo what happened while it ran', async () => {
    await server.connect(owner)
    server.meta.fail({ mode: 'slow', of: 'debug_token', times: 1 })
    const checking = check()
    await expect.poll(() => server.meta.requests.at(-1)).toBe('GET /debug_token')
    await disconnect()
    await checking
    expect((await stored())?.['state']).toBe('disconnected')
  })

  it('of every day tells of the end once for 14 days before', async () => {
    server.meta.setTokenSeconds(14 * 24 * 3600 - 60)
    await server.connect(owner)
    server.meta.setTokenSeconds(0)
    for (let time = 0; time < 2; time += 1) {
      await server.runTask('whatsapp.check', { pharmacyId })
      expect((await stored())?.['expiry_told_days']).toBe(14)
    }
    expect(await mailsTo(pharmacyId)).toHaveLength(1)
  })
})

describe('a disconnected number', () => {
  it('has no token any more, and no events', async () => {
    await server.connect(owner)
    const { body } = await disconnect()
    expect(body.connection).toMatchObject({ state: 'disconnected', isSubscribed: false })
    expect(await stored()).toMatchObject({ token: null })
    expect(server.meta.accounts.number.isSubscribed).toBe(false)
    expect((await check()).body.code).toBe('whatsapp.not_connected')
  })

  it('is forgotten also when Meta cannot be told', async () => {
    await server.connect(owner)
    server.meta.fail({ mode: 'hang-up' })
    expect((await disconnect()).body.connection?.state).toBe('disconnected')
    expect(await stored()).toMatchObject({ token: null })
  })

  it('is in the audit log, as its connection is', async () => {
    await server.connect(owner)
    await disconnect()
    const { rows } = await server.database.pool.query<{ action: string }>(
      `select action from audit_events where pharmacy_id = $1 and action like 'whatsapp_%' order by id`,
      [pharmacyId],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'whatsapp_connected',
      'whatsapp_disconnected',
    ])
  })
})

describe('the token', () => {
  it('and the PIN are in no answer, no log and, in plain, in no row', async () => {
    const { id, numbers } = server.meta.accounts.number
    const token = server.meta.newToken(id)
    const body = { token, wabaId: id, phoneNumberId: numbers[0]?.id }
    const url = '/api/whatsapp/manual-connection'
    const replies = [
      await server.app.inject({ method: 'POST', url, headers: owner, payload: body }),
      await server.app.inject({ method: 'GET', url: '/api/whatsapp', headers: owner }),
    ]
    const pin = numbers[0]?.pin ?? ''
    server.meta.fail({ mode: 'graph', details: token })
    replies.push(
      await server.app.inject({ method: 'POST', url, headers: owner, payload: body }),
      await server.app.inject({ method: 'POST', url: '/api/whatsapp/checks', headers: owner }),
    )
    const secret = code()
    const payload = { code: secret }
    const exchanged = { method: 'POST', url: '/api/facebook-token-exchange' } as const
    replies.push(await server.app.inject({ ...exchanged, headers: owner, payload }))
    const { rows } = await server.database.pool.query<{ kept: string }>(
      `select each::text as kept from whatsapp_connections each
       union all select each::text from audit_events each
       union all select payload::text from graphile_worker._private_jobs`,
    )
    const seen = [...replies.map((reply) => reply.body), ...lines, ...rows.map(({ kept }) => kept)]
    expect(lines.join('')).toContain('a WhatsApp number was not connected')
    for (const text of seen) {
      for (const hidden of [token, secret, metaApplication.appSecret]) {
        expect(text).not.toContain(hidden)
        expect(text).not.toContain(Buffer.from(hidden).toString('hex'))
      }
      expect(text).not.toContain(`"${pin}"`)
    }
  })

  it('of another APP_SECRET has to be given again', async () => {
    await server.connect(owner)
    await server.database.pool.query(
      "update whatsapp_connections set key_id = 'another' where pharmacy_id = $1",
      [pharmacyId],
    )
    expect((await check()).body.connection?.state).toBe('needs_reauth')
  })
})

it('without a configuration the page is told so, and nothing else is possible', async () => {
  const { app, wired } = await testApp(server.database, {}, silentLog)
  const ask = async (method: 'GET' | 'POST', url: string, payload?: object) =>
    z
      .looseObject({})
      .parse(
        (await app.inject({ method, url, headers: owner, ...(payload && { payload }) })).json(),
      )
  expect(await ask('GET', '/api/whatsapp')).toEqual({ login: null, connection: null })
  expect(await ask('POST', exchangeFacebookToken.path, { code: 'x' })).toMatchObject({
    code: 'whatsapp.not_configured',
  })
  expect((await app.inject('/webhooks/whatsapp')).statusCode).toBe(404)
  await app.close()
  await wired.close()
})
