import type { Day } from '@bancone/contract/dates'
import type { PriorPrice } from '@bancone/contract/offer-prices'
import { type OfferRefusal, PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import type { PublicOffer } from '@bancone/contract/public-offers'
import { OfferCard } from '../../../features/public-offers/offer-card.tsx'
import type { OfferDraft } from './offer-draft.ts'
import { toOfferInput } from './offer-fields.ts'

type OfferPreviewProps = {
  draft: OfferDraft
  prior: PriorPrice | null
  medicine: boolean
  /** Why it cannot be published; null when it can. */
  refusal: OfferRefusal | null
  today: Day
}

/** The draft as a public offer; null while it is incomplete or invalid. */
function publicOffer({ draft, prior, medicine, today }: OfferPreviewProps): PublicOffer | null {
  const input = toOfferInput(draft, today)
  const name = draft.name.trim()
  const offer = input.Prezzo_Offerta ?? input.Prezzo_Listino
  const list = input.Prezzo_Listino ?? offer
  if (name === '' || offer === null || list === null || offer > list) return null
  const { width, height } = draft.picture ?? {}
  return {
    id: '00000000-0000-4000-8000-000000000000',
    createdTime: '',
    fields: {
      Nome_Prodotto: name,
      Descrizione: medicine ? '' : draft.description.trim(),
      Categoria: draft.category,
      Prezzo_Listino: list,
      Prezzo_Offerta: offer,
      Data_Inizio: input.Data_Inizio,
      ...(input.Data_Fine && { Data_Fine: input.Data_Fine }),
      Stato_Offerta: input.Stato_Offerta,
      URL_Immagine: input.URL_Immagine ?? PLACEHOLDER_IMAGE,
    },
    prior,
    medicine,
    imageSize: width && height ? { width, height } : null,
  }
}

/** The offer's card as customers will see it. */
export function OfferPreview(props: OfferPreviewProps) {
  const offer = props.refusal === null ? publicOffer(props) : null
  return (
    <section
      aria-label="Anteprima"
      // Stays in view while the fields are edited.
      className="flex min-w-0 flex-col gap-2 @5xl:sticky @5xl:top-[calc(var(--top-bar)+16px)]"
    >
      <p className="text-sm font-medium">Come la vedranno i clienti</p>
      {offer ? (
        <div className="max-w-68">
          <OfferCard offer={offer} preview />
        </div>
      ) : (
        <p className="rounded-card border border-dashed border-line-strong px-4 py-8 text-center text-sm text-balance text-muted">
          {props.refusal === null
            ? "Scrivi il nome e i prezzi: qui vedi l'offerta come appare nella tua pagina."
            : 'I clienti non la vedranno: questo medicinale non si può pubblicare.'}
        </p>
      )}
    </section>
  )
}
