import type { Adapter, AdapterPayload } from 'oidc-provider'

type Kept = { payload: AdapterPayload; until: number }

/** The provider's storage adapter, in memory. */
export function createMemory() {
  const kept = new Map<string, Kept>()

  function find(key: string): AdapterPayload | undefined {
    const found = kept.get(key)
    if (found && found.until < Date.now()) kept.delete(key)
    return kept.get(key)?.payload
  }

  function forgetExpired(): void {
    for (const key of kept.keys()) find(key)
  }

  return (model: string): Adapter => {
    const own = `${model}:`
    return {
      async upsert(id, payload, expiresIn) {
        forgetExpired()
        kept.set(own + id, { payload, until: Date.now() + (expiresIn || 3600) * 1000 })
      },
      find: async (id) => find(own + id),
      findByUid: async (uid) => {
        const all = [...kept].filter(([key]) => key.startsWith(own))
        return all.find(([, { payload }]) => payload.uid === uid)?.[1].payload
      },
      findByUserCode: async () => undefined,
      async consume(id) {
        const payload = find(own + id)
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        kept.delete(own + id)
      },
      async revokeByGrantId(grantId) {
        for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}
