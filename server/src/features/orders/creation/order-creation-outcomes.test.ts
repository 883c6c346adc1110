import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { recordChange, somebody } from '../../../../test/order-changes.ts'
import {
  newLocation,
  type OrderProcess,
  orderProcess,
  readingsAreOlder,
} from '../../../../test/order-process.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { type ScriptedSource, scriptedSource } from '../../../../test/scripted-source.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderNotesStore } from '../records/order-notes.store.ts'
import type { NewOrder } from './new-orders.rules.ts'
import { createNewOrdersStore } from './new-orders.store.ts'

let database: TestDatabase
let pharmacyId: string
let location: SourceLocation
let source: ScriptedSource
let here: OrderProcess
let arrivals: number

const order: NewOrder = {
  orderNumber: null,
  customerName: 'Giulia Bianchi',
  customerPhone: '333 123 4567',
  address: null,
  details: 'Tachipirina 1000',
  status: 'In attesa',
}

beforeAll(async () => {
  database = await testDatabase()
})

beforeEach(async () => {
  location = newLocation()
  pharmacyId = await addPharmacyRow(database, location)
  source = scriptedSource()
  arrivals = 0
  here = process()
  await read(here)
  // It would take an order whose record id a test makes up for one that is gone.
  await here.sweep.settled()
})

function process(): OrderProcess {
  const onArrived = async () => {
    arrivals += 1
  }
  return orderProcess(database, { source, hooks: { onArrived } })
}

const read = (at: OrderProcess) => at.copy.poll(pharmacyId, location)

let requests = 0

/** Made by a program, and not brought to the store yet. */
async function make(made: Partial<NewOrder> = {}): Promise<string> {
  requests += 1
  const store = createNewOrdersStore(database.db, noHooks)
  const { orderId } = await store.create(
    pharmacyId,
    { ...order, ...made },
    {
      request: { keyHash: Buffer.from(`${requests}`), bodyHash: Buffer.from('x') },
      creator: { origin: 'api', id: pharmacyId, sessionId: null },
      isOnAirtable: true,
    },
  )
  return orderId
}

async function kept() {
  const { rows } = await database.pool.query<{ id: string; recordId: string; isNew: boolean }>(
    `select id::text, airtable_order_id as "recordId", seen_at is null as "isNew"
     from pharmacy_orders where pharmacy_id = $1 order by id`,
    [pharmacyId],
  )
  return rows
}

/** As if so long had gone by since the store did not answer. */
const laterOn = () =>
  database.pool.query("update order_creations set unsure_at = unsure_at - interval '1 minute'")

const recordIds = () => [...source.records.keys()]

