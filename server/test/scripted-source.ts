import {
  type OrderSource,
  SourceError,
  type SourceErrorKind,
  type SourceOrder,
  type SourcePage,
} from '../src/ports/order-source.ts'

export const location = { baseId: 'appTEST0000000001', tableId: 'tblTEST0000000001' }

type Kind = 'reading' | 'writing'

export type ScriptedSource = OrderSource & {
  /** What the store holds, by record id. */
  records: Map<string, SourceOrder>
  /** How it fails from now on; null for not at all. */
  failure: SourceErrorKind | null
  /** How writing one record fails. */
  failures: Map<string, SourceErrorKind>
  /** Held, in the middle of its readings or writings or both, until released. */
  hold(what?: Kind): () => void
  /** Since when each reading wanted to know. */
  readings: (string | null)[]
  /** The most readings that were under way at once. */
  atOnce: number
  writes: { recordId: string; status: string }[]
}

/** An order store in memory, whose moments a test can choose. */
export function scriptedSource(orders: SourceOrder[] = []): ScriptedSource {
  const records = new Map(orders.map((order) => [order.recordId, order]))
  const gates: Record<Kind, Promise<void>> = {
    reading: Promise.resolve(),
    writing: Promise.resolve(),
  }
  let underWay = 0

  function failAs(kind: SourceErrorKind | null | undefined) {
    if (kind) throw new SourceError(kind, 'as the test wants')
  }

  const source: ScriptedSource = {
    records,
    failure: null,
    failures: new Map(),
    readings: [],
    atOnce: 0,
    writes: [],
    hold(what) {
      const { promise, open } = gate()
      if (what !== 'writing') gates.reading = promise
      if (what !== 'reading') gates.writing = promise
      return open
    },
    async *readChanged(_location, since, signal): AsyncGenerator<SourcePage> {
      source.readings.push(since)
      underWay += 1
      source.atOnce = Math.max(source.atOnce, underWay)
      try {
        // What is read is read now, however long it then takes to arrive.
        const seen = [...records.values()].filter((order) => !since || order.updatedAt > since)
        await Promise.race([gates.reading, endOf(signal)])
        failAs(source.failure)
        yield { orders: seen, unreadable: [] }
      } finally {
        underWay -= 1
      }
    },
    async setStatus(_location, recordId, status) {
      await gates.writing
      failAs(source.failure ?? source.failures.get(recordId))
      const order = records.get(recordId)
      if (!order) throw new SourceError('not_found', 'no such record')
      source.writes.push({ recordId, status })
      const changed = { ...order, status, updatedAt: new Date().toISOString() }
      records.set(recordId, changed)
      return changed
    },
  }
  return source
}

function gate() {
  let open = () => {}
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, open }
}

function endOf(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () =>
      reject(new SourceError('unreachable', 'the reading was ended')),
    )
  })
}
