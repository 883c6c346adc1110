import type { SheetOffer } from './sheet-offer.ts'

/** Offer price and struck-out price. */
export function SheetPrices({ offer: { price, before } }: { offer: SheetOffer }) {
  return (
    <p className="sheet-prices">
      <span className="sheet-price">{price}</span>
      {before === null ? null : (
        <s>
          <span className="sr-only">Prima: </span>
          {before}
        </s>
      )}
    </p>
  )
}
