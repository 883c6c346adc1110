import { imageVariants, variantUrl } from '@bancone/contract/image-variants'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import type { PublicOffer } from '@bancone/contract/public-offers'
import { useState } from 'react'
import { webLink } from '../../lib/links.ts'
import { cn } from '../../ui/class-names.ts'

/** As wide as a column of the grid, or as the dialog's place for it. */
const sizes = {
  card: '(min-width: 64rem) 280px, 41vw',
  dialog: '(min-width: 48rem) 400px, 92vw',
}

type OfferPictureProps = {
  offer: PublicOffer
  shape: 'card' | 'dialog'
  /** It is among the first that are seen. */
  eager: boolean
  alt: string
  /** The id of what shows it already, smaller: that is seen while this one comes, and if it does not. */
  smaller?: string
  className?: string
}

/** As large as it is shown, in a place that is kept for it; the placeholder where it does not come. */
export function OfferPicture({ offer, shape, eager, alt, smaller, className }: OfferPictureProps) {
  const url = webLink(offer.fields.URL_Immagine) ?? PLACEHOLDER_IMAGE
  const [broken, setBroken] = useState<{ url: string; instead: string } | null>(null)
  const instead = broken?.url === url ? broken.instead : null
  const wide = instead ?? url
  const small = instead ?? variantUrl(url, shape)
  const widths = [shape, `${shape}-2x`] as const
  const set = widths.map((name) => `${variantUrl(url, name)} ${imageVariants[name].width}w`)
  // A square stands in where nothing is known of it: so is the place that it fills.
  const { width, height } = offer.imageSize ?? { width: 300, height: 300 }

  function onFailure() {
    if (instead === PLACEHOLDER_IMAGE) return
    const shown = instead === null && smaller ? shownIn(smaller) : null
    setBroken({ url, instead: shown ?? PLACEHOLDER_IMAGE })
  }

  return (
    <span className={cn('isolate block bg-paper', className)}>
      <img
        key={wide}
        ref={(image) => {
          if (!image) return
          // It may have failed before anybody listened.
          if (image.complete && image.naturalWidth === 0 && image.currentSrc) onFailure()
          const shown = image.complete || !smaller ? null : shownIn(smaller)
          if (shown) image.style.backgroundImage = `url("${CSS.escape(shown)}")`
        }}
        {...(small === wide ? {} : { srcSet: set.join(', '), sizes: sizes[shape] })}
        src={small}
        width={width}
        height={height}
        alt={alt}
        loading={eager ? 'eager' : 'lazy'}
        {...(eager ? { fetchPriority: 'high' as const } : {})}
        decoding="async"
        draggable={false}
        onLoad={({ currentTarget }) => {
          currentTarget.style.backgroundImage = ''
        }}
        onError={onFailure}
        className="size-full bg-contain bg-center bg-no-repeat object-contain mix-blend-multiply"
      />
    </span>
  )
}

/** The picture that is in there and has come. */
function shownIn(id: string): string | null {
  const image = document.getElementById(id)?.querySelector('img')
  return image?.complete && image.naturalWidth > 0 ? image.currentSrc : null
}
