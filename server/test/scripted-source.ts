import { toldPharmaWa } from '../src/features/orders/records/order-owner.rules.ts'
import {
  type NewSourceOrder,
  type OrderSource,
  SourceError,
  type SourceErrorKind,
  type SourceLocation,
  type SourceOrder,
  type SourcePage,
  type UnreadableOrder,
} from '../src/ports/order-source.ts'

export const location = { baseId: 'appTEST0000000001', tableId: 'tblTEST0000000001' }

/**
 * The calls of an order store: changes, all ids, one order, a status, the columns, a new order, the newest
 * orders.
 */
type Kind = 'reading' | 'sweeping' | 'looking' | 'writing' | 'checking' | 'creating' | 'searching'

export type ScriptedSource = OrderSource & {
  /** The content of the store, by record id. */
  records: Map<string, SourceOrder>
  /** The unreadable orders in each reading. */
  unreadable: UnreadableOrder[]
  /** The missing columns of the table. */
  missing: string[]
  /** The error of all calls from now on; null for none. */
  failure: SourceErrorKind | null
  /** The errors of calls by kind. */
  failing: Map<Kind, SourceErrorKind>
  /** The errors of writes by record id. */
  failures: Map<string, SourceErrorKind>
  /** Blocks the calls of one kind or of all, until released. */
  hold(what?: Kind): () => void
  /** The `since` of each reading. */
  readings: (string | null)[]
  /** The highest number of concurrent readings. */
  atOnce: number
  /** The table of each sweep. */
  sweeps: SourceLocation[]
  /** The record of each single read. */
  looks: string[]
  writes: { recordId: string; status: string }[]
  /** The times that were written into other columns. */
  times: { recordId: string; cells: Record<string, string | null> }[]
  /** All requests to create an order, successful or not. */
  creations: NewSourceOrder[]
  /** Creates orders, but fails to respond. */
  losesReplies: boolean
}

const kinds: readonly Kind[] = [
  'reading',
  'sweeping',
  'looking',
  'writing',
  'checking',
  'creating',
  'searching',
]

