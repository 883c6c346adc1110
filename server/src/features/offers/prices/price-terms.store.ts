import { ROME } from '@bancone/contract/dates'
import type { OfferFields } from '@bancone/contract/offers'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { PriceTerms } from './price-history.rules.ts'

/** Per product; not reached in practice, because days with the same prices are merged. */
const MAX_TERMS = 300

type Keyed = PriceTerms & { productKey: string }

type Product = Pick<OfferFields, 'Codice_Minsan' | 'Nome_Prodotto'>

/**
 * Reads `offer_price_terms`, which a trigger writes. A product with a code is also looked up by its name, because
 * earlier offers of the same product may lack the code.
 */
export function createPriceTermsStore(db: Database) {
  /**
   * The newest terms of these products that were in force. Equal terms that began and ended on the same days are
   * merged: however often an offer is switched off and on, a day has at most two.
   */
  async function ofProducts(pharmacyId: string, productKeys: ReadonlySet<string>) {
    const { rows } = await sql<Keyed>`
      with terms as (
        select *,
          (from_at at time zone ${ROME}::text)::date as from_day,
          -- What ends at midnight is not in force on the day that begins then.
          (greatest(from_at, to_at - interval '1 microsecond') at time zone ${ROME}::text)::date as to_day
        from offer_price_terms
        where pharmacy_id = ${pharmacyId} and product_key = any(${[...productKeys]}::text[])
      ), told_apart as (
        select product_key, offer_id, list_price, offer_price, start_date, end_date, is_active, from_day,
          case when to_at is not null then to_day end as to_day, max(to_at) as to_at,
          row_number() over (partition by product_key order by from_day desc, max(from_at) desc) as number
        from terms
        group by product_key, offer_id, list_price, offer_price, start_date, end_date, is_active, from_day,
          case when to_at is not null then to_day end
      )
      select product_key as "productKey", offer_id as "offerId", list_price as "listPrice",
        offer_price as "offerPrice", start_date::text as "startDate", end_date::text as "endDate",
        is_active as "isActive", from_day::text as "fromDay", to_day::text as "toDay", to_at as "endedAt"
      from told_apart where number <= ${MAX_TERMS}`.execute(db)
    return rows
  }

  /** Current and past codes and names of these offers. */
  async function keysOfOffers(pharmacyId: string, offerIds: readonly string[]) {
    const { rows } = await sql<{ offerId: string; productKey: string }>`
      select offer_id as "offerId", product_key as "productKey" from offer_price_terms
        where pharmacy_id = ${pharmacyId} and offer_id = any(${offerIds}::uuid[])
      union
      select id, offer_product_key(null, product_name) from product_offers
        where pharmacy_id = ${pharmacyId} and id = any(${offerIds}::uuid[])`.execute(db)
    return rows
  }

  /** Code and name of the draft, and past ones of its offer. */
  async function keysOfDraft(
    pharmacyId: string,
    offerId: string | null,
    { Codice_Minsan: minsan, Nome_Prodotto: name }: Product,
  ) {
    const { rows } = await sql<{ productKey: string }>`
      select product_key as "productKey" from offer_price_terms
        where pharmacy_id = ${pharmacyId} and offer_id = ${offerId}::uuid
      union
      values (offer_product_key(${minsan}::text, ${name}::text)), (offer_product_key(null, ${name}::text))`.execute(
      db,
    )
    return rows.map(({ productKey }) => productKey)
  }

  return {
    /** By offer id: terms of the offer and of every offer of the same product. */
    async ofOffers(
      pharmacyId: string,
      offerIds: readonly string[],
    ): Promise<(offerId: string) => PriceTerms[]> {
      const keys = new Map<string, Set<string>>()
      for (const { offerId, productKey } of await keysOfOffers(pharmacyId, offerIds)) {
        keys.set(offerId, (keys.get(offerId) ?? new Set()).add(productKey))
      }
      const products = new Map<string, Keyed[]>()
      const all = new Set([...keys.values()].flatMap((each) => [...each]))
      for (const row of await ofProducts(pharmacyId, all)) {
        const product = products.get(row.productKey)
        if (product) product.push(row)
        else products.set(row.productKey, [row])
      }
      return (offerId) =>
        [...(keys.get(offerId) ?? [])].flatMap((productKey) => products.get(productKey) ?? [])
    },

    /** Terms of every offer of the same product as the draft. @param offerId null when it is not stored yet */
    async ofDraft(pharmacyId: string, offerId: string | null, draft: Product) {
      return ofProducts(pharmacyId, new Set(await keysOfDraft(pharmacyId, offerId, draft)))
    },
  }
}