describe('an order that the store has made, and not answered for yet,', () => {
  it('is the one that is read of it meanwhile', async () => {
    const id = await make()
    const answer = source.hold('creating')
    const bringing = here.creation.push(pharmacyId, id)
    await expect.poll(recordIds).toHaveLength(1)
    await read(process())
    expect(await kept()).toEqual([{ id, recordId: recordIds()[0], isNew: true }])
    answer()
    expect(await bringing).toBe('nothing')
    expect(await kept()).toEqual([{ id, recordId: recordIds()[0], isNew: true }])
    expect(arrivals).toBe(1)
  })

  it('is the one that is read also if the store words it otherwise', async () => {
    const id = await make()
    const answer = source.hold('creating')
    const bringing = here.creation.push(pharmacyId, id)
    await expect.poll(recordIds).toHaveLength(1)
    const [recordId = ''] = recordIds()
    const found = source.records.get(recordId) ?? sourceOrder()
    source.records.set(recordId, { ...found, customerName: 'GIULIA BIANCHI' })
    await read(here)
    expect(await kept()).toHaveLength(2)
    const change = await recordChange(database, pharmacyId, recordId, 'Annullato')
    expect(change).toBeDefined()
    await database.pool.query(
      `insert into order_holds (pharmacy_id, order_id, reason)
       select pharmacy_id, id, 'Reclamo' from pharmacy_orders where airtable_order_id = $1`,
      [recordId],
    )
    answer()
    expect(await bringing).toBe('done')
    expect(await kept()).toMatchObject([{ id, recordId }])
    const { rows: holds } = await database.pool.query('select order_id, reason from order_holds')
    expect(holds).toEqual([{ order_id: id, reason: 'Reclamo' }])
    // What was changed of the other is a change of this one.
    await here.push.pushPending(pharmacyId)
    expect(source.writes).toEqual([{ recordId, status: 'Annullato' }])
  })

  it.each([
    ['the one that was read', 'user_arrived', null],
    ['the one that was read, which came further', 'user_arrived', 'link_sent'],
    ['the one made here, which came further', 'link_sent', 'called'],
  ])('keeps its priority session: %s', async (_which, ofRead, ofMade) => {
    const addSession = (record: string, status: string) =>
      database.pool.query(
        `with session as (
           insert into priority_access_sessions (pharmacy_id, airtable_order_id, status, place, expires_at)
           values ($1, $2, $3, $3, now() + interval '1 day') returning pharmacy_id, id
         ) insert into priority_links (pharmacy_id, session_id, token_hash) select pharmacy_id, id, $4 from session`,
        [pharmacyId, record, status, randomBytes(32)],
      )
    const id = await make()
    const [made] = await kept()
    const answer = source.hold('creating')
    const bringing = here.creation.push(pharmacyId, id)
    await expect.poll(recordIds).toHaveLength(1)
    const [recordId = ''] = recordIds()
    const found = source.records.get(recordId) ?? sourceOrder()
    source.records.set(recordId, { ...found, customerName: 'GIULIA BIANCHI' })
    await read(here)
    await addSession(recordId, ofRead)
    if (ofMade) await addSession(made?.recordId ?? '', ofMade)
    answer()
    expect(await bringing).toBe('done')
    expect(await kept()).toMatchObject([{ id, recordId }])
    const { rows } = await database.pool.query(
      `select status, airtable_order_id as "recordId", (select count(*)::int from priority_links where session_id = session.id) as links
       from priority_access_sessions as session where pharmacy_id = $1 and ended_at is null`,
      [pharmacyId],
    )
    const status = ofMade === 'called' ? ofMade : ofRead
    expect(rows).toEqual([{ status, recordId, links: ofMade ? 2 : 1 }])
  })

  it('is not an older one, be it the same to the letter', async () => {
    const now = new Date().toISOString()
    const twin = sourceOrder({ ...order, createdAt: now, updatedAt: now })
    source.records.set(twin.recordId, twin)
    await read(here)
    const id = await make()
    source.failing.set('creating', 'unreachable')
    expect(await here.creation.push(pharmacyId, id)).toBe('waiting')
    await read(here)
    expect(await kept()).toHaveLength(2)
    source.failing.clear()
    await laterOn()
    // Or by what the reading has begun.
    await expect.poll(() => here.creation.push(pharmacyId, id)).toMatch(/^(?:done|nothing)$/)
    expect(recordIds()).toHaveLength(2)
    expect((await kept()).map(({ recordId }) => recordId)).toEqual(recordIds())
  })

  it.each<[string, () => unknown]>([
    ['before it is asked for again', () => undefined],
    [
      'where the store tells of its records the day alone',
      () => {
        const { readCreated } = source
        source.readCreated = async function* (...asked) {
          for await (const { orders, unreadable } of readCreated(...asked)) {
            const days = orders.map((each) => ({ ...each, createdAt: '2026-01-01T00:00:00.000Z' }))
            yield { orders: days, unreadable }
          }
        }
      },
    ],
    [
      'where the table has come to be shared since',
      () => addPharmacyRow(database, location).then(laterOn),
    ],
  ])('is found %s', async (_where, happens) => {
    const id = await make()
    source.losesReplies = true
    expect(await here.creation.push(pharmacyId, id)).toBe('waiting')
    source.losesReplies = false
    await happens()
    expect(await here.creation.push(pharmacyId, id)).toBe('done')
    expect(source.creations).toHaveLength(1)
    expect(await kept()).toMatchObject([{ id, recordId: recordIds()[0] }])
  })

  it('is looked for after the process that asked for it died', async () => {
    const id = await make()
    source.hold('creating')
    process()
      .creation.push(pharmacyId, id)
      .catch(() => undefined)
    await expect.poll(recordIds).toHaveLength(1)
    expect(await here.creation.push(pharmacyId, id)).toBe('elsewhere')
    await database.pool.query(
      "update order_creations set claimed_until = now() - interval '1 second'",
    )
    expect(await here.creation.push(pharmacyId, id)).toBe('done')
    expect(source.creations).toHaveLength(1)
  })

  it('is each of two that are the same', async () => {
    const ids = [await make(), await make()]
    const answer = source.hold('creating')
    const bringing = ids.map((id) => here.creation.push(pharmacyId, id))
    await expect.poll(recordIds).toHaveLength(2)
    // The first reading sees one of them only.
    const [, second = ''] = recordIds()
    const unseen = source.records.get(second) ?? sourceOrder()
    source.records.delete(second)
    await read(here)
    source.records.set(second, unseen)
    answer()
    await Promise.all(bringing)
    await read(here)
    await laterOn()
    await here.creation.pushPending(pharmacyId)
    expect(source.creations).toHaveLength(2)
    const rows = await kept()
    expect(rows.map(({ id }) => id)).toEqual(ids)
    expect(new Set(rows.map(({ recordId }) => recordId))).toEqual(new Set(recordIds()))
  })
})

