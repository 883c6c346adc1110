import type { Database } from '../../database/database.ts'
import { createCache } from '../../platform/cache.ts'
import type { Events } from '../../platform/events.ts'

/**
 * Where pharmacies are that have moved to another server. They are few, and read together, so that made-up codes cost
 * nothing.
 */
export function createMovedPharmacies(db: Database, events: Events) {
  const cache = createCache<ReadonlyMap<string, string>>({ max: 1 })
  events.on('offers_changed', () => cache.invalidate())
  events.onMissed(() => cache.invalidate())

  async function read(): Promise<ReadonlyMap<string, string>> {
    const rows = await db
      .selectFrom('used_pharmacy_codes')
      .select(['code', 'moved_to'])
      .where('moved_to', 'is not', null)
      .execute()
    return new Map(rows.map((row) => [row.code, row.moved_to ?? '']))
  }

  return {
    /** The address of the other server, without a slash at the end. @param code regardless of case */
    async movedTo(code: string): Promise<string | undefined> {
      const known = cache.get('all') ?? (await cache.load('all', read))
      return known.get(code.trim().toUpperCase())
    },
  }
}

/** @param code of a pharmacy that is here, active or not */
export async function hasMoved(tx: Database, code: string): Promise<boolean> {
  const found = await tx
    .selectFrom('used_pharmacy_codes')
    .select('code')
    .where('code', '=', code.toUpperCase())
    .where('moved_to', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}
