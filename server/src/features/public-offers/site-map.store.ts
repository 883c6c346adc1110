import { hasFeature, resolveFeatures } from '@bancone/contract/access'
import type { Day } from '@bancone/contract/dates'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

/** A page, and when its content last changed. */
export type SitePage = { code: string; offerId: string | null; changedAt: string }

export type SiteMapStore = ReturnType<typeof createSiteMapStore>

/** The existing public pages. Read-only. */
export function createSiteMapStore(db: Database) {
  async function pharmacies(most: number) {
    const rows = await db
      .selectFrom('pharmacies')
      .select(['id', 'pharmacy_id', 'features_enabled', 'updated_at'])
      .where('is_active', '=', true)
      .orderBy('pharmacy_id')
      .execute()
    return rows
      .filter((row) => hasFeature({ features: resolveFeatures(row.features_enabled) }, 'offers'))
      .slice(0, most)
  }

  /** As many offers as each page shows, in the same order. */
  async function offers(pharmacyIds: readonly string[], today: Day, most: number) {
    const shown = await sql<{ id: string; pharmacy_id: string; updated_at: string }>`
      select id, pharmacy_id, updated_at
      from (
        select offer.id, offer.pharmacy_id, offer.updated_at, pharmacy.max_offers, row_number() over (
          partition by offer.pharmacy_id
          order by offer.position asc nulls last, offer.created_at desc, offer.id desc
        ) as place
        from product_offers as offer
        join pharmacies as pharmacy on pharmacy.id = offer.pharmacy_id
        where offer.pharmacy_id = any(${pharmacyIds})
          and offer.is_active and offer.start_date <= ${today}::date
          and (offer.end_date is null or offer.end_date >= ${today}::date)
      ) as placed
      where place <= max_offers
      order by pharmacy_id, place
      limit ${most}
    `.execute(db)
    return shown.rows
  }

  return {
    /** The pages of all pharmacies with published offers, and of these offers. @param most maximum number of pages */
    async list(today: Day, most: number): Promise<SitePage[]> {
      const shown = await pharmacies(most)
      const ids = shown.map(({ id }) => id)
      const ofPharmacy = new Map<string, { offerId: string; changedAt: string }[]>(
        ids.map((id) => [id, []]),
      )
      for (const offer of await offers(ids, today, most - shown.length)) {
        ofPharmacy.get(offer.pharmacy_id)?.push({ offerId: offer.id, changedAt: offer.updated_at })
      }
      return shown.flatMap(({ id, pharmacy_id: code, updated_at }) => {
        const own = ofPharmacy.get(id) ?? []
        const last = own.reduce((latest, { changedAt }) => later(latest, changedAt), updated_at)
        const page = { code, offerId: null, changedAt: last }
        return [page, ...own.map((offer) => ({ code, ...offer }))]
      })
    },
  }
}

/** Both are ISO 8601 in UTC. */
function later(one: string, other: string): string {
  return one > other ? one : other
}
