/** The kinds of calls: a page of a list, one record, a change of records, the tables of a base, its webhooks. */
export type CallKind = 'list' | 'read' | 'write' | 'meta' | 'webhook'

export type Counts = {
  total: number
  byMethod: Record<string, number>
  byKind: Record<CallKind, number>
  /** The requests refused by the rate limit. */
  limited: number
}

/** Counts the API's requests, including refused ones. */
export function createCounts() {
  const counts: Counts = {
    total: 0,
    byMethod: {},
    byKind: { list: 0, read: 0, write: 0, meta: 0, webhook: 0 },
    limited: 0,
  }
  return {
    call(method: string, kind: CallKind) {
      counts.total += 1
      counts.byMethod[method] = (counts.byMethod[method] ?? 0) + 1
      counts.byKind[kind] += 1
    },
    limited() {
      counts.limited += 1
    },
    now: (): Counts => structuredClone(counts),
  }
}

/** @param path the segments after `/v0/` */
export function kindOf(method: string, path: string[]): CallKind {
  const [first, , last] = path
  if (first === 'meta') return 'meta'
  if (first === 'bases') return 'webhook'
  if (method !== 'GET') return 'write'
  return last === undefined ? 'list' : 'read'
}
