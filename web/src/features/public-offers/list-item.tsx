import { formatPrice } from '@bancone/contract/money'
import { publicPrice } from '@bancone/contract/public-offers'
import { Trash2 } from 'lucide-react'
import { useId } from 'react'
import { square } from './looks.ts'
import { OfferPicture } from './offer-picture.tsx'
import { QuantityField } from './quantity-field.tsx'
import type { OrderList } from './use-order-list.ts'

type ListItemProps = {
  line: OrderList['lines'][number]
  list: OrderList
  onRemoved: () => void
}

/** A product of the list: its quantity, and of a medicine whether an equivalent is accepted. */
export function ListItem({ line, list, onRemoved }: ListItemProps) {
  const { offer, offerId, quantity, equivalent } = line
  const { Nome_Prodotto: name } = offer.fields
  const equivalence = useId()
  return (
    <li className="grid grid-cols-[auto_1fr_auto] gap-x-3 gap-y-1.5 py-3">
      <OfferPicture offer={offer} shape="card" eager={false} alt="" className="size-14 rounded" />
      <div className="min-w-0">
        <p className="leading-snug font-medium break-words">{name}</p>
        <p className="text-sm text-muted tabular-nums">{formatPrice(publicPrice(offer).cents)}</p>
      </div>
      <button
        type="button"
        aria-label={`Rimuovi ${name}`}
        className={square}
        onClick={() => {
          list.remove(offerId)
          onRemoved()
        }}
      >
        <Trash2 aria-hidden />
      </button>
      <div className="col-span-full flex flex-wrap items-center justify-between gap-x-4">
        <QuantityField
          label={`Quantità di ${name}`}
          quantity={quantity}
          onChange={(next) => list.change(offerId, { quantity: next })}
        />
        {offer.medicine ? (
          <label htmlFor={equivalence} className="flex min-h-12 items-center gap-2.5">
            <input
              id={equivalence}
              type="checkbox"
              checked={equivalent}
              aria-label={`Equivalente: ${name}`}
              className="size-6 accent-accent"
              onChange={({ target }) => list.change(offerId, { equivalent: target.checked })}
            />
            <span className="min-w-32">Equivalente: {equivalent ? 'sì' : 'no'}</span>
          </label>
        ) : null}
      </div>
    </li>
  )
}
