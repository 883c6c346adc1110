import { dayOf } from '@bancone/contract/dates'
import { ErrorBody } from '@bancone/contract/errors'
import {
  initialPrioritySettings,
  PriorityBoard,
  PriorityDisplay,
  PrioritySession,
  type PriorityStatus,
} from '@bancone/contract/priority'
import { PriorityReport } from '@bancone/contract/priority-report'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { atEnd } from '../../../test/at-end.ts'
import { type PriorityServer, priorityServer } from '../../../test/priority-server.ts'
import { testApp } from '../../../test/server.ts'
import { silentLog } from '../../../test/silent-log.ts'
import { tokenHash } from './priority-links.store.ts'

type Headers = { authorization: string }

let server: PriorityServer
/** Another process on the same database. */
let other: FastifyInstance
let pharmacyId: string
let headers: Headers

beforeAll(async () => {
  server = await priorityServer()
  const there = await testApp(server.database, {}, silentLog)
  atEnd(async () => {
    await there.app.close()
    await there.wired.close()
  })
  other = there.app
})

beforeEach(async () => {
  ;({ id: pharmacyId, headers } = await server.newPharmacy())
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

function ask(method: Method, path: string, payload?: object, app = server.app, by = headers) {
  return app.inject({
    method,
    url: `/api/priority${path}`,
    headers: by,
    ...(payload && { payload }),
  })
}

const query: PriorityServer['query'] = (text, values) => server.query(text, values)
const session = (status: PriorityStatus, columns?: Record<string, string>) =>
  server.session(pharmacyId, status, columns)

async function versionOf(id: string): Promise<number> {
  const [row] = await query<{ version: number }>(
    'select status_version as version from priority_access_sessions where id = $1',
    [id],
  )
  return row?.version ?? 1
}

async function move(
  id: string,
  from: PriorityStatus,
  to: PriorityStatus,
  desk: string | null = null,
) {
  return ask('POST', `/sessions/${id}/status`, { from, to, version: await versionOf(id), desk })
}

async function moved(id: string, from: PriorityStatus, to: PriorityStatus, desk?: string) {
  const reply = await move(id, from, to, desk)
  expect(reply.statusCode, reply.body).toBe(200)
  return PrioritySession.parse(reply.json())
}

const board = async () => PriorityBoard.parse((await ask('GET', '/board')).json())

const codeOf = (reply: { json(): unknown }) => ErrorBody.parse(reply.json()).code

describe('a customer', () => {
  it('who is called by two desks at the same time is called by one of them', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => session('user_arrived')))
    const call = (id: string, desk: string, app: FastifyInstance) =>
      ask(
        'POST',
        `/sessions/${id}/status`,
        { from: 'user_arrived', to: 'called', version: 1, desk },
        app,
      )
    for (const id of ids) {
      const pair = await Promise.all([call(id, 'Banco 1', server.app), call(id, 'Banco 2', other)])
      const [winner, loser] = pair.toSorted((a, b) => a.statusCode - b.statusCode)
      const { calledBy } = PrioritySession.parse(winner?.json())
      expect(loser?.json()).toMatchObject({
        code: 'priority.changed_meanwhile',
        error: `Chiamato da ${calledBy}`,
        details: { status: 'called', desk: calledBy },
      })
    }
    const events = await query<{ events: number }>(
      `select count(*)::int as events from priority_events
       where to_status = 'called' and session_id = any($1) group by session_id`,
      [ids],
    )
    expect(events).toEqual(ids.map(() => ({ events: 1 })))
  })

  it('whose call is taken back waits where they were, and can be called again', async () => {
    const id = await session('user_arrived', { arrived_at: "now() - interval '7 minutes'" })
    const { arrivedAt } = await moved(id, 'user_arrived', 'called', 'Banco 1')
    const undone = await moved(id, 'called', 'user_arrived')
    expect(undone).toMatchObject({ arrivedAt, calledAt: null, calledBy: null })
    await moved(id, 'user_arrived', 'called', 'Banco 2')
    expect((await board()).completed).toMatchObject([{ id, status: 'called', calledBy: 'Banco 2' }])
    const events = await query(
      'select from_status, to_status, source, user_id, desk from priority_events where session_id = $1 order by id',
      [id],
    )
    const by = { source: 'person', user_id: pharmacyId }
    expect(events.slice(1)).toEqual([
      { ...by, from_status: 'user_arrived', to_status: 'called', desk: 'Banco 1' },
      { ...by, from_status: 'called', to_status: 'user_arrived', desk: null },
      { ...by, from_status: 'user_arrived', to_status: 'called', desk: 'Banco 2' },
    ])
  })

  it('who is not there is sent back to wait, and the third time not expected any more', async () => {
    const id = await session('user_arrived', { place: "'In auto'", acknowledged_at: 'now()' })
    for (const time of [1, 2]) {
      expect(await moved(id, 'user_arrived', 'link_sent')).toMatchObject({
        status: 'link_sent',
        timesNotPresent: time,
        arrivedAt: null,
        acknowledgedAt: null,
        place: null,
      })
      const [row] = await query<{ seconds: number }>(
        `update priority_access_sessions set status = 'user_arrived', arrived_at = now() where id = $1
         returning extract(epoch from cools_until - now())::int as seconds`,
        [id],
      )
      expect(row?.seconds).toBeGreaterThan(170)
      expect(row?.seconds).toBeLessThanOrEqual(180)
    }
    await moved(id, 'user_arrived', 'called')
    const { status, endedAt, arrivedAt } = await moved(id, 'called', 'link_sent')
    expect([status, typeof endedAt, typeof arrivedAt]).toEqual(['no_show', 'string', 'string'])
  })

  it.each([
    ['link_sent', 'called'],
    ['served', 'called'],
    ['expired', 'link_sent'],
  ] as const)('is not moved from %s to %s', async (from, to) => {
    const reply = await move(await session(from), from, to)
    expect([reply.statusCode, codeOf(reply)]).toEqual([409, 'priority.no_such_change'])
  })

  it('whose link is past its time has expired before a job says so', async () => {
    const id = await session('on_the_way', { expires_at: 'now()' })
    expect((await board()).onTheWay).toEqual([])
    const reply = await move(id, 'on_the_way', 'cancelled')
    expect(reply.json()).toMatchObject({
      code: 'priority.changed_meanwhile',
      details: { status: 'expired' },
    })
  })

  it('of another pharmacy is neither seen nor moved', async () => {
    const id = await session('user_arrived')
    ;({ headers } = await server.newPharmacy())
    expect(await board()).toMatchObject({ waiting: [], completed: [] })
    const undo = ask('POST', `/sessions/${id}/undo`, { version: 1 })
    for (const reply of [await move(id, 'user_arrived', 'called'), await undo]) {
      expect([reply.statusCode, codeOf(reply)]).toEqual([404, 'priority.not_found'])
    }
    await ask('POST', '/acknowledgements', { prioritySessionIds: [id] })
    expect(
      await query('select status, acknowledged_at from priority_access_sessions where id = $1', [
        id,
      ]),
    ).toEqual([{ status: 'user_arrived', acknowledged_at: null }])
  })
})

