import { type Day, Day as DayShape } from '@bancone/contract/dates'
import type { Request } from '@bancone/contract/endpoint'
import { parsePrice } from '@bancone/contract/money'
import type { changeOffer, OfferInput } from '@bancone/contract/offers'
import { LIST_PRICE, type OfferDraft } from './offer-draft.ts'

/** Cents; null when the text is no valid price. */
export function centsOf(text: string): number | null {
  return parsePrice(text) || null
}

/** The declared prior price in cents; null where none is declared. */
export function priorCentsOf({ priorPrice, listPrice }: OfferDraft): number | null {
  return centsOf(priorPrice === LIST_PRICE ? listPrice : priorPrice)
}

/** Null when the text is no calendar day. */
export function dayIn(text: string): Day | null {
  const day = DayShape.safeParse(text)
  return day.success ? day.data : null
}

/** The draft as `OfferInput`, which may refuse it. Null: missing, or no valid price. */
export function toOfferInput(draft: OfferDraft, today: Day) {
  const ends = dayIn(draft.ends)
  return {
    Nome_Prodotto: draft.name,
    Descrizione: draft.description,
    Categoria: draft.category,
    Codice_Minsan: draft.code.trim() || null,
    Prezzo_Listino: centsOf(draft.listPrice),
    Prezzo_Offerta: centsOf(draft.offerPrice),
    Prezzo_Precedente: priorCentsOf(draft),
    Data_Inizio: dayIn(draft.starts) ?? today,
    ...(ends && { Data_Fine: ends }),
    Stato_Offerta: draft.active ? ('Attiva' as const) : ('Inattiva' as const),
    URL_Immagine: draft.picture?.url ?? null,
    CloudinaryID: draft.picture?.publicId ?? null,
  }
}

/** Request fields that overwrite the whole offer: fields that are left out would stay. */
export function toOfferChange(fields: OfferInput): Request<typeof changeOffer>['body']['fields'] {
  return { ...fields, Data_Fine: fields.Data_Fine ?? null }
}
