import type { Day } from '@bancone/contract/dates'
import { PublicOffer } from '@bancone/contract/public-offers'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isNotOver, selectOffers, storedOffer } from './offer-rows.ts'
import { createPriceHistory } from './prices/price-history.ts'

export type PublishedOffers = ReturnType<typeof createPublishedOffers>

/** The published offers of a pharmacy, as customers see them. Read-only. */
export function createPublishedOffers(db: Database) {
  const prices = createPriceHistory(db)

  /**
   * In the pharmacy's order; offers without a position follow, newest first. Refused offers are left out here: the
   * category and the code of an active offer may have become those of a medicine.
   */
  async function list(pharmacyId: string, today: Day) {
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
  }

  return {
    /** The offers of a day, up to the limit. */
    async onDay(pharmacyId: string, { today, most }: { today: Day; most: number | null }) {
      const offers = (await list(pharmacyId, today)).slice(0, most ?? undefined)
      const priors = await prices.priors(pharmacyId, offers, today)
      return {
        offers: offers.map(({ fields, ...offer }) => {
          // Of a medicine only name and price may be published; of other products everything but internal fields.
          const Descrizione = offer.medicine ? '' : fields.Descrizione
          const prior = priors.get(offer.id) ?? null
          return PublicOffer.parse({ ...offer, fields: { ...fields, Descrizione }, prior })
        }),
        arranged: offers.some(({ position }) => position !== null),
      }
    },
  }
}

function sizeOf({ width, height }: { width: number | null; height: number | null }) {
  return width === null || height === null ? null : { width, height }
}
