import type { Day } from '@bancone/contract/dates'
import {
  type OfferChange,
  type OfferFields,
  type OfferInput,
  offerState,
} from '@bancone/contract/offers'

/** All fields of an offer that a pharmacy sets. */
export type OfferDraft = Omit<OfferFields, 'Data_Fine' | 'Farmacia_ID'> & { Data_Fine: Day | null }

export function newDraft({ Farmacia_ID: _code, ...written }: OfferInput, today: Day): OfferDraft {
  return {
    ...written,
    Data_Inizio: written.Data_Inizio ?? today,
    Data_Fine: written.Data_Fine ?? null,
  }
}

/** Applies a change; fields that are not given stay. */
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

/** A new URL without an id is a picture elsewhere, which is not stored here. */
function changedPicture(stored: Picture, change: OfferChange): Picture {
  const { URL_Immagine = stored.URL_Immagine, CloudinaryID } = change
  if (CloudinaryID !== undefined) return { URL_Immagine, CloudinaryID }
  const isKept = URL_Immagine === stored.URL_Immagine
  return { URL_Immagine, CloudinaryID: isKept ? stored.CloudinaryID : null }
}

/** Compares stored pictures by their id: their URL is set by the server. */
export function isSamePicture(one: Picture, other: Picture): boolean {
  if (one.CloudinaryID !== other.CloudinaryID) return false
  return one.CloudinaryID !== null || one.URL_Immagine === other.URL_Immagine
}

/** Whether the offer counts towards the limit: it is published, or will be. */
export function countsTowardsLimit(
  { Data_Fine: end, ...fields }: Pick<OfferDraft, 'Stato_Offerta' | 'Data_Inizio' | 'Data_Fine'>,
  today: Day,
): boolean {
  const state = offerState(end === null ? fields : { ...fields, Data_Fine: end }, today)
  return state === 'active' || state === 'scheduled'
}
