import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { type PushServer, pushServer, seenBy } from '../../../test/push-server.ts'
import { addFactor, elevateSession } from '../../../test/second-factor.ts'
import { createNotifications } from './notifications.service.ts'
import {
  createPushDevicesStore,
  enqueueCustomerArrival,
  NOTIFY_TASK,
} from './push-devices.store.ts'
import type { PushSender } from './push-sender.ts'

let server: PushServer

beforeAll(async () => {
  server = await pushServer()
})

/** A pharmacy with that many devices. */
async function pharmacyWith(devices: number) {
  const pharmacy = await server.newPharmacy()
  const made = []
  for (let n = 0; n < devices; n += 1) made.push(await server.newDevice(pharmacy.headers))
  return { ...pharmacy, devices: made }
}

async function pharmacyWithOne() {
  const { devices, ...pharmacy } = await pharmacyWith(1)
  const [device] = devices
  if (!device) throw new Error('no device')
  return { ...pharmacy, device }
}

/** That many orders come, and every job that is due has been done. */
async function come(pharmacyId: string, orders: number) {
  await server.ordersCome(pharmacyId, orders)
  await server.jobsAreDone()
}

/** How many devices of the pharmacy are known. */
async function known(pharmacyId: string): Promise<number | null> {
  const { rowCount } = await server.database.pool.query(
    'select from push_subscriptions where pharmacy_id = $1',
    [pharmacyId],
  )
  return rowCount
}

/** One order, without the job that tells of it. */
async function orderComesUnheard(pharmacyId: string): Promise<void> {
  await server.database.pool.query(
    `with arrived as (
      insert into push_arrivals (pharmacy_id, times) values ($1, 1)
    )
    insert into pharmacy_orders (pharmacy_id, airtable_order_id, airtable_created, airtable_last)
    values ($1, 'recNEW', now(), now())`,
    [pharmacyId],
  )
}

const count = (orders: number) => ({ kind: 'new-orders', count: orders })

describe('of new orders', () => {
  it('every device of the pharmacy is told how many there are, and nothing else', async () => {
    const { id, devices } = await pharmacyWith(3)
    const stranger = await pharmacyWithOne()
    await come(id, 2)
    expect(devices.map(seenBy)).toEqual([[count(2)], [count(2)], [count(2)]])
    expect(devices[0]?.messages[0]).toMatchObject({
      text: '{"kind":"new-orders","count":2}',
      ttl: 86_400,
      urgency: 'high',
      topic: 'new-orders',
      subject: 'mailto:bancone@example.it',
    })
    expect(seenBy(stranger.device)).toEqual([])
  })

  it('one tells how many wait, not only how many came', async () => {
    const { id, device } = await pharmacyWithOne()
    await come(id, 2)
    await come(id, 1)
    expect(seenBy(device)).toEqual([count(2), count(3)])
    // Who was away meanwhile gets the newest alone.
    expect(device.waiting()).toHaveLength(1)
  })

  it('a notification is not sent for an order that was seen', async () => {
    const { id, device } = await pharmacyWithOne()
    await server.database.pool.query(
      `insert into pharmacy_orders (pharmacy_id, airtable_order_id, airtable_created, airtable_last, seen_at)
       values ($1, 'recSEEN', now(), now(), now())`,
      [id],
    )
    await come(id, 0)
    expect(seenBy(device)).toEqual([])
  })

  it('a burst is told to the end, and no device twice of the same', async () => {
    const { id, devices } = await pharmacyWith(2)
    await Promise.all(Array.from({ length: 20 }, () => server.ordersCome(id, 1)))
    await server.jobsAreDone()
    for (const device of devices) {
      const counts = seenBy(device).map((message) => message.count)
      expect(counts.at(-1)).toBe(20)
      expect(counts).toEqual([...new Set(counts)])
    }
  })

  it('a job that runs once more sends nothing again', async () => {
    const { id, device } = await pharmacyWithOne()
    await come(id, 1)
    await server.runTask(NOTIFY_TASK, { pharmacyId: id })
    expect(seenBy(device)).toEqual([count(1)])
  })

  it('a device is told what came in a transaction that was slower than a later one', async () => {
    const { id, device } = await pharmacyWithOne()
    const { pool } = server.database
    const slow = await pool.connect()
    try {
      await slow.query('begin')
      // It has the lower id, and is written last.
      const { rows } = await slow.query<{ id: string }>(
        "select nextval(pg_get_serial_sequence('pharmacy_orders', 'id')) as id",
      )
      await come(id, 1)
      await server.ordersAreSeen(id)
      await slow.query(
        `insert into pharmacy_orders (id, pharmacy_id, airtable_order_id, airtable_created, airtable_last)
         overriding system value values ($1, $2, 'recSLOW', now(), now())`,
        [rows[0]?.id, id],
      )
      await slow.query('commit')
    } finally {
      slow.release()
    }
    await come(id, 0)
    expect(seenBy(device)).toEqual([count(1), count(1)])
  })

  it.each([
    ['a pharmacy that is not active any more', 'update pharmacies set is_active = false'],
    ['a deleted pharmacy', 'update pharmacies set deleted_at = now()'],
    ['a user who is banned', "update auth_users set banned_until = now() + interval '1 day'"],
  ])('%s is not told', async (_who, change) => {
    const { id, device } = await pharmacyWithOne()
    await server.database.pool.query(`${change} where id = $1`, [id])
    await come(id, 1)
    expect(seenBy(device)).toEqual([])
  })

  it('a session without its second factor gets no notification', async () => {
    const { id, device, headers } = await pharmacyWithOne()
    await addFactor(server.database, id)
    await come(id, 1)
    expect(seenBy(device)).toEqual([])
    await elevateSession(server.database, headers)
    await come(id, 1)
    expect(seenBy(device)).toEqual([count(2)])
  })
})

