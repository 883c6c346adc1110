import { imageVariants, variantUrl } from '@bancone/contract/image-variants'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import type { PublicOffer } from '@bancone/contract/public-offers'
import { useState } from 'react'
import { webLink } from '../../lib/links.ts'
import { cn } from '../../ui/class-names.ts'

/** `sizes` for a column of the grid, or for the dialog. */
const sizes = {
  card: '(min-width: 64rem) 280px, 41vw',
  dialog: '(min-width: 48rem) 400px, 92vw',
}

type OfferPictureProps = {
  offer: PublicOffer
  shape: 'card' | 'dialog'
  /** The picture is among the first visible ones. */
  eager: boolean
  alt: string
  /** Element id of a smaller picture of the same offer, shown while this one is loading or when it fails. */
  smaller?: string
  className?: string
}

/** A responsive picture with reserved space; the placeholder when it fails to load. */
export function OfferPicture({ offer, shape, eager, alt, smaller, className }: OfferPictureProps) {
  const url = webLink(offer.fields.URL_Immagine) ?? PLACEHOLDER_IMAGE
  const [broken, setBroken] = useState<{ url: string; instead: string } | null>(null)
  const instead = broken?.url === url ? broken.instead : null
  const wide = instead ?? url
  const small = instead ?? variantUrl(url, shape)
  const widths = [shape, `${shape}-2x`] as const
  const set = widths.map((name) => `${variantUrl(url, name)} ${imageVariants[name].width}w`)
  // Unknown sizes count as a square, the shape of the reserved space.
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
          // It may have failed before hydration.
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

/** URL of the loaded picture inside that element. */
function shownIn(id: string): string | null {
  const image = document.getElementById(id)?.querySelector('img')
  return image?.complete && image.naturalWidth > 0 ? image.currentSrc : null
}
