import { taggedLink } from '@bancone/contract/link-tags'
import { type PublicOffer, publicPrice } from '@bancone/contract/public-offers'
import { Share2 } from 'lucide-react'
import { useId, useState } from 'react'
import { cn } from '../../ui/class-names.ts'
import { AddToList } from './add-to-list.tsx'
import { Modal } from './modal.tsx'
import { offerLinkId } from './offer-card.tsx'
import { OfferPicture } from './offer-picture.tsx'
import { OfferBadge, OfferPrice } from './offer-price.tsx'
import { OrderLink, orderedProduct } from './order-link.tsx'
import { focusOn } from './page-focus.ts'
import { PrescriptionFields, usePrescription } from './prescription-fields.tsx'
import type { Shop } from './shop.ts'
import { quiet, secondary } from './styles.ts'

/** Details and actions of an offer. */
export function OfferDialog({ offer, shop }: { offer: PublicOffer; shop: Shop }) {
  const title = useId()
  const prescription = usePrescription()
  const { Nome_Prodotto: name, Descrizione, Categoria } = offer.fields
  return (
    <Modal
      wide
      labelledBy={title}
      below={shop.navigation.address()}
      onClose={shop.navigation.closeOffer}
      onReturnFocus={() => focusOn(offerLinkId(offer.id))}
    >
      <div className="grid min-h-0 grid-cols-1 overflow-y-auto overscroll-contain md:grid-cols-2">
        <div className="relative bg-paper">
          <OfferPicture
            offer={offer}
            shape="dialog"
            eager
            alt={`Foto di ${name}`}
            smaller={offerLinkId(offer.id)}
            className="h-[min(32dvh,92vw)] w-full p-4 md:sticky md:top-0 md:aspect-square md:h-auto md:p-8"
          />
          <OfferBadge shown={publicPrice(offer)} className="absolute top-4 left-4" />
        </div>
        <div className="flex min-w-0 flex-col gap-4 p-4 pb-0 md:p-8 md:pb-0">
          <div className="md:pr-10">
            <p className="text-sm text-muted">{Categoria}</p>
            <h2
              id={title}
              className="text-xl leading-snug font-medium tracking-tight text-pretty break-words hyphens-auto md:text-2xl"
            >
              {name}
            </h2>
          </div>
          <OfferPrice offer={offer} large />
          {Descrizione === '' || offer.medicine ? null : (
            <p className="break-words whitespace-pre-line">{Descrizione}</p>
          )}
          {offer.medicine ? (
            <p className="text-sm text-muted">Si prenota qui e si ritira in farmacia.</p>
          ) : null}
          <ShareButton
            title={name}
            url={taggedLink(
              shop.publicUrl + shop.navigation.sharedAddress(offer.id),
              'condivisione',
            )}
          />
          <PrescriptionFields shop={shop} prescription={prescription} />
          {/* Always visible, however long the text is; in one row on low screens, to leave space for the text. */}
          <div className="sticky bottom-0 -mx-4 mt-auto flex flex-col gap-2 border-t border-line bg-surface px-4 pt-3 pb-[max(16px,env(safe-area-inset-bottom))] low:flex-row low:flex-wrap low:py-2 low:*:flex-1 md:mx-0 md:border-0 md:px-0 md:pt-4 md:pb-8">
            <OrderLink
              products={[orderedProduct(offer)]}
              offerIds={[offer.id]}
              describedBy={title}
              shop={shop}
              prescription={prescription}
            />
            <AddToList offer={offer} describedBy={title} shop={shop} look={secondary} />
          </div>
        </div>
      </div>
    </Modal>
  )
}

const said = {
  copied: 'Link copiato negli appunti.',
  failed: 'Non è stato possibile condividere il link.',
}

/** Shares the offer's URL by the share dialog of the device, or copies it. */
function ShareButton({ title, url }: { title: string; url: string }) {
  const [result, setResult] = useState<keyof typeof said | null>(null)

  async function share() {
    setResult(null)
    const canShare = 'share' in navigator
    try {
      if (canShare) await navigator.share({ title, url })
      else {
        await navigator.clipboard.writeText(url)
        setResult('copied')
      }
    } catch (error) {
      // Closing the share dialog is no failure.
      const left = error instanceof DOMException && error.name === 'AbortError'
      if (!left) setResult('failed')
    }
  }

  return (
    <>
      <button
        type="button"
        className={cn(quiet, 'needs-script -my-1 -ml-3 self-start')}
        onClick={() => {
          void share()
        }}
      >
        <Share2 aria-hidden />
        Condividi
      </button>
      <p role="status" className="text-sm text-muted empty:hidden">
        {result === null ? null : said[result]}
      </p>
    </>
  )
}
