import { type Day, Day as DayShape } from '@bancone/contract/dates'
import type { Request } from '@bancone/contract/endpoint'
import { readMinsan } from '@bancone/contract/minsan'
import { parsePrice } from '@bancone/contract/money'
import type { changeOffer, createOffer } from '@bancone/contract/offers'
import type { OfferDraft } from './offer-draft.ts'

export type NewFields = Request<typeof createOffer>['body']['fields']
export type ChangedFields = Request<typeof changeOffer>['body']['fields']

/** Cents; null where there is no price that could be one. */
export function centsOf(text: string): number | null {
  return parsePrice(text) || null
}

/** Null where it is no day of the calendar. */
export function dayIn(text: string): Day | null {
  const day = DayShape.safeParse(text)
  return day.success ? day.data : null
}

/** A code that may be used, as its nine digits; null otherwise. */
export function codeOf(text: string): string | null {
  const read = readMinsan(text)
  return read && read.check !== 'wrong' ? read.code : null
}

/** What is sent of a draft in which nothing is wrong; null where something is missing all the same. */
export function writtenOffer(draft: OfferDraft, today: Day): NewFields | null {
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

/** The whole of it, over what was there: what is not said would stay. */
export function writtenChange(fields: NewFields): ChangedFields {
  return { ...fields, Data_Fine: fields.Data_Fine ?? null }
}
