import { formatPrice } from '@bancone/contract/money'
import { publicPrice } from '@bancone/contract/public-offers'
import { MAX_QUANTITY } from '@bancone/contract/whatsapp-order'
import { Minus, Plus, ShoppingBasket, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { cn } from '../../ui/class-names.ts'
import { Modal } from './modal.tsx'
import { OfferPicture } from './offer-picture.tsx'
import { OrderLink, orderedProduct } from './order-link.tsx'
import { goneText, isQuantity, type OrderList } from './order-list.ts'
import { focusOn } from './page-focus.ts'
import { PrescriptionFields, usePrescription } from './prescription-fields.tsx'
import type { Shop } from './shop.ts'
import { primary, quiet, secondary, square } from './styles.ts'

const LIST_BUTTON_ID = 'apri-lista'

/** Opens the order list; fixed to the bottom of the screen. */
export function ListBar({
  shop: { list, navigation },
}: {
  shop: Pick<Shop, 'list' | 'navigation'>
}) {
  return (
    <>
      {/* The page is padded, so that its end can be scrolled above the bar. */}
      <div aria-hidden className="h-24" />
      <div className="fixed inset-x-0 bottom-0 z-10 border-t border-line bg-surface pt-2.5 pb-[max(10px,env(safe-area-inset-bottom))] shadow-float">
        <div className="mx-auto flex max-w-5xl items-center justify-end px-3 md:px-6">
          <button
            type="button"
            id={LIST_BUTTON_ID}
            className={cn(primary, 'w-full px-4 sm:w-auto sm:min-w-72')}
            onClick={navigation.openList}
          >
            <ShoppingBasket aria-hidden />
            <span>Lista ({list.lines.length})</span>
            <span className="ml-auto tabular-nums">
              <span className="sr-only">, totale </span>
              {formatPrice(list.total)}
            </span>
          </button>
        </div>
      </div>
    </>
  )
}

/** The customer's order list, before it is sent as a message. */
export function ListDialog({ shop }: { shop: Shop }) {
  const { list, navigation } = shop
  const title = useId()
  const { lines } = list
  const prescription = usePrescription()
  const [putBack, setPutBack] = useState<(() => void) | null>(null)
  return (
    <Modal
      labelledBy={title}
      below={navigation.address()}
      onClose={navigation.closeList}
      onReturnFocus={() => focusOn(LIST_BUTTON_ID)}
    >
      {/* On low screens the whole dialog scrolls. */}
      <div className="flex min-h-0 flex-col low:block low:overflow-y-auto low:overscroll-contain">
        <div className="px-4 pt-4 pr-16 pb-2 md:px-6 md:pt-5">
          <h2 id={title} tabIndex={-1} className="text-xl font-medium tracking-tight outline-none">
            La lista
          </h2>
          {lines.some(({ offer }) => offer.medicine) ? (
            <p className="text-sm text-pretty text-muted">
              «Equivalente: sì» vuol dire che va bene anche un medicinale equivalente di un’altra
              marca.
            </p>
          ) : null}
        </div>
        {/* The page below says the same, but is hidden. */}
        <p
          role="status"
          className="px-4 pb-2 text-sm break-words text-pending empty:hidden md:px-6"
        >
          {list.gone.length > 0 ? goneText(list.gone) : null}
        </p>
        {lines.length > 0 ? (
          <>
            <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 low:overflow-visible md:px-6">
              <ul className="divide-y divide-line">
                {lines.map((line) => (
                  <ListItem
                    key={line.offerId}
                    line={line}
                    list={list}
                    onRemoved={() => focusOn(title)}
                  />
                ))}
              </ul>
              <PrescriptionFields shop={shop} prescription={prescription} />
            </div>
            <div className="flex flex-col gap-2 border-t border-line px-4 pt-3 pb-[max(16px,env(safe-area-inset-bottom))] md:px-6">
              <p className="flex items-baseline justify-between gap-4 font-medium">
                Totale
                <span className="text-xl tabular-nums">{formatPrice(list.total)}</span>
              </p>
              <OrderLink
                products={lines.map(({ offer, quantity, equivalent }) =>
                  orderedProduct(offer, { quantity, equivalent }),
                )}
                offerIds={lines.map(({ offerId }) => offerId)}
                shop={shop}
                prescription={prescription}
              />
              <button
                type="button"
                className={quiet}
                onClick={() => {
                  const undo = list.clear()
                  setPutBack(() => undo)
                  focusOn(title)
                }}
              >
                Svuota la lista
              </button>
            </div>
          </>
        ) : (
          <div className="flex flex-col gap-4 px-4 pt-2 pb-8 md:px-6">
            <p className="text-muted">
              La lista è vuota: aggiungi i prodotti che vuoi e mandali con un solo messaggio.
            </p>
            {putBack ? (
              <button
                type="button"
                className={secondary}
                onClick={() => {
                  putBack()
                  setPutBack(null)
                  focusOn(title)
                }}
              >
                Rimetti i prodotti nella lista
              </button>
            ) : null}
          </div>
        )}
      </div>
    </Modal>
  )
}

type ListItemProps = {
  line: OrderList['lines'][number]
  list: OrderList
  onRemoved: () => void
}

/** A product of the list: its quantity, and of a medicine whether an equivalent is accepted. */
function ListItem({ line, list, onRemoved }: ListItemProps) {
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

type QuantityFieldProps = {
  label: string
  quantity: number
  onChange: (quantity: number) => void
}

/** A quantity with two buttons, or typed. */
function QuantityField({ label, quantity, onChange }: QuantityFieldProps) {
  // While it is typed, the text may be no number.
  const [typed, setTyped] = useState<string | null>(null)

  function step(by: number) {
    setTyped(null)
    if (isQuantity(quantity + by)) onChange(quantity + by)
  }

  return (
    <div role="group" aria-label={label} className="-ml-2 flex items-center">
      <button
        type="button"
        aria-label="Uno di meno"
        aria-disabled={quantity === 1}
        className={square}
        onClick={() => step(-1)}
      >
        <Minus aria-hidden />
      </button>
      <input
        aria-label={label}
        inputMode="numeric"
        maxLength={2}
        value={typed ?? quantity}
        className="h-12 w-14 rounded-control border border-line-strong bg-surface text-center text-base tabular-nums"
        onChange={({ target }) => {
          const text = target.value.replaceAll(/\D/g, '')
          setTyped(text)
          if (isQuantity(Number(text))) onChange(Number(text))
        }}
        onBlur={() => setTyped(null)}
        onFocus={({ target }) => target.select()}
      />
      <button
        type="button"
        aria-label="Uno di più"
        aria-disabled={quantity === MAX_QUANTITY}
        className={square}
        onClick={() => step(1)}
      >
        <Plus aria-hidden />
      </button>
    </div>
  )
}