describe('the record of an order', () => {
  it('that another one has been given meanwhile is left to that', async () => {
    const first = await make()
    const answer = source.hold('creating')
    const bringing = here.creation.push(pharmacyId, first)
    await expect.poll(recordIds).toHaveLength(1)
    const second = await make()
    await here.creations.markUnsure(pharmacyId, second, 'now')
    expect(await here.creation.push(pharmacyId, second)).toBe('done')
    answer()
    expect(await bringing).toBe('unsure')
    expect((await kept()).map(({ id }) => id)).toEqual([first, second])
    await laterOn()
    expect(await here.creation.push(pharmacyId, first)).toBe('done')
    const rows = await kept()
    expect(new Set(rows.map(({ recordId }) => recordId))).toEqual(new Set(recordIds()))
    expect(recordIds()).toHaveLength(2)
  })

  it('takes over what was kept of the order under its first one', async () => {
    const id = await make()
    const [before] = await kept()
    await recordChange(database, pharmacyId, before?.recordId ?? '', 'Confermato')
    await database.pool.query(
      "insert into order_notes (pharmacy_id, record_id, text) values ($1, $2, 'richiamare')",
      [pharmacyId, before?.recordId],
    )
    expect(await here.creation.push(pharmacyId, id)).toBe('done')
    const { rows } = await database.pool.query(
      `select record_id as "recordId", kind as what from order_events where pharmacy_id = $1
       union all select record_id, text from order_notes where pharmacy_id = $1
       union all select record_id, alias from order_aliases where pharmacy_id = $1`,
      [pharmacyId],
    )
    const [recordId] = recordIds()
    expect(rows).toEqual([
      { recordId, what: 'status' },
      { recordId, what: 'richiamare' },
      { recordId, what: before?.recordId },
    ])
  })
})

describe('two processes', () => {
  it('bring an order once', async () => {
    const id = await make()
    const answer = source.hold('creating')
    const there = process()
    const bringing = [here.creation.push(pharmacyId, id), there.creation.push(pharmacyId, id)]
    await expect.poll(recordIds).toHaveLength(1)
    answer()
    expect((await Promise.all(bringing)).toSorted()).toEqual(['done', 'elsewhere'])
    expect(source.creations).toHaveLength(1)
  })
})

describe('a process that claimed an order and took too long', () => {
  it.each([
    ['release', 'release'],
    ['doubt', 'markUnsure'],
  ] as const)('leaves it to who has it now (%s)', async (_name, how) => {
    const id = await make()
    const slow = await here.creations.claim(pharmacyId, id)
    await database.pool.query(
      "update order_creations set claimed_until = now() - interval '1 second'",
    )
    const next = await here.creations.claim(pharmacyId, id)
    if (typeof slow === 'string' || typeof next === 'string') throw new Error('not claimed')
    await here.creations[how](pharmacyId, id, slow.claim)
    expect(await here.creations.claim(pharmacyId, id)).toBe('claimed')
    await here.creations[how](pharmacyId, id, next.claim)
    expect(await here.creations.claim(pharmacyId, id)).toMatchObject({ lastSent: 'recently' })
  })
})

describe('who waits for an order that is given its record id', () => {
  /** What waits for the order meanwhile, and goes on when that has its record id. */
  async function meanwhile<Done>(waits: (recordId: string) => Promise<Done>): Promise<Done> {
    const id = await make()
    const recordId = (await kept())[0]?.recordId ?? ''
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from pharmacy_orders where id = $1 for update', [id])
      const waiting = waits(recordId)
      const blocked = 'select from pg_locks where pg_backend_pid() = any(pg_blocking_pids(pid))'
      await expect
        .poll(async () => (await client.query(blocked)).rowCount, { timeout: 15_000 })
        .toBeGreaterThan(0)
      const renamed = "update pharmacy_orders set airtable_order_id = 'recNEW' where id = $1"
      await client.query(renamed, [id])
      const alias = "insert into order_aliases values ($1, $2, 'recNEW')"
      await client.query(alias, [pharmacyId, recordId])
      await client.query('commit')
      return await waiting
    } finally {
      client.release(true)
    }
  }

  it('changes its status', async () => {
    const change = await meanwhile((recordId) =>
      recordChange(database, pharmacyId, recordId, 'Confermato'),
    )
    expect(change?.record).toMatchObject({ id: 'recNEW', fields: { Stato: 'Confermato' } })
  })

  it('writes its note', async () => {
    const notes = createOrderNotesStore(database.db)
    const note = await meanwhile((recordId) =>
      notes.add(pharmacyId, recordId, 'richiamare', somebody),
    )
    expect(note).toMatchObject({ text: 'richiamare' })
    expect(await notes.list(pharmacyId, 'recNEW')).toEqual([note])
  })
})