describe('the board', () => {
  it('has those who wait in the order of arrival, and those called today, newest first', async () => {
    const second = await session('user_arrived', { arrived_at: "now() - interval '1 minute'" })
    const first = await session('user_arrived', { arrived_at: "now() - interval '9 minutes'" })
    const coming = await session('on_the_way')
    await session('link_sent')
    await session('called', { called_at: "now() - interval '2 days'" })
    const called = await session('called', { called_at: "now() - interval '1 second'" })
    const served = await session('served', { called_at: 'now()' })
    const ids = (sessions: PrioritySession[]) => sessions.map(({ id }) => id)
    const { waiting, onTheWay, completed, lateMinutes } = await board()
    expect([ids(waiting), ids(onTheWay), ids(completed), lateMinutes]).toEqual([
      [first, second],
      [coming],
      [served, called],
      10,
    ])
  })

  it('says on every screen that an arrival was noted, once', async () => {
    const id = await session('user_arrived')
    const noted = async () => (await board()).waiting[0]?.acknowledgedAt
    expect(await noted()).toBeNull()
    await ask('POST', '/acknowledgements', { prioritySessionIds: [id] })
    const at = await noted()
    expect(at).toEqual(expect.any(String))
    await ask('POST', '/acknowledgements', { prioritySessionIds: [id] })
    expect(await noted()).toBe(at)
  })
})

