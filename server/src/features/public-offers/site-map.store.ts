import { hasFeature, resolveFeatures } from '@bancone/contract/access'
import type { Day } from '@bancone/contract/dates'
import { SupplyClass } from '@bancone/contract/medicines'
import { offerRefusal } from '@bancone/contract/offer-rules'
import { RegulatoryClass } from '@bancone/contract/product-categories'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'

/** A page, and when its content last changed. */
export type SitePage = { code: string; offerId: string | null; changedAt: string }

type OfferRow = {
  id: string
  pharmacy_id: string
  updated_at: string
  minsan: string | null
  regulatory_class: string
  supply: string | null
  is_authorised: boolean | null
}

export type SiteMapStore = ReturnType<typeof createSiteMapStore>

/** The existing public pages. Read-only. */
export function createSiteMapStore(db: Database) {
  async function pharmacies(most: number) {
    const rows = await db
      .selectFrom('pharmacies')
      .select(['id', 'pharmacy_id', 'max_offers', 'features_enabled', 'updated_at'])
      .where('is_active', '=', true)
      .where('deleted_at', 'is', null)
      .orderBy('pharmacy_id')
      .execute()
    return rows
      .filter((row) => hasFeature({ features: resolveFeatures(row.features_enabled) }, 'offers'))
      .slice(0, most)
  }

  /** The active offers, in the order of the pages. */
  async function offers(pharmacyIds: readonly string[], today: Day) {
    const { rows } = await sql<OfferRow>`
      select offer.id, offer.pharmacy_id, offer.updated_at, offer.minsan, category.regulatory_class,
        medicine.supply, medicine.is_authorised
      from product_offers as offer
      join product_categories as category on category.name = offer.category
      left join medicines as medicine on medicine.code = offer.minsan
      where offer.pharmacy_id = any(${pharmacyIds})
        and offer.is_active and offer.start_date <= ${today}::date
        and (offer.end_date is null or offer.end_date >= ${today}::date)
      order by offer.pharmacy_id, offer.position asc nulls last, offer.created_at desc, offer.id desc
    `.execute(db)
    return rows.filter(isPublishable)
  }

  return {
    /** The pages of all pharmacies with published offers, and of these offers. @param most maximum number of pages */
    async list(today: Day, most: number): Promise<SitePage[]> {
      const shown = await pharmacies(most)
      const ids = shown.map(({ id }) => id)
      const ofPharmacy = new Map<string, { offerId: string; changedAt: string }[]>(
        ids.map((id) => [id, []]),
      )
      for (const offer of await offers(ids, today)) {
        ofPharmacy.get(offer.pharmacy_id)?.push({ offerId: offer.id, changedAt: offer.updated_at })
      }
      let room = most - shown.length
      return shown.flatMap(({ id, pharmacy_id: code, max_offers, updated_at }) => {
        const own = (ofPharmacy.get(id) ?? []).slice(0, Math.min(max_offers ?? room, room))
        // A page without offers has nothing to be found for.
        if (own.length === 0) return []
        room -= own.length
        const last = own.reduce((latest, { changedAt }) => later(latest, changedAt), updated_at)
        const page = { code, offerId: null, changedAt: last }
        return [page, ...own.map((offer) => ({ code, ...offer }))]
      })
    },
  }
}

function isPublishable({ minsan, regulatory_class, supply, is_authorised }: OfferRow): boolean {
  const medicine =
    is_authorised === null
      ? null
      : { supply: z.nullable(SupplyClass).parse(supply), authorised: is_authorised }
  return offerRefusal(minsan, RegulatoryClass.parse(regulatory_class), medicine) === null
}

/** Both are ISO 8601 in UTC. */
function later(one: string, other: string): string {
  return one > other ? one : other
}
