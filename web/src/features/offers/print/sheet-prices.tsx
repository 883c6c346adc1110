import type { SheetOffer } from './sheet-offer.ts'

/** What it costs, and what it cost before. */
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