describe('an open screen', () => {
  it('is noted with its desk, and not written again within seconds', async () => {
    const deviceId = crypto.randomUUID()
    const seen = () =>
      query<{ desk: string; at: string; row: string }>(
        'select desk, seen_at as at, xmin::text as row from priority_counters where pharmacy_id = $1',
        [pharmacyId],
      )
    const report = (desk: string | null) => ask('POST', '/presence', { deviceId, desk })
    await report('Banco 1')
    const [first] = await seen()
    await report('Banco 1')
    expect(await seen()).toEqual([first])
    await report('Banco 2')
    expect(await seen()).toMatchObject([{ desk: 'Banco 2' }])
    await query("update priority_counters set seen_at = now() - interval '11 seconds'")
    await report('Banco 2')
    const [row] = await query<{ isRecent: boolean }>(
      `select seen_at > now() - interval '5 seconds' as "isRecent" from priority_counters where pharmacy_id = $1`,
      [pharmacyId],
    )
    expect(row?.isRecent).toBe(true)
  })
})

describe('the settings', () => {
  it('are the initial ones until an owner changes them, which is recorded', async () => {
    expect((await ask('GET', '/settings')).json()).toEqual(initialPrioritySettings)
    const settings = {
      linkDays: 3,
      issueOnStatus: 'Confermato',
      lateMinutes: 5,
      message: 'Vieni: {link}',
    }
    expect((await ask('PUT', '/settings', settings)).json()).toEqual(settings)
    expect((await ask('GET', '/settings')).json()).toEqual(settings)
    expect(
      await query(
        "select changes -> 'linkDays' as days from audit_events where pharmacy_id = $1 and action = 'priority_settings_changed'",
        [pharmacyId],
      ),
    ).toEqual([{ days: { before: 7, after: 3 } }])
  })

  it('need the link in the message', async () => {
    const settings = { ...initialPrioritySettings, message: 'Vieni quando vuoi' }
    expect((await ask('PUT', '/settings', settings)).statusCode).toBe(400)
  })
})

