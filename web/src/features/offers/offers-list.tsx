import type { Day } from '@bancone/contract/dates'
import type { OfferRecord } from '@bancone/contract/offers'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { OfferCard } from './offer-card.tsx'
import type { FormLink, OfferItemProps, OfferPicture } from './offer-item.ts'
import type { OfferActions } from './offer-menu.tsx'
import { OfferRow } from './offer-row.tsx'
import type { Go, OffersAddress } from './offers-address.ts'
import { OffersTable } from './offers-table.tsx'

type OffersListProps = {
  offers: readonly OfferRecord[]
  today: Day
  address: OffersAddress
  go: Go
  /** Ids of offers with pending changes. */
  updating: { has: (offerId: string) => boolean }
  /** Id of the offer that was saved last. */
  changed: string | null
  Picture: OfferPicture
  formLink: (task: Pick<OffersAddress, 'offerta'>) => FormLink
  actions: (offer: OfferRecord) => OfferActions
  onToggle: (offer: OfferRecord) => void
}

export function OffersList(props: OffersListProps) {
  const { offers, today, address, go, updating, changed, Picture, formLink, actions } = props
  const wide = useMediaQuery(WIDE)
  const itemOf = (offer: OfferRecord): OfferItemProps => ({
    offer,
    today,
    opened: address.offerta === offer.id,
    changed: changed === offer.id,
    updating: updating.has(offer.id),
    edit: formLink({ offerta: offer.id }),
    Picture,
    actions: actions(offer),
    onToggle: () => props.onToggle(offer),
  })
  if (!wide) {
    return (
      <ul className="grid grid-cols-1 gap-2.5 md:grid-cols-2">
        {offers.map((offer) => (
          <OfferCard key={offer.id} {...itemOf(offer)} />
        ))}
      </ul>
    )
  }
  return (
    <OffersTable ordina={address.ordina} onSort={(ordina) => go({ ordina })}>
      {offers.map((offer) => (
        <OfferRow key={offer.id} {...itemOf(offer)} />
      ))}
    </OffersTable>
  )
}
