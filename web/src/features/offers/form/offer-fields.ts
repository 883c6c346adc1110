import { type Day, Day as DayShape } from '@bancone/contract/dates'
import type { Request } from '@bancone/contract/endpoint'
import { parseMinsan } from '@bancone/contract/minsan'
import { parsePrice } from '@bancone/contract/money'
import type { changeOffer, createOffer } from '@bancone/contract/offers'
import type { OfferDraft } from './offer-draft.ts'

export type NewFields = Request<typeof createOffer>['body']['fields']
export type ChangedFields = Request<typeof changeOffer>['body']['fields']

/** Cents; null when the text is no valid price. */
export function centsOf(text: string): number | null {
  return parsePrice(text) || null
}

/** Null when the text is no calendar day. */
export function dayIn(text: string): Day | null {
  const day = DayShape.safeParse(text)
  return day.success ? day.data : null
}

/** A usable code as nine digits; null otherwise. */
export function codeOf(text: string): string | null {
  const read = parseMinsan(text)
  return read && read.check !== 'wrong' ? read.code : null
}

/** Request fields of a valid draft; null when something is missing. */
export function toOfferFields(draft: OfferDraft, today: Day): NewFields | null {
  const list = centsOf(draft.listPrice)
  const offer = centsOf(draft.offerPrice)
  const { picture } = draft
  if (list === null || offer === null || picture === null) return null
  const ends = dayIn(draft.ends)
  return {
    Nome_Prodotto: draft.name.trim(),
    Descrizione: draft.description.trim(),
    Categoria: draft.category,
    Codice_Minsan: codeOf(draft.code),
    Prezzo_Listino: list,
    Prezzo_Offerta: offer,
    Prezzo_Precedente: centsOf(draft.priorPrice),
    Data_Inizio: dayIn(draft.starts) ?? today,
    ...(ends && { Data_Fine: ends }),
    Stato_Offerta: draft.active ? 'Attiva' : 'Inattiva',
    URL_Immagine: picture.url,
    CloudinaryID: picture.publicId,
  }
}

/** Request fields that overwrite the whole offer: fields that are left out would stay. */
export function toOfferChange(fields: NewFields): ChangedFields {
  return { ...fields, Data_Fine: fields.Data_Fine ?? null }
}