describe('of customers who arrive', () => {
  /** A customer arrives, and every job that is due has been done. */
  async function arrive(pharmacyId: string) {
    await server.database.db.transaction().execute(async (tx) => {
      await tx
        .insertInto('priority_access_sessions')
        .values({
          pharmacy_id: pharmacyId,
          airtable_order_id: `rec${crypto.randomUUID()}`,
          order_number: '4711',
          user_name: 'Giulia Bianchi',
          status: 'user_arrived',
          arrived_at: new Date().toISOString(),
          expires_at: new Date().toISOString(),
        })
        .execute()
      await enqueueCustomerArrival(tx, pharmacyId)
    })
    await server.jobsAreDone()
  }

  it('every device is told how many wait, beside new orders, and nothing else', async () => {
    const { id, device } = await pharmacyWithOne()
    const stranger = await pharmacyWithOne()
    await arrive(id)
    await come(id, 1)
    await arrive(id)
    expect(device.messages.map(({ text, topic }) => [text, topic])).toEqual([
      ['{"kind":"arrivals","count":1}', 'arrivals'],
      ['{"kind":"new-orders","count":1}', 'new-orders'],
      ['{"kind":"arrivals","count":2}', 'arrivals'],
    ])
    expect(seenBy(stranger.device)).toEqual([])
  })

  it('a priority session that was acknowledged on a screen or called is not announced', async () => {
    const { id, device } = await pharmacyWithOne()
    device.fail({ mode: 'refuse', status: 503, times: 1 })
    await arrive(id)
    await server.database.pool.query(
      'update priority_access_sessions set acknowledged_at = now() where pharmacy_id = $1',
      [id],
    )
    await server.hurryJobs()
    await server.jobsAreDone()
    expect(seenBy(device)).toEqual([])
  })
})

