import type { PublicOffer } from '@bancone/contract/public-offers'
import type { MouseEvent, ReactNode } from 'react'
import type { PlaceControl } from './use-place.ts'

/** Where the focus comes back to when the offer's dialog closes. */
export function offerLinkId(offerId: string): string {
  return `offerta-${offerId}`
}

/** With a key held down a link opens elsewhere, and that is the browser's to do. */
export function isPlainClick({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
}

type OfferLinkProps = { offer: PublicOffer; place: PlaceControl; children: ReactNode }

/** Opens the offer over the page; without JavaScript, as a page. */
export function OfferLink({ offer, place, children }: OfferLinkProps) {
  return (
    <a
      id={offerLinkId(offer.id)}
      href={place.offerAddress(offer.id)}
      className="group rounded-card outline-offset-[-3px]"
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        place.openOffer(offer.id)
      }}
    >
      {children}
    </a>
  )
}
