import { type PublicOffer, publicPrice } from '@bancone/contract/public-offers'
import { MessageCircle, Plus } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { AddToList } from './add-to-list.tsx'
import { OfferPicture } from './offer-picture.tsx'
import { OfferBadge, OfferPrice } from './offer-price.tsx'
import { OrderLink, orderedProduct, orderLabel } from './order-link.tsx'
import type { Shop } from './shop.ts'
import { primary, quiet } from './styles.ts'
import { isPlainClick, type PageNavigation } from './use-page-location.ts'

type OfferCardProps = { offer: PublicOffer } & (
  | { preview?: false; shop: Shop; eager: boolean }
  /** Preview in the offer's form, without links. */
  | { preview: true }
)

/** For narrow cards. */
const compact = 'text-sm max-md:gap-1.5 max-md:px-1.5'

/** An offer in the list of the public page. */
export function OfferCard(props: OfferCardProps) {
  const { offer } = props
  const name = useId()
  const picture = (
    <OfferPicture
      offer={offer}
      shape="card"
      eager={props.preview ? true : props.eager}
      // The name is in the same link.
      alt=""
      className="aspect-square w-full p-2 transition-opacity group-hover:opacity-90 md:p-4"
    />
  )
  const words = 'px-3 pt-3 pb-1.5 leading-snug font-medium text-pretty break-words hyphens-auto'
  return (
    <article
      aria-labelledby={name}
      className="relative flex h-full flex-col overflow-hidden rounded-card border border-line bg-surface"
    >
      {props.preview ? (
        <>
          {picture}
          <p id={name} className={words}>
            {offer.fields.Nome_Prodotto}
          </p>
        </>
      ) : (
        <OfferLink offer={offer} navigation={props.shop.navigation}>
          {picture}
          <h2 id={name} className={words}>
            {offer.fields.Nome_Prodotto}
          </h2>
        </OfferLink>
      )}
      <OfferBadge
        shown={publicPrice(offer)}
        className="pointer-events-none absolute top-2 left-2 md:top-3 md:left-3"
      />
      <div className="flex flex-1 flex-col justify-between gap-3 p-3 pt-0">
        <OfferPrice offer={offer} />
        <div className="flex flex-col gap-1 print:hidden">
          {props.preview ? (
            <InertActions medicine={offer.medicine} />
          ) : (
            <>
              <OrderLink
                products={[orderedProduct(offer)]}
                offerIds={[offer.id]}
                describedBy={name}
                shop={props.shop}
                className={compact}
              />
              <AddToList offer={offer} describedBy={name} shop={props.shop} className={compact} />
            </>
          )}
        </div>
      </div>
    </article>
  )
}

function InertActions({ medicine }: { medicine: boolean }) {
  return (
    <>
      <span className={`${primary} cursor-default ${compact}`}>
        <MessageCircle aria-hidden />
        {orderLabel(medicine)}
      </span>
      <span className={`${quiet} cursor-default ${compact}`}>
        <Plus aria-hidden />
        Aggiungi alla lista
      </span>
    </>
  )
}

/** Element id of the link that gets the focus when the offer's dialog closes. */
export function offerLinkId(offerId: string): string {
  return `offerta-${offerId}`
}

type OfferLinkProps = { offer: PublicOffer; navigation: PageNavigation; children: ReactNode }

/** Opens the offer in a dialog; without JavaScript, as a page. */
function OfferLink({ offer, navigation, children }: OfferLinkProps) {
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