describe('a device', () => {
  it.each(['local', 'others'])(
    'goes with the session it was subscribed in, at logout of %s',
    async (scope) => {
      const { id, email, device, headers } = await pharmacyWithOne()
      const later = await server.signIn(email)
      const other = await server.newDevice(later)
      const url = `/auth/v1/logout?scope=${scope}`
      const caller = scope === 'local' ? headers : later
      await server.app.inject({ method: 'POST', url, headers: caller })
      expect(await known(id)).toBe(1)
      await come(id, 1)
      expect([seenBy(device), seenBy(other)]).toEqual([[], [count(1)]])
    },
  )

  it.each([404, 410])('that its push service knows no more (%i) is forgotten', async (status) => {
    const { id, devices } = await pharmacyWith(2)
    devices[0]?.fail({ mode: 'refuse', status })
    await come(id, 1)
    expect(await known(id)).toBe(1)
    expect(devices.map((device) => device.messages.length)).toEqual([0, 1])
  })

  it.each([
    ['an error', { mode: 'refuse', status: 500 }],
    ['too many requests', { mode: 'refuse', status: 429 }],
    ['no answer', { mode: 'hang-up' }],
  ] as const)('whose push service has %s is told later, alone', async (_what, failure) => {
    const { id, devices } = await pharmacyWith(2)
    const [failing, fine] = devices
    if (!failing || !fine) throw new Error('no devices')
    failing.fail({ ...failure, times: 2 })
    await come(id, 1)
    expect(await server.hurryJobs()).toEqual([5])
    await server.jobsAreDone()
    expect(await server.hurryJobs()).toEqual([10])
    await server.jobsAreDone()
    expect([seenBy(failing), seenBy(fine)]).toEqual([[count(1)], [count(1)]])
    expect([failing.requests(), fine.requests()]).toEqual([3, 1])
  })

  it('is left alone as long as its push service asks for', async () => {
    const { id, device } = await pharmacyWithOne()
    device.fail({ mode: 'refuse', status: 429, retryAfter: 600, times: 1 })
    await come(id, 1)
    expect(await server.hurryJobs()).toEqual([600])
    await server.jobsAreDone()
    expect(seenBy(device)).toEqual([count(1)])
  })

  it('that waits is not told what was seen meanwhile, and its job has nothing of an order', async () => {
    const { id, device } = await pharmacyWithOne()
    device.fail({ mode: 'refuse', status: 503, times: 1 })
    await come(id, 1)
    const { rows } = await server.database.pool.query<{ job: string }>(
      `select to_jsonb(job)::text as job from graphile_worker._private_jobs job
       where payload ->> 'pharmacyId' = $1`,
      [id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.job).not.toMatch(/4000000248|RSSMRA79B11C566R|Tachipirina|Bianchi/i)
    await server.ordersAreSeen(id)
    await server.hurryJobs()
    await server.jobsAreDone()
    expect(device.requests()).toBe(1)
  })

  it('that refuses is tried with the next orders, and forgotten after ten times', async () => {
    const { id, device } = await pharmacyWithOne()
    device.fail({ mode: 'refuse', status: 403 })
    await come(id, 1)
    await come(id, 1)
    expect([device.requests(), await known(id)]).toEqual([2, 1])
    await server.database.pool.query(
      'update push_subscriptions set failures = failures + 6 where pharmacy_id = $1',
      [id],
    )
    await come(id, 1)
    expect([device.requests(), await known(id)]).toEqual([3, 1])
    await come(id, 1)
    expect([device.requests(), await known(id)]).toEqual([4, 0])
  })

  it('is forgotten for refusals in a row alone', async () => {
    const { id, device } = await pharmacyWithOne()
    await server.database.pool.query('update push_subscriptions set failures = 9')
    await come(id, 1)
    device.fail({ mode: 'refuse', status: 400, times: 1 })
    await come(id, 1)
    expect(await known(id)).toBe(1)
  })

  it('that moved to another pharmacy is not taken for told by what was sent before', async () => {
    const first = await pharmacyWithOne()
    await come(first.id, 3)
    const store = createPushDevicesStore(server.database.db)
    await server.ordersCome(first.id, 1)
    const [due] = await store.due({ pharmacyId: first.id })
    const second = await server.newPharmacy()
    await server.call('POST', 'devices', second.headers, first.device.subscription)
    if (due) await store.delivered(due)
    await come(second.id, 1)
    expect(seenBy(first.device).at(-1)).toEqual(count(1))
    expect(await known(first.id)).toBe(0)
  })
})

describe('a round', () => {
  /** The same devices, under a sender that only notes what it is asked for. */
  function roundOf(send: PushSender['send']) {
    const unused = () => {
      throw new Error('not of this test')
    }
    return createNotifications({
      devices: createPushDevicesStore(server.database.db),
      sender: { send },
      limits: { take: unused, refund: unused, reset: unused },
      allows: unused,
    })
  }

  it('sends to eight devices at once, and no more', async () => {
    const { id } = await pharmacyWith(12)
    await orderComesUnheard(id)
    let underWay = 0
    let most = 0
    let sent = 0
    const { notify } = roundOf(async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await pause(20)
      underWay -= 1
      sent += 1
      return { kind: 'delivered' }
    })
    await notify({ pharmacyId: id })
    expect([most, sent]).toEqual([8, 12])
  })

  it('begins with no device when the process is about to end, and leaves them to jobs', async () => {
    const { id, device } = await pharmacyWithOne()
    await orderComesUnheard(id)
    const { notify } = roundOf(() => {
      throw new Error('it was begun with')
    })
    await notify({ pharmacyId: id }, 0, AbortSignal.abort())
    expect(seenBy(device)).toEqual([])
    await server.hurryJobs()
    await server.jobsAreDone()
    expect(seenBy(device)).toEqual([count(1)])
  })
})
