import type { Day } from '@bancone/contract/dates'
import type { PriorPrice } from '@bancone/contract/offer-prices'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import type { PublicOffer } from '@bancone/contract/public-offers'
import type { OfferDraft } from './offer-draft.ts'
import { centsOf, dayIn } from './offer-fields.ts'

type Previewed = {
  draft: OfferDraft
  prior: PriorPrice | null
  medicine: boolean
  today: Day
}

/** The draft as a public offer; null while it is incomplete or invalid. */
export function previewOffer({ draft, prior, medicine, today }: Previewed): PublicOffer | null {
  const name = draft.name.trim()
  const offer = centsOf(draft.offerPrice) ?? centsOf(draft.listPrice)
  if (name === '' || offer === null) return null
  const list = centsOf(draft.listPrice) ?? offer
  if (offer > list) return null
  const ends = dayIn(draft.ends)
  const { picture } = draft
  return {
    id: '00000000-0000-4000-8000-000000000000',
    createdTime: '',
    fields: {
      Nome_Prodotto: name,
      Descrizione: medicine ? '' : draft.description.trim(),
      Categoria: draft.category,
      Prezzo_Listino: list,
      Prezzo_Offerta: offer,
      Data_Inizio: dayIn(draft.starts) ?? today,
      ...(ends !== null && { Data_Fine: ends }),
      Stato_Offerta: draft.active ? 'Attiva' : 'Inattiva',
      URL_Immagine: picture?.url ?? PLACEHOLDER_IMAGE,
    },
    prior,
    medicine,
    imageSize:
      picture?.width && picture.height ? { width: picture.width, height: picture.height } : null,
  }
}
