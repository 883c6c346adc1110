import type { Day } from '@bancone/contract/dates'
import { PublicOffer } from '@bancone/contract/public-offers'
import { sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { isNotOver, type StoredOffer, selectOffers, storedOffer } from './offer-rows.ts'
import type { OfferDraft } from './offers.rules.ts'
import { createPriceHistory } from './prices/price-history.ts'

/** Number of offers, of those that count towards the limit, and the limit; null for any number. */
export type OfferUsage = { all: number; active: number; most: number | null }

export type OffersStore = ReturnType<typeof createOffersStore>

/** The only writer of `product_offers`. Triggers record their price history and release their pictures. */
export function createOffersStore(db: Database) {
  return {
    /** Newest first. */
    async list(pharmacyId: string): Promise<StoredOffer[]> {
      const rows = await selectOffers(db)
        .where('offer.pharmacy_id', '=', pharmacyId)
        .orderBy('offer.created_at', 'desc')
        .orderBy('offer.id', 'desc')
        .execute()
      return rows.map(storedOffer)
    },

    async find(pharmacyId: string, offerId: string): Promise<StoredOffer | undefined> {
      const row = await selectOffers(db)
        .where('offer.id', '=', offerId)
        .where('offer.pharmacy_id', '=', pharmacyId)
        .executeTakeFirst()
      return row && storedOffer(row)
    },

    async usage(pharmacyId: string, today: Day): Promise<OfferUsage> {
      const row = await db
        .selectFrom('pharmacies as pharmacy')
        .leftJoin('product_offers as offer', 'offer.pharmacy_id', 'pharmacy.id')
        .select('pharmacy.max_offers as most')
        .select(({ fn }) => fn.count<string>('offer.id').as('all'))
        .select(({ fn }) =>
          fn
            .count<string>('offer.id')
            .filterWhere('offer.is_active', '=', true)
            .filterWhere(isNotOver(today))
            .as('active'),
        )
        .where('pharmacy.id', '=', pharmacyId)
        .groupBy('pharmacy.id')
        .executeTakeFirstOrThrow()
      return { all: Number(row.all), active: Number(row.active), most: row.most }
    },

    async insert(pharmacyId: string, offerId: string, draft: OfferDraft, userId: string) {
      const code = db
        .selectFrom('pharmacies')
        .select('pharmacy_id')
        .where('id', '=', pharmacyId)
        .$asScalar()
      await db
        .insertInto('product_offers')
        .values({
          ...values(draft),
          ...declaration(draft, userId),
          id: offerId,
          pharmacy_id: pharmacyId,
          pharmacy_code: sql<string>`${code}`,
          created_by: userId,
        })
        .execute()
    },

    /** @param stored the current offer, read in the same transaction after locking the pharmacy */
    async update(pharmacyId: string, stored: StoredOffer, draft: OfferDraft, userId: string) {
      const isDeclared = draft.Prezzo_Precedente !== stored.fields.Prezzo_Precedente
      await db
        .updateTable('product_offers')
        .set({
          ...values(draft),
          ...(isDeclared && declaration(draft, userId)),
          // On the wire it has milliseconds: increases by at least one, so that clients can detect every change.
          updated_at: sql<string>`greatest(
            clock_timestamp(), date_trunc('milliseconds', updated_at) + interval '1 millisecond')`,
        })
        .where('id', '=', stored.id)
        .where('pharmacy_id', '=', pharmacyId)
        .execute()
    },

    async remove(pharmacyId: string, offerId: string): Promise<void> {
      await db
        .deleteFrom('product_offers')
        .where('id', '=', offerId)
        .where('pharmacy_id', '=', pharmacyId)
        .execute()
    },

    /**
     * Puts these offers first, in that order; the others have no position. Positions are no part of an offer's
     * content, so an offer that is being edited does not count as changed.
     *
     * @throws AppError `offers.not_found` when one of them does not belong to the pharmacy
     */
    async arrange(pharmacyId: string, offerIds: readonly string[]): Promise<void> {
      const order = sql`array_position(${offerIds}::uuid[], id) - 1`
      const { known } = await db
        .selectFrom('product_offers')
        .select(({ fn }) => fn.countAll<string>().as('known'))
        .where('pharmacy_id', '=', pharmacyId)
        .where('id', '=', sql<string>`any(${offerIds}::uuid[])`)
        .executeTakeFirstOrThrow()
      if (Number(known) !== offerIds.length) throw new AppError('offers.not_found')
      await db
        .updateTable('product_offers')
        .set({ position: sql<number | null>`${order}` })
        .where('pharmacy_id', '=', pharmacyId)
        .where(sql<boolean>`position is distinct from ${order}`)
        .execute()
    },
  }
}

function values(draft: OfferDraft) {
  return {
    product_name: draft.Nome_Prodotto,
    description: draft.Descrizione,
    category: draft.Categoria,
    minsan: draft.Codice_Minsan,
    list_price: draft.Prezzo_Listino,
    offer_price: draft.Prezzo_Offerta,
    prior_price: draft.Prezzo_Precedente,
    start_date: draft.Data_Inizio,
    end_date: draft.Data_Fine,
    is_active: draft.Stato_Offerta === 'Attiva',
    image_url: draft.URL_Immagine,
    cloudinary_id: draft.CloudinaryID,
  }
}

/** Who has declared a prior price, and when. */
function declaration({ Prezzo_Precedente: price }: OfferDraft, userId: string) {
  return price === null
    ? { prior_declared_by: null, prior_declared_at: null }
    : { prior_declared_by: userId, prior_declared_at: sql<string>`now()` }
}

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
