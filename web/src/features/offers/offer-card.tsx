import { formatPrice } from '@bancone/contract/money'
import { Link } from 'react-router'
import { cn } from '../../ui/class-names.ts'
import { OfferBadge } from './offer-badge.tsx'
import { offerLinkId } from './offer-focus.ts'
import { itemTint, type OfferItemProps } from './offer-item.ts'
import { priceShown, stateOf } from './offer-lists.ts'
import { OfferMenu } from './offer-menu.tsx'
import { OfferPeriod } from './offer-period.tsx'
import { OfferRefusalNote } from './offer-refusal.tsx'
import { OfferSwitch } from './offer-switch.tsx'

/** An offer as a card, for narrow screens: the content of the table's row. */
export function OfferCard(props: OfferItemProps) {
  const { offer, today, opened, changed, updating, edit, Picture, actions } = props
  const { fields } = offer
  return (
    <li
      data-offer={offer.id}
      data-opened={opened || undefined}
      data-changed={changed || undefined}
      aria-busy={updating}
      className={cn('flex flex-col rounded-card border border-line bg-surface p-3', itemTint)}
    >
      <div className="flex gap-3">
        <Picture
          url={fields.URL_Immagine}
          className="size-20 shrink-0 rounded-md border border-line"
        />
        <div className="min-w-0 flex-1">
          <h3 className="leading-snug font-medium text-wrap">
            <Link
              id={offerLinkId(offer.id)}
              {...edit}
              className="-my-1 line-clamp-3 rounded-sm py-1 wrap-anywhere"
            >
              {fields.Nome_Prodotto}
            </Link>
          </h3>
          <p className="truncate text-sm text-muted">{fields.Categoria}</p>
          <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 tabular-nums">
            <span className="sr-only">Prezzo offerta: </span>
            <span className="font-medium">{formatPrice(fields.Prezzo_Offerta)}</span>
            <span className="text-sm text-muted">
              <span className="sr-only">Prezzo di listino: </span>
              <span aria-hidden>di listino </span>
              {formatPrice(fields.Prezzo_Listino)}
            </span>
            <OfferBadge price={priceShown(offer)} listPrice={fields.Prezzo_Listino} />
          </p>
        </div>
      </div>
      <OfferRefusalNote offer={offer} />
      <p className="my-2 text-sm text-muted">
        <OfferPeriod offer={offer} today={today} />
      </p>
      <div className="-mr-1 -mb-1.5 mt-auto flex items-center justify-between gap-2 border-t border-line pt-1">
        <OfferSwitch
          offer={offer}
          state={stateOf(offer, today)}
          updating={updating}
          onToggle={props.onToggle}
        />
        <OfferMenu offer={offer} actions={actions} />
      </div>
    </li>
  )
}
