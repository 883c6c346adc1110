import { formatPrice } from '@bancone/contract/money'
import { Link, useNavigate } from 'react-router'
import { cn } from '../../ui/class-names.ts'
import { OfferBadge } from './offer-badge.tsx'
import { offerLinkId } from './offer-focus.ts'
import { isOfferClick, itemTint, type OfferItemProps } from './offer-item.ts'
import { priceShown, stateOf } from './offer-lists.ts'
import { OfferMenu } from './offer-menu.tsx'
import { OfferPeriod } from './offer-period.tsx'
import { OfferRefusalNote } from './offer-refusal.tsx'
import { OfferSwitch } from './offer-switch.tsx'
import { cell } from './offers-table.tsx'

export function OfferRow(props: OfferItemProps) {
  const { offer, today, opened, changed, updating, edit, Picture, actions } = props
  const { fields } = offer
  const navigate = useNavigate()
  return (
    // The click on the row is for mice; the keyboard uses the link of the name.
    <tr
      data-offer={offer.id}
      data-opened={opened || undefined}
      data-changed={changed || undefined}
      aria-busy={updating}
      onClick={(event) => (isOfferClick(event) ? void navigate(edit.to, edit) : undefined)}
      className={cn(
        'cursor-pointer transition-colors duration-150 hover:bg-sunken/70 data-opened:[&>td:first-child]:shadow-[inset_3px_0_0_var(--c-accent)]',
        itemTint,
      )}
    >
      <td className={cell}>
        <Picture url={fields.URL_Immagine} className="size-14 rounded-md border border-line" />
      </td>
      <th scope="row" className={cn(cell, 'text-left')}>
        <Link
          id={offerLinkId(offer.id)}
          {...edit}
          className="line-clamp-2 rounded-sm font-medium wrap-anywhere underline-offset-4 hover:underline"
        >
          {fields.Nome_Prodotto}
        </Link>
        <span className="mt-0.5 block truncate text-xs font-normal text-muted">
          {fields.Categoria}
          {fields.Codice_Minsan === null ? null : (
            <span className="tabular-nums"> · {fields.Codice_Minsan}</span>
          )}
        </span>
        <OfferRefusalNote offer={offer} />
      </th>
      <td className={cn(cell, 'text-right text-muted tabular-nums')}>
        {formatPrice(fields.Prezzo_Listino)}
      </td>
      <td className={cn(cell, 'text-right font-medium tabular-nums')}>
        {formatPrice(fields.Prezzo_Offerta)}
      </td>
      <td className={cell}>
        <OfferBadge price={priceShown(offer)} listPrice={fields.Prezzo_Listino} />
      </td>
      <td className={cn(cell, 'text-muted')}>
        <OfferPeriod offer={offer} today={today} />
      </td>
      <td className={cell}>
        <OfferSwitch
          offer={offer}
          state={stateOf(offer, today)}
          updating={updating}
          onToggle={props.onToggle}
        />
      </td>
      <td className={cell}>
        <OfferMenu offer={offer} actions={actions} />
      </td>
    </tr>
  )
}
