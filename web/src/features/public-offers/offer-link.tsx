import type { PublicOffer } from '@bancone/contract/public-offers'
import type { MouseEvent, ReactNode } from 'react'
import type { PageNavigation } from './use-page-location.ts'

/** Element id of the link that gets the focus when the offer's dialog closes. */
export function offerLinkId(offerId: string): string {
  return `offerta-${offerId}`
}

/** Clicks with a modifier key open the link elsewhere, and are left to the browser. */
export function isPlainClick({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
}

type OfferLinkProps = { offer: PublicOffer; navigation: PageNavigation; children: ReactNode }

/** Opens the offer in a dialog; without JavaScript, as a page. */
export function OfferLink({ offer, navigation, children }: OfferLinkProps) {
  return (
    <a
      id={offerLinkId(offer.id)}
      href={navigation.offerAddress(offer.id)}
      className="group rounded-card outline-offset-[-3px]"
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        navigation.openOffer(offer.id)
      }}
    >
      {children}
    </a>
  )
}
