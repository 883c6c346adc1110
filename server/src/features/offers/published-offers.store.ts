import type { Day } from '@bancone/contract/dates'
import type { PublicOffer } from '@bancone/contract/public-offers'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isNotOver, type StoredOffer, selectOffers, storedOffer } from './offer-rows.ts'

/** A published offer, including fields that are not public. */
export type PublishedOffer = StoredOffer & Pick<PublicOffer, 'imageSize'>

export type PublishedOffersStore = ReturnType<typeof createPublishedOffersStore>

/** The offers that are published on a day. Read-only. */
export function createPublishedOffersStore(db: Database) {
  return {
    /**
     * In the pharmacy's order; offers without a position follow, newest first. Refused offers are left out here: the
     * category and the code of an active offer may have become those of a medicine.
     */
    async list(pharmacyId: string, today: Day, most: number | null): Promise<PublishedOffer[]> {
      const rows = await selectOffers(db)
        .leftJoin('images as image', 'image.public_id', 'offer.cloudinary_id')
        .select(['image.width', 'image.height'])
        .where('offer.pharmacy_id', '=', pharmacyId)
        .where('offer.is_active', '=', true)
        .where('offer.start_date', '<=', today)
        .where(isNotOver(today))
        .orderBy(sql`offer.position asc nulls last`)
        .orderBy('offer.created_at', 'desc')
        .orderBy('offer.id', 'desc')
        .execute()
      return rows
        .map((row) => ({ ...storedOffer(row), imageSize: sizeOf(row) }))
        .filter(({ refusal }) => refusal === null)
        .slice(0, most ?? undefined)
    },
  }
}

function sizeOf({ width, height }: { width: number | null; height: number | null }) {
  return width === null || height === null ? null : { width, height }
}
