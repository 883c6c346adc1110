import { createCache } from '../../platform/cache.ts'
import type { Events } from '../../platform/events.ts'
import type { CountedPharmacy, VisitsStore } from './visits.store.ts'

/** The longest time for which a change goes unnoticed while the connection for events is broken. */
const TTL_MS = 60_000
const MAX = 5_000

/** Tag of codes without a pharmacy, which any change may give one. */
const NONE = 'none'

export type CountedPharmacies = ReturnType<typeof createCountedPharmacies>

/** The pharmacies by the codes of their public pages. */
export function createCountedPharmacies(
  store: Pick<VisitsStore, 'pharmacyOf'>,
  events: Pick<Events, 'on' | 'onMissed'>,
) {
  const cache = createCache<{ pharmacy: CountedPharmacy | null }>({
    max: MAX,
    ttlMs: TTL_MS,
    tagsOf: ({ pharmacy }) => [pharmacy?.id ?? NONE],
  })
  // An empty id means all pharmacies.
  events.on('offers_changed', (id) => {
    cache.invalidate(id === '' ? undefined : id)
    cache.invalidate(NONE)
  })
  events.onMissed(() => cache.invalidate())
  return {
    /** Null where there is no page under the code, which is regarded without its case. */
    async of(code: string): Promise<CountedPharmacy | null> {
      const load = async () => ({ pharmacy: await store.pharmacyOf(code) })
      const { pharmacy } = cache.get(code) ?? (await cache.load(code, load))
      return pharmacy
    },
  }
}