/** An order store in memory, whose timing a test controls. */
export function scriptedSource(orders: SourceOrder[] = []): ScriptedSource {
  const records = new Map(orders.map((order) => [order.recordId, order]))
  const gates = new Map<Kind, Promise<void>>()
  let underWay = 0

  const pass = (kind: Kind, signal?: AbortSignal) =>
    Promise.race([gates.get(kind), ...(signal ? [endOf(signal)] : [])])

  function failAs(kind: SourceErrorKind | null | undefined) {
    if (kind) throw new SourceError(kind, 'as the test wants')
  }

  function recordOf(recordId: string): SourceOrder {
    const order = records.get(recordId)
    if (!order) throw new SourceError('not_found', 'no such record')
    return order
  }

  const source: ScriptedSource = {
    records,
    unreadable: [],
    missing: [],
    failure: null,
    failing: new Map(),
    failures: new Map(),
    readings: [],
    atOnce: 0,
    sweeps: [],
    looks: [],
    writes: [],
    times: [],
    creations: [],
    losesReplies: false,
    hold(what) {
      const { promise, open } = gate()
      for (const kind of kinds) if (!what || kind === what) gates.set(kind, promise)
      return open
    },
    async *readChanged(_location, since, signal): AsyncGenerator<SourcePage> {
      source.readings.push(since)
      underWay += 1
      source.atOnce = Math.max(source.atOnce, underWay)
      try {
        // Read when the request arrives, however long the response takes.
        const seen = [...records.values()].filter((order) => !since || order.updatedAt > since)
        const unreadable = [...source.unreadable]
        await pass('reading', signal)
        failAs(source.failure ?? source.failing.get('reading'))
        yield { orders: seen, unreadable, missingColumns: source.missing }
      } finally {
        underWay -= 1
      }
    },
    async *readByChange(_location, from, signal) {
      source.readings.push(from)
      const all = [...records.values()].filter((order) => !from || order.updatedAt >= from)
      const seen = all.toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1))
      await pass('reading', signal)
      failAs(source.failure ?? source.failing.get('reading'))
      for (let at = 0; at < seen.length || at === 0; at += 100) {
        const unreadable = at === 0 ? [...source.unreadable] : []
        const page = seen.slice(at, at + 100)
        const changedAt = new Map(page.map(({ recordId, updatedAt }) => [recordId, updatedAt]))
        yield { orders: page, unreadable, changedAt }
      }
    },
    async *readSome(_location, recordIds, signal): AsyncGenerator<SourcePage> {
      await pass('looking', signal)
      failAs(source.failure ?? source.failing.get('looking'))
      const unreadable = source.unreadable.filter(({ recordId }) =>
        recordIds.includes(recordId ?? ''),
      )
      yield { orders: recordIds.flatMap((id) => records.get(id) ?? []), unreadable }
    },
    async readOrder(_location, recordId, signal) {
      source.looks.push(recordId)
      await pass('looking', signal)
      failAs(source.failure ?? source.failing.get('looking'))
      return recordOf(recordId)
    },
    async *readIds(where, signal) {
      source.sweeps.push(where)
      const seen = [...records.values()].map((order) => ({
        recordId: order.recordId,
        pharmaWa: toldPharmaWa(order),
      }))
      await pass('sweeping', signal)
      failAs(source.failure ?? source.failing.get('sweeping'))
      yield seen
    },
    async missingColumns(_location, signal) {
      await pass('checking', signal)
      failAs(source.failure ?? source.failing.get('checking'))
      return source.missing
    },
    async setStatus(_location, recordId, status) {
      await pass('writing')
      failAs(source.failure ?? source.failing.get('writing') ?? source.failures.get(recordId))
      const order = recordOf(recordId)
      source.writes.push({ recordId, status })
      const changed = { ...order, status, updatedAt: new Date().toISOString() }
      records.set(recordId, changed)
      return changed
    },
    async writeTimes(_location, recordId, times) {
      await pass('writing')
      failAs(source.failure ?? source.failing.get('writing') ?? source.failures.get(recordId))
      source.times.push({ recordId, cells: Object.fromEntries(times) })
      return []
    },
    async columnsWithoutTimes() {
      return []
    },
    async correct(_location, recordId, { orderNumber, ...correction }) {
      await pass('writing')
      const order = recordOf(recordId)
      const changed = { ...order, ...correction, orderNumber: orderNumber ?? order.orderNumber }
      records.set(recordId, changed)
      return changed
    },
    async remove(_location, recordId) {
      await pass('writing')
      records.delete(recordOf(recordId).recordId)
    },
    async *readCreated(_location, since, signal): AsyncGenerator<SourcePage> {
      await pass('searching', signal)
      failAs(source.failure ?? source.failing.get('searching'))
      yield {
        orders: [...records.values()].filter((order) => order.createdAt > since),
        unreadable: [],
      }
    },
    async create(_location, order, signal) {
      source.creations.push(order)
      failAs(source.failure ?? source.failing.get('creating'))
      const made = madeOf(order)
      records.set(made.recordId, made)
      // Created when the request arrives, however long the response takes.
      await pass('creating', signal)
      if (source.losesReplies) failAs('unreachable')
      return made
    },
  }
  return source
}

let made = 0

function madeOf(order: NewSourceOrder): SourceOrder {
  made += 1
  const now = new Date().toISOString()
  return {
    ...order,
    recordId: `recMADE${String(made).padStart(10, '0')}`,
    orderNumber: order.orderNumber ?? String(1_000 + made),
    waId: null,
    image: null,
    createdAt: now,
    updatedAt: now,
  }
}

function gate() {
  let open = () => {}
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, open }
}

function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(new SourceError('unreachable', 'the reading was ended'))
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
  })
}
