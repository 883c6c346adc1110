import type { Day } from '@bancone/contract/dates'
import type { PriorPrice } from '@bancone/contract/offer-prices'
import type { OfferDraft } from '../../../features/offers/form/offer-draft.ts'
import { previewOffer } from '../../../features/offers/form/preview-offer.ts'
import { OfferCard } from '../../../features/public-offers/offer-card.tsx'

type OfferPreviewProps = {
  draft: OfferDraft
  prior: PriorPrice | null
  medicine: boolean
  today: Day
}

/** The offer's card as customers will see it. */
export function OfferPreview(props: OfferPreviewProps) {
  const offer = previewOffer(props)
  return (
    <section
      aria-label="Anteprima"
      // Stays in view while the fields are edited.
      className="flex min-w-0 flex-col gap-2 @5xl:sticky @5xl:top-18"
    >
      <p className="text-sm font-medium">Come la vedranno i clienti</p>
      {offer ? (
        <div className="max-w-68">
          <OfferCard offer={offer} preview />
        </div>
      ) : (
        <p className="rounded-card border border-dashed border-line-strong px-4 py-8 text-center text-sm text-balance text-muted">
          Scrivi il nome e i prezzi: qui vedi l'offerta come appare nella tua pagina.
        </p>
      )}
    </section>
  )
}