describe('an order that is not in the store', () => {
  it.each([
    ['yet', 'unreachable'],
    ['because it refuses it', 'refused'],
  ] as const)('%s is not taken for one that is gone', async (_why, failure) => {
    const id = await make()
    source.failing.set('creating', failure)
    await here.creation.push(pharmacyId, id)
    await database.pool.query("update pharmacy_orders set created_at = now() - interval '1 day'")
    await readingsAreOlder(database, pharmacyId, 24 * 60 * 60_000)
    here.sweep.sweepIfDue(pharmacyId, location)
    await here.sweep.settled()
    expect(source.sweeps).toHaveLength(1)
    expect(source.looks).toEqual([])
    expect(await kept()).toMatchObject([{ id }])
  })

  it('is not pushed, and not taken for gone, when it is changed', async () => {
    const id = await make()
    source.failing.set('creating', 'rate_limited')
    const [row] = await kept()
    await recordChange(database, pharmacyId, row?.recordId ?? '', 'Annullato')
    await here.creation.push(pharmacyId, id)
    expect(await here.push.push(pharmacyId, id)).toBe('elsewhere')
    expect(source.looks).toEqual([])
    source.failing.clear()
    await here.creation.pushPending(pharmacyId)
    expect(source.creations.at(-1)).toMatchObject({ status: 'Annullato' })
    expect(await here.push.push(pharmacyId, id)).toBe('done')
    expect(source.writes).toEqual([])
  })

  it('and was changed while the store made it gets the newest status there', async () => {
    const id = await make()
    const [row] = await kept()
    const change = (status: 'Confermato' | 'Annullato') =>
      recordChange(database, pharmacyId, row?.recordId ?? '', status)
    await change('Confermato')
    const answer = source.hold('creating')
    const bringing = here.creation.push(pharmacyId, id)
    await expect.poll(recordIds).toHaveLength(1)
    await change('Annullato')
    answer()
    expect(await bringing).toBe('done')
    expect(await here.push.push(pharmacyId, id)).toBe('done')
    expect(source.records.get(recordIds()[0] ?? '')?.status).toBe('Annullato')
  })

  it('and is refused after its request ended is announced as new', async () => {
    const id = await make()
    source.failing.set('creating', 'refused')
    expect(await here.creation.push(pharmacyId, id, { callerWaits: false })).toBe('kept')
    expect(await kept()).toMatchObject([{ id, isNew: true }])
    expect(arrivals).toBe(1)
  })

  it('stays when it is refused after it was announced', async () => {
    const id = await make()
    await here.creations.markAnswered(pharmacyId, id)
    source.failing.set('creating', 'refused')
    expect(await here.creation.push(pharmacyId, id, { callerWaits: true })).toBe('kept')
    expect(await kept()).toHaveLength(1)
  })

  it('goes there with a word that names its pharmacy alone, and not without one', async () => {
    const otherId = await addPharmacyRow(database, location)
    const callThem = (own: string, other: string) =>
      database.pool.query(
        'update pharmacies set pharmacy_id = case id when $1 then $2 else $3 end where id in ($1, $4)',
        [pharmacyId, own, other, otherId],
      )
    await callThem(`A1 ${pharmacyId}`, `B1 ${pharmacyId}`)
    await here.creation.push(pharmacyId, await make())
    expect(source.creations).toMatchObject([{ pharmaWa: `A1 ${pharmacyId}` }])
    await callThem(`A-1 ${pharmacyId}`, `A.1 ${pharmacyId}`)
    expect(await here.creation.push(pharmacyId, await make({ details: 'Altro' }))).toBe('kept')
    expect(source.creations).toHaveLength(1)
  })

  it('goes there with the word that the other orders of its pharmacy have', async () => {
    await addPharmacyRow(database, location)
    await database.pool.query(
      "update pharmacies set name = 'Farmacia ' || id, phone = '041 123456' where id = $1",
      [pharmacyId],
    )
    const before = sourceOrder({ pharmaWa: '+39 041 123456', updatedAt: new Date().toISOString() })
    source.records.set(before.recordId, before)
    await read(here)
    await here.creation.push(pharmacyId, await make())
    expect(source.creations).toMatchObject([{ pharmaWa: '+39 041 123456' }])
  })
})
