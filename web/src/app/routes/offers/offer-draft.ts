import { type OfferRecord, PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import { z } from 'zod/mini'
import { ChosenImage } from '../../../features/images/chosen-image.ts'
import { priceText } from '../../../lib/shown-prices.ts'

const Text = z.catch(z.string(), '')

/** The declared prior price of a product whose list price was charged for the last 30 days. */
export const LIST_PRICE = 'listino'

/** The form as typed, valid or not. An empty start date means today. */
export const OfferDraft = z.object({
  name: Text,
  category: Text,
  description: Text,
  code: Text,
  listPrice: Text,
  offerPrice: Text,
  priorPrice: Text,
  starts: Text,
  ends: Text,
  active: z.catch(z.boolean(), true),
  picture: z.catch(z.nullable(ChosenImage), null),
})
export type OfferDraft = z.infer<typeof OfferDraft>

export type OfferField = Exclude<keyof OfferDraft, 'active'>

export const emptyDraft = OfferDraft.parse({})

/** The source of a picture is not stored, but ids of the shared archive have a common prefix. */
function pictureOf(url: string, publicId: string | null): ChosenImage {
  const ofProvider = publicId === null && url !== PLACEHOLDER_IMAGE
  const source = ofProvider ? 'fallback' : publicId?.startsWith('archive_') ? 'cache' : 'manual'
  return { url, publicId, width: null, height: null, source }
}

/** The draft of an existing offer. */
export function draftOf({ fields }: OfferRecord): OfferDraft {
  return {
    name: fields.Nome_Prodotto,
    category: fields.Categoria,
    description: fields.Descrizione,
    code: fields.Codice_Minsan ?? '',
    listPrice: priceText(fields.Prezzo_Listino),
    offerPrice: priceText(fields.Prezzo_Offerta),
    priorPrice:
      fields.Prezzo_Precedente === fields.Prezzo_Listino
        ? LIST_PRICE
        : priceText(fields.Prezzo_Precedente),
    starts: fields.Data_Inizio,
    ends: fields.Data_Fine ?? '',
    active: fields.Stato_Offerta === 'Attiva',
    picture: pictureOf(fields.URL_Immagine, fields.CloudinaryID),
  }
}

/** The draft of a copy: starts today, without an end. */
export function copyOf(offer: OfferRecord): OfferDraft {
  return { ...draftOf(offer), starts: '', ends: '', active: true }
}

export function sameDraft(one: OfferDraft, other: OfferDraft): boolean {
  return JSON.stringify(OfferDraft.parse(one)) === JSON.stringify(OfferDraft.parse(other))
}
