import { taggedLink } from '@bancone/contract/link-tags'
import { publicOffersPath } from '@bancone/contract/pages'
import { QRCodeSVG } from 'qrcode.react'

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
