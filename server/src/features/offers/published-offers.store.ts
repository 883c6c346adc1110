import type { Day } from '@bancone/contract/dates'
import { isMedicine, RegulatoryClass } from '@bancone/contract/product-categories'
import type { PublicOffer } from '@bancone/contract/public-offers'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isNotOver, offerColumns, type StoredOffer, storedOffer } from './offer-rows.ts'

/** A published offer, including fields that are not public. */
export type PublishedOffer = StoredOffer & Pick<PublicOffer, 'medicine' | 'imageSize'>

export type PublishedOffersStore = ReturnType<typeof createPublishedOffersStore>

/** The offers that are published on a day. Read-only. */
export function createPublishedOffersStore(db: Database) {
  return {
    /** In the pharmacy's order; offers without a position follow, newest first. */
    async list(pharmacyId: string, today: Day, most: number): Promise<PublishedOffer[]> {
      const rows = await db
        .selectFrom('product_offers as offer')
        .innerJoin('product_categories as category', 'category.name', 'offer.category')
        .leftJoin('images as image', 'image.public_id', 'offer.cloudinary_id')
        .select(offerColumns)
        .select(['category.regulatory_class', 'image.width', 'image.height'])
        .where('offer.pharmacy_id', '=', pharmacyId)
        .where('offer.is_active', '=', true)
        .where('offer.start_date', '<=', today)
        .where(isNotOver(today))
        .orderBy(sql`offer.position asc nulls last`)
        .orderBy('offer.created_at', 'desc')
        .orderBy('offer.id', 'desc')
        .limit(most)
        .execute()
      return rows.map((row) => ({
        ...storedOffer(row),
        medicine: isMedicine(RegulatoryClass.parse(row.regulatory_class)),
        imageSize: sizeOf(row),
      }))
    },
  }
}

function sizeOf({ width, height }: { width: number | null; height: number | null }) {
  return width === null || height === null ? null : { width, height }
}
