import type { Day } from '@bancone/contract/dates'
import type { Request } from '@bancone/contract/endpoint'
import type { checkOfferPrice } from '@bancone/contract/offers'
import type { OfferDraft } from './offer-draft.ts'
import { centsOf, codeOf, dayIn } from './offer-fields.ts'

type PriceRequest = Request<typeof checkOfferPrice>

/** Placeholder while nothing can be requested. */
export const emptyPriceRequest: PriceRequest = {
  body: { offerId: null, fields: { Nome_Prodotto: '-', Prezzo_Listino: 1, Prezzo_Offerta: 1 } },
}

/** The request that checks the prices of a draft; null while there is nothing to check. */
export function priceRequest(
  draft: OfferDraft,
  offerId: string | null,
  today: Day,
): PriceRequest | null {
  const name = draft.name.trim()
  const list = centsOf(draft.listPrice)
  const offer = centsOf(draft.offerPrice)
  if (name === '' || list === null || offer === null || offer >= list) return null
  const starts = dayIn(draft.starts) ?? today
  const ends = dayIn(draft.ends)
  const fields = {
    Nome_Prodotto: name,
    Codice_Minsan: codeOf(draft.code),
    Prezzo_Listino: list,
    Prezzo_Offerta: offer,
    Prezzo_Precedente: centsOf(draft.priorPrice),
    Data_Inizio: starts,
    // An invalid end has no influence on the prior price.
    ...(ends !== null && ends >= starts && ends >= today && { Data_Fine: ends }),
    Stato_Offerta: draft.active ? ('Attiva' as const) : ('Inattiva' as const),
  }
  return { body: { offerId, fields } }
}
