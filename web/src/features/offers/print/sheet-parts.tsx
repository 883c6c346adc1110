import { taggedLink } from '@bancone/contract/link-tags'
import { publicOffersPath } from '@bancone/contract/pages'
import { QRCodeSVG } from 'qrcode.react'
import type { SheetOffer } from './sheet-offer.ts'

type SheetCodeProps = { code: string; offerId?: string; title: string }

/** QR code of the public page, or of one of its offers. */
export function SheetCode({ code, offerId, title }: SheetCodeProps) {
  const address = taggedLink(location.origin + publicOffersPath(code, offerId), 'volantino')
  return (
    <QRCodeSVG
      value={address}
      level="M"
      marginSize={0}
      fgColor="currentColor"
      bgColor="transparent"
      title={title}
      data-address={address}
    />
  )
}

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