describe('the report', () => {
  /** A session that arrived at a minute of the clock in Rome, and was called so many seconds later. */
  const arrival = (at: string, wait: number | null, status: PriorityStatus = 'served') =>
    session(status, {
      arrived_at: at,
      ...(wait !== null && { called_at: `${at} + interval '${wait} seconds'` }),
    })
  const report = async (dal: string, al: string) =>
    PriorityReport.parse((await ask('GET', `/report?dal=${dal}&al=${al}`)).json())

  it('has the days and hours of Rome, also where a day has 23 or 25 hours', async () => {
    // 2026-03-29 begins at 23:00 UTC and ends at 22:00; 2026-10-25 begins at 22:00 UTC and ends at 23:00.
    await arrival("'2026-03-28T22:59:59Z'::timestamptz", 10)
    await arrival("'2026-03-28T23:00:00Z'::timestamptz", 60)
    await arrival("'2026-03-29T01:30:00Z'::timestamptz", 120)
    await arrival("'2026-03-29T21:59:59Z'::timestamptz", null, 'no_show')
    await arrival("'2026-03-29T22:00:00Z'::timestamptz", 10)
    for (const hour of ['00', '01']) {
      await arrival(`'2026-10-25T${hour}:30:00Z'::timestamptz`, 100)
    }
    await arrival("'2026-10-25T22:30:00Z'::timestamptz", 100)
    const spring = await report('2026-03-29', '2026-03-29')
    const at = ({ hours }: PriorityReport) =>
      hours.flatMap(({ hour, arrivals }) => (arrivals > 0 ? [[hour, arrivals]] : []))
    expect(spring).toMatchObject({
      arrivals: 3,
      called: 2,
      noShows: 1,
      medianWait: 90,
      p90Wait: 114,
    })
    expect(at(spring)).toEqual([
      [0, 1],
      [3, 1],
      [23, 1],
    ])
    expect(spring.hours).toHaveLength(24)
    const autumn = await report('2026-10-25', '2026-10-25')
    expect(at(autumn)).toEqual([
      [2, 2],
      [23, 1],
    ])
    expect(await report('2026-01-01', '2026-01-31')).toMatchObject({
      arrivals: 0,
      medianWait: null,
    })
  })

  it('counts who was not there, also if they never came back', async () => {
    const id = await session('user_arrived')
    const served = await session('served', { arrived_at: 'now()', times_not_present: '1' })
    const figures = async () => {
      const { arrivals, called, noShows } = await report(dayOf(Date.now()), dayOf(Date.now()))
      return { arrivals, called, noShows }
    }
    expect(await figures()).toEqual({ arrivals: 2, called: 0, noShows: 1 })
    const { version } = await moved(id, 'user_arrived', 'link_sent')
    expect(await figures()).toEqual({ arrivals: 2, called: 0, noShows: 2 })
    await ask('POST', `/sessions/${id}/undo`, { version })
    expect(await figures()).toEqual({ arrivals: 2, called: 0, noShows: 1 })
    await query('delete from priority_access_sessions where id = $1', [served])
    expect(await figures()).toEqual({ arrivals: 1, called: 0, noShows: 0 })
  })

  it.each([
    ['2026-03-29', '2026-03-28'],
    ['2026-01-01', '2027-01-02'],
  ])('is refused from %s to %s', async (dal, al) => {
    expect((await ask('GET', `/report?dal=${dal}&al=${al}`)).statusCode).toBe(400)
  })
})

describe('a display', () => {
  const NewDisplay = z.object({ ...PriorityDisplay.shape, url: z.url() })
  const add = async (name: string) =>
    NewDisplay.parse((await ask('POST', '/displays', { name })).json())

  it('gets a link once, of which the hash alone is kept, until it is removed', async () => {
    const { url, ...display } = await add('Sala')
    const token = url.split('#t=')[1] ?? ''
    expect(token).toMatch(/^[\w-]{22}$/)
    const listed = await ask('GET', '/displays')
    expect(listed.json()).toEqual({ displays: [display] })
    const stored = () =>
      query('select name from priority_displays where token_hash = $1', [tokenHash(token)])
    expect(await stored()).toEqual([{ name: 'Sala' }])
    const remove = () => ask('DELETE', `/displays/${display.id}`)
    expect((await remove()).statusCode).toBe(200)
    expect(await stored()).toEqual([])
    expect(codeOf(await remove())).toBe('priority.display_not_found')
    const actions = await query(
      "select action from audit_events where target = 'display:' || $1 order by id",
      [display.id],
    )
    expect(actions).toEqual([
      { action: 'priority_display_added' },
      { action: 'priority_display_removed' },
    ])
  })

  it('is one of ten at most, however many are added at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => ask('POST', '/displays', { name: 'Sala' })),
    )
    const refused = replies.filter(({ statusCode }) => statusCode !== 201)
    expect(refused.map(codeOf)).toEqual([
      'priority.too_many_displays',
      'priority.too_many_displays',
    ])
  })
})
