import { formatPrice } from '@bancone/contract/money'
import { useId, useState } from 'react'
import { LIST_BUTTON_ID } from './list-bar.tsx'
import { ListItem } from './list-item.tsx'
import { listTotal } from './list-total.ts'
import { quiet, secondary } from './looks.ts'
import { Modal } from './modal.tsx'
import { goneText, orderedProduct } from './offer-texts.ts'
import { OrderLink } from './order-link.tsx'
import { focusOn } from './page-focus.ts'
import type { Shop } from './shop.ts'

/** The customer's order list, before it is sent as a message. */
export function ListDialog({ shop }: { shop: Shop }) {
  const { list, navigation } = shop
  const title = useId()
  const { lines } = list
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
            <ul className="min-h-0 flex-1 divide-y divide-line overflow-y-auto overscroll-contain px-4 low:overflow-visible md:px-6">
              {lines.map((line) => (
                <ListItem
                  key={line.offerId}
                  line={line}
                  list={list}
                  onRemoved={() => focusOn(title)}
                />
              ))}
            </ul>
            <div className="flex flex-col gap-2 border-t border-line px-4 pt-3 pb-[max(16px,env(safe-area-inset-bottom))] md:px-6">
              <p className="flex items-baseline justify-between gap-4 font-medium">
                Totale
                <span className="text-xl tabular-nums">{formatPrice(listTotal(lines))}</span>
              </p>
              <OrderLink
                products={lines.map(({ offer, quantity, equivalent }) =>
                  orderedProduct(offer, { quantity, equivalent }),
                )}
                offerIds={lines.map(({ offerId }) => offerId)}
                shop={shop}
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
