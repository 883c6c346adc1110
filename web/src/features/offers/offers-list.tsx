import type { Day } from '@bancone/contract/dates'
import { errorText } from '@bancone/contract/errors'
import { formatPrice } from '@bancone/contract/money'
import type { ShownPrice } from '@bancone/contract/offer-prices'
import type { OfferRecord } from '@bancone/contract/offers'
import { Star, TrendingDown } from 'lucide-react'
import { startTransition, useId, useOptimistic } from 'react'
import { useNavigate } from 'react-router'
import { badgeText } from '../../lib/shown-prices.ts'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { cn } from '../../ui/class-names.ts'
import { HostedImage } from '../../ui/hosted-image.tsx'
import { PressedLink } from '../../ui/pressed-link.tsx'
import { SwitchMark } from '../../ui/switch.tsx'
import { offerLinkId } from './offer-focus.ts'
import { type FormLink, isOfferClick, itemTint, type OfferItemProps } from './offer-item.ts'
import { type ListedState, priceShown, stateOf } from './offer-lists.ts'
import { type OfferActions, OfferMenu } from './offer-menu.tsx'
import { OfferPeriod } from './offer-period.tsx'
import { OfferStateWord } from './offer-state.tsx'
import type { Go, OffersAddress } from './offers-address.ts'
import { cell, OffersTable } from './offers-table.tsx'

type OffersListProps = {
  offers: readonly OfferRecord[]
  today: Day
  address: OffersAddress
  go: Go
  /** Ids of offers with pending changes. */
  updating: { has: (offerId: string) => boolean }
  /** Id of the offer that was saved last. */
  changed: string | null
  formLink: (task: Pick<OffersAddress, 'offerta'>) => FormLink
  actions: (offer: OfferRecord) => OfferActions
  onToggle: (offer: OfferRecord) => void
}

export function OffersList(props: OffersListProps) {
  const { offers, today, address, go, updating, changed, formLink, actions } = props
  const wide = useMediaQuery(WIDE)
  const itemOf = (offer: OfferRecord): OfferItemProps => ({
    offer,
    today,
    opened: address.offerta === offer.id,
    changed: changed === offer.id,
    updating: updating.has(offer.id),
    edit: formLink({ offerta: offer.id }),
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

/** An offer as a card, for narrow screens: the content of the table's row. */
function OfferCard(props: OfferItemProps) {
  const { offer, today, opened, changed, updating, edit, actions } = props
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
        <HostedImage
          variant="thumbnail"
          alt=""
          url={fields.URL_Immagine}
          className="size-20 shrink-0 rounded-md border border-line"
        />
        <div className="min-w-0 flex-1">
          <h3 className="leading-snug font-medium text-wrap">
            <PressedLink
              id={offerLinkId(offer.id)}
              {...edit}
              className="-my-1 line-clamp-3 rounded-sm py-1 wrap-anywhere"
            >
              {fields.Nome_Prodotto}
            </PressedLink>
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

function OfferRow(props: OfferItemProps) {
  const { offer, today, opened, changed, updating, edit, actions } = props
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
        <HostedImage
          variant="thumbnail"
          alt=""
          url={fields.URL_Immagine}
          className="size-14 rounded-md border border-line"
        />
      </td>
      <th scope="row" className={cn(cell, 'text-left')}>
        <PressedLink
          id={offerLinkId(offer.id)}
          {...edit}
          className="line-clamp-2 rounded-sm font-medium wrap-anywhere underline-offset-4 hover:underline"
        >
          {fields.Nome_Prodotto}
        </PressedLink>
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

const looks = {
  discount: { Icon: TrendingDown, className: 'border-danger-line bg-danger-soft text-danger' },
  featured: {
    Icon: Star,
    className: 'border-bookedToday-line bg-bookedToday-soft text-bookedToday',
  },
}

type OfferBadgeProps = { price: ShownPrice; listPrice: number }

/** The discount of the offer as shown to customers, and its reference price where that is not the list price. */
function OfferBadge({ price, listPrice }: OfferBadgeProps) {
  const { before } = price
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <Badge price={price} />
      {before !== null && before < listPrice ? (
        <span className="text-xs text-muted tabular-nums">su {formatPrice(before)}</span>
      ) : null}
    </span>
  )
}

function Badge({ price }: { price: ShownPrice }) {
  const { Icon, className } = looks[price.type]
  return (
    <span
      data-type={price.type}
      className={cn(
        'inline-flex h-6 items-center gap-1 rounded-full border px-2 text-xs font-medium whitespace-nowrap tabular-nums',
        className,
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {badgeText(price)}
    </span>
  )
}

/** Why an offer that is switched on is not published. */
function OfferRefusalNote({ offer: { fields, refusal } }: { offer: OfferRecord }) {
  if (refusal === null || fields.Stato_Offerta === 'Inattiva') return null
  return (
    <p className="mt-0.5 text-xs font-normal text-pretty text-danger">
      <span className="font-medium">Non pubblicata.</span> {errorText(refusal)}
    </p>
  )
}

type OfferSwitchProps = {
  offer: OfferRecord
  state: ListedState
  /** The change is pending. */
  updating: boolean
  onToggle: () => void
}

/** Switches an offer on and off. The word beside it is its effective state today. */
function OfferSwitch({ offer, state, updating, onToggle }: OfferSwitchProps) {
  const id = useId()
  const isOn = offer.fields.Stato_Offerta === 'Attiva'
  const [checked, press] = useOptimistic(isOn)

  /** The switch moves at once: to draw the list again takes longer. */
  function toggle() {
    startTransition(() => {
      press(!checked)
      onToggle()
    })
  }

  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={`Offerta attiva: ${offer.fields.Nome_Prodotto}`}
      aria-describedby={id}
      aria-disabled={updating || undefined}
      onClick={updating || checked !== isOn ? undefined : toggle}
      className="group -ml-1.5 flex min-h-11 items-center gap-2.5 rounded-control px-1.5 text-left"
    >
      <SwitchMark checked={checked} />
      <OfferStateWord id={id} state={state} />
    </button>
  )
}
