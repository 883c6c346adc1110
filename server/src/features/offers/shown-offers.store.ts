import type { Day } from '@bancone/contract/dates'
import { isMedicine, RegulatoryClass } from '@bancone/contract/product-categories'
import type { PublicOffer } from '@bancone/contract/public-offers'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isNotOver, offerColumns, type StoredOffer, storedOffer } from './offer-rows.ts'

/** An offer that the public sees, with what it does not. */
export type ShownOffer = StoredOffer & Pick<PublicOffer, 'medicine' | 'imageSize'>

export type ShownOffersStore = ReturnType<typeof createShownOffersStore>

/** What of the offers everybody is shown on a day. Writes nothing. */
export function createShownOffersStore(db: Database) {
  return {
    /** In the pharmacy's order, and what it has not put anywhere after that, newest first. */
    async list(pharmacyId: string, today: Day, most: number): Promise<ShownOffer[]> {
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
