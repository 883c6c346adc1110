import type { SheetOffer } from './sheet-offer.ts'
import { labelPages } from './sheet-pages.ts'
import { SheetCode, SheetPrices } from './sheet-parts.tsx'

function Label({ offer, code }: { offer: SheetOffer; code: string }) {
  return (
    <li className="label">
      <div className="label-words">
        <h3 className="label-name">{offer.name}</h3>
        <SheetPrices offer={offer} />
        <div className="label-note">
          {offer.prior === null ? null : <p>{offer.prior}</p>}
          {offer.validity === null ? null : <p>{offer.validity}</p>}
        </div>
      </div>
      <div className="label-side">
        <SheetCode code={code} offerId={offer.id} title={`QR code: ${offer.name}`} />
        {offer.badge === null ? null : (
          <p className="sheet-badge" data-type={offer.type}>
            {offer.badge}
          </p>
        )}
      </div>
    </li>
  )
}

type ShelfLabelsProps = {
  offers: readonly SheetOffer[]
  /** The readable code of the pharmacy. */
  code: string
  /** Number of the first unused label on the first sheet, from 1. */
  first: number
}

/** Labels for shelves, on sheets of 24. */
export function ShelfLabels({ offers, code, first }: ShelfLabelsProps) {
  const pages = labelPages(offers, first)
  return pages.map((page, index) => (
    <div key={page.find((offer) => offer !== null)?.id} className="sheet-frame">
      <section className="sheet" aria-label={`Foglio ${index + 1} di ${pages.length}`}>
        <ul className="labels">
          {page.map((offer, place) =>
            offer === null ? (
              // Empty labels have no other key.
              <li key={place} className="label" aria-hidden />
            ) : (
              <Label key={offer.id} offer={offer} code={code} />
            ),
          )}
        </ul>
      </section>
    </div>
  ))
}
