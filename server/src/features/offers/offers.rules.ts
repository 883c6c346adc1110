import type { Day } from '@bancone/contract/dates'
import { readMinsan } from '@bancone/contract/minsan'
import {
  type OfferChange,
  type OfferFields,
  offerState,
  type WrittenOffer,
} from '@bancone/contract/offers'
import { isMedicine, type RegulatoryClass } from '@bancone/contract/product-categories'

/** All that a pharmacy says of an offer. */
export type OfferDraft = Omit<OfferFields, 'Data_Fine' | 'Farmacia_ID'> & { Data_Fine: Day | null }

export function newDraft(written: WrittenOffer, today: Day): OfferDraft {
  return {
    ...written,
    Data_Inizio: written.Data_Inizio ?? today,
    Data_Fine: written.Data_Fine ?? null,
  }
}

/** What is not given stays as it is. */
export function changedDraft(stored: OfferFields, change: OfferChange): OfferDraft {
  return {
    Nome_Prodotto: change.Nome_Prodotto ?? stored.Nome_Prodotto,
    Descrizione: change.Descrizione ?? stored.Descrizione,
    Categoria: change.Categoria ?? stored.Categoria,
    Codice_Minsan: change.Codice_Minsan === undefined ? stored.Codice_Minsan : change.Codice_Minsan,
    Prezzo_Listino: change.Prezzo_Listino ?? stored.Prezzo_Listino,
    Prezzo_Offerta: change.Prezzo_Offerta ?? stored.Prezzo_Offerta,
    Prezzo_Precedente:
      change.Prezzo_Precedente === undefined ? stored.Prezzo_Precedente : change.Prezzo_Precedente,
    Data_Inizio: change.Data_Inizio ?? stored.Data_Inizio,
    Data_Fine: change.Data_Fine === undefined ? (stored.Data_Fine ?? null) : change.Data_Fine,
    Stato_Offerta: change.Stato_Offerta ?? stored.Stato_Offerta,
    ...changedPicture(stored, change),
  }
}

type Picture = Pick<OfferFields, 'URL_Immagine' | 'CloudinaryID'>

/** Another address alone is of another picture, which is none that we keep. */
function changedPicture(stored: Picture, change: OfferChange): Picture {
  const { URL_Immagine = stored.URL_Immagine, CloudinaryID } = change
  if (CloudinaryID !== undefined) return { URL_Immagine, CloudinaryID }
  const isKept = URL_Immagine === stored.URL_Immagine
  return { URL_Immagine, CloudinaryID: isKept ? stored.CloudinaryID : null }
}

/** Of a picture that we keep the address is ours to say: its name tells which it is. */
export function isSamePicture(one: Picture, other: Picture): boolean {
  if (one.CloudinaryID !== other.CloudinaryID) return false
  return one.CloudinaryID !== null || one.URL_Immagine === other.URL_Immagine
}

type Terms = Pick<OfferDraft, 'Prezzo_Listino' | 'Prezzo_Offerta' | 'Data_Inizio' | 'Data_Fine'>

/** @param stored the offer that would have these terms; undefined for a new one */
export function faultOfTerms(draft: Terms, stored: OfferFields | undefined, today: Day) {
  const { Prezzo_Listino: list, Prezzo_Offerta: price, Data_Inizio: start, Data_Fine: end } = draft
  if (price > list) return 'offers.price_above_list'
  if (end === null) return undefined
  // What has ended is not begun again by whoever mends a word of it.
  const isPast = end < today && end !== stored?.Data_Fine
  return end < start || isPast ? 'offers.ends_too_early' : undefined
}

/** @param regulatoryClass of the draft's category; undefined where there is no such category */
export function faultOfProduct(
  draft: Pick<OfferDraft, 'Categoria' | 'Codice_Minsan'>,
  stored: OfferFields | undefined,
  regulatoryClass: RegulatoryClass | undefined,
) {
  if (regulatoryClass === undefined) return 'offers.unknown_category'
  const { Categoria: category, Codice_Minsan: code } = draft
  if (code === null || !isMedicine(regulatoryClass)) return undefined
  // An offer can be switched off although its category has become one of medicines since.
  if (stored?.Categoria === category && stored.Codice_Minsan === code) return undefined
  return readMinsan(code)?.check === 'valid' ? undefined : 'offers.wrong_code'
}

/** Whether it is one of those of which there may be so many: it is shown, or will be as things are. */
export function isCounted(
  { Data_Fine: end, ...fields }: Pick<OfferDraft, 'Stato_Offerta' | 'Data_Inizio' | 'Data_Fine'>,
  today: Day,
): boolean {
  const state = offerState(end === null ? fields : { ...fields, Data_Fine: end }, today)
  return state === 'active' || state === 'scheduled'
}
