import { randomUUID } from 'node:crypto'
import {
  CustomerPrioritySession,
  PriorityDisplayState,
  priorityStreams,
} from '@bancone/contract/priority-customer'
import { beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { type PriorityServer, priorityServer } from '../../../../test/priority-server.ts'
import { newToken } from '../priority-links.store.ts'

let server: PriorityServer
let pharmacyId: string
let code: string
let url: string

beforeAll(async () => {
  server = await priorityServer()
  ;({ id: pharmacyId, code } = await server.newPharmacy())
  url = await server.app.listen({ port: 0, host: '127.0.0.1' })
})

beforeEach(async () => {
  for (const table of ['priority_access_sessions', 'priority_counters', 'rate_limits'])
    await sql(`delete from ${table}`)
})

const sql: PriorityServer['query'] = (text, values) => server.query(text, values)

async function addSession() {
  const id = await server.session(pharmacyId, 'user_arrived')
  return { id, token: await server.link(pharmacyId, id) }
}

/** Opens a stream. `next` waits for the next event, or for the end: undefined. */
async function stream(path: string, body: object) {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const reply = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: leaving.signal,
  })
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<string | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const event = text.slice(0, end)
        text = text.slice(end + 2)
        return event
      }
      const read = await reader?.read()
      if (!read || read.done) return undefined
      text += read.value
    }
  }
  return { reply, next, leave: () => leaving.abort() }
}

const sessionStream = (token: string) =>
  stream(priorityStreams.session, { pharmacyCode: code, token })

const stateOf = (event = '') => {
  const [id = '', data = ''] = event.split('\ndata: ')
  return { id, session: CustomerPrioritySession.parse(JSON.parse(data)) }
}

const call = (id: string) =>
  sql(
    `update priority_access_sessions
     set status = 'called', called_at = now(), called_by = 'Banco 2', version = version + 1 where id = $1`,
    [id],
  )

async function codeOf(id: string): Promise<string> {
  const [row] = await sql<{ code: string }>(
    'select code from priority_access_sessions where id = $1',
    [id],
  )
  expect(row?.code).toMatch(/^\d{3}$/)
  return row?.code ?? ''
}

it('a stream has the state at once, and every change of it', async () => {
  const { id, token } = await addSession()
  const { reply, next } = await sessionStream(token)
  expect(reply.headers.get('content-type')).toContain('text/event-stream')
  expect(reply.headers.get('cache-control')).toBe('no-store')
  expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
  const first = await next()
  expect(first).not.toMatch(/Maria|333/)
  expect(stateOf(first)).toMatchObject({
    id: 'id: 1',
    session: { status: 'user_arrived', ahead: 0 },
  })
  await call(id)
  expect(stateOf(await next())).toMatchObject({
    id: 'id: 2',
    session: { status: 'called', calledBy: 'Banco 2' },
  })
})

it('the promise changes when the last counter has gone', async () => {
  const { token } = await addSession()
  await sql(
    `insert into priority_counters (pharmacy_id, device_id, seen_at) values ($1, $2, now() - interval '59 seconds')`,
    [pharmacyId, randomUUID()],
  )
  const { next } = await sessionStream(token)
  expect(stateOf(await next()).session.isAttended).toBe(true)
  expect(stateOf(await next()).session.isAttended).toBe(false)
})

it('the oldest of four streams of a token ends, and one that is left is forgotten', async () => {
  const { id, token } = await addSession()
  const oldest = await sessionStream(token)
  await oldest.next()
  const others = [
    await sessionStream(token),
    await sessionStream(token),
    await sessionStream(token),
  ]
  expect(await oldest.next()).toBe('retry: 60000')
  expect(await oldest.next()).toBeUndefined()
  for (const { next } of others) await next()
  others[0]?.leave()
  await call(id)
  expect(stateOf(await others[2]?.next()).session.status).toBe('called')
})

it('a stream needs a token, and ends with its pharmacy', async () => {
  const { token } = await addSession()
  const unknown = await sessionStream(newToken().token)
  expect(unknown.reply.status).toBe(404)
  const { next } = await sessionStream(token)
  await next()
  await sql('update pharmacies set is_active = false where id = $1', [pharmacyId])
  onTestFinished(async () => {
    await sql('update pharmacies set is_active = true where id = $1', [pharmacyId])
  })
  expect(await next()).toMatch(/^retry: /)
  expect(await next()).toBeUndefined()
})

it('a display shows codes and desks, and ends when it is removed', async () => {
  const { id } = await addSession()
  await addSession()
  const { token, hash } = newToken()
  await sql('insert into priority_displays (pharmacy_id, name, token_hash) values ($1, $2, $3)', [
    pharmacyId,
    'Sala',
    hash,
  ])
  const { next } = await stream(priorityStreams.display, { token })
  const stateOfDisplay = async () =>
    PriorityDisplayState.parse(JSON.parse((await next())?.replace('data: ', '') ?? ''))
  expect(await stateOfDisplay()).toMatchObject({ called: [], waiting: 2 })
  await call(id)
  expect(await stateOfDisplay()).toMatchObject({
    called: [{ code: await codeOf(id), desk: 'Banco 2' }],
    waiting: 1,
  })
  await sql('delete from priority_displays')
  await addSession()
  expect(await next()).toMatch(/^retry: /)
})

it('streams end when the server stops, and are asked to come again', async () => {
  const { token } = await addSession()
  const { next } = await sessionStream(token)
  await next()
  await server.app.close()
  expect(await next()).toMatch(/^retry: \d+$/)
  expect(await next()).toBeUndefined()
})
