import {
  type OrderSource,
  SourceError,
  type SourceErrorKind,
  type SourceOrder,
  type SourcePage,
} from '../src/ports/order-source.ts'

export const location = { baseId: 'appTEST0000000001', tableId: 'tblTEST0000000001' }

export type ScriptedSource = OrderSource & {
  /** What the store holds, by record id. */
  records: Map<string, SourceOrder>
  /** How it fails from now on; null for not at all. */
  failure: SourceErrorKind | null
  /** Held, in the middle of its reading or writing, until released. */
  hold(): () => void
  readings: (string | null)[]
  writes: { recordId: string; status: string }[]
}

/** An order store in memory, whose moments a test can choose. */
export function scriptedSource(orders: SourceOrder[] = []): ScriptedSource {
  const records = new Map(orders.map((order) => [order.recordId, order]))
  let gate: Promise<void> = Promise.resolve()
  const source: ScriptedSource = {
    records,
    failure: null,
    readings: [],
    writes: [],
    hold() {
      let open = () => {}
      gate = new Promise((resolve) => {
        open = resolve
      })
      return () => open()
    },
    async *readChanged(_location, since): AsyncGenerator<SourcePage> {
      source.readings.push(since)
      // What is read is read now, however long it then takes to arrive.
      const seen = [...records.values()].filter((order) => !since || order.updatedAt > since)
      await gate
      if (source.failure) throw new SourceError(source.failure, 'as the test wants')
      yield { orders: seen, unreadable: [] }
    },
    async setStatus(_location, recordId, status) {
      await gate
      if (source.failure) throw new SourceError(source.failure, 'as the test wants')
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
