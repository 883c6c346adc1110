import { type ImageVariant, imageVariants, variantUrl } from '@bancone/contract/image-variants'
import { ImageOff, Package } from 'lucide-react'
import { useState } from 'react'
import { webLink } from '../lib/links.ts'
import { cn } from './class-names.ts'

type Shape = Exclude<ImageVariant, `${string}-2x` | 'original'>

const twice: Partial<Record<Shape, ImageVariant>> = {
  thumbnail: 'thumbnail-2x',
  card: 'card-2x',
  dialog: 'dialog-2x',
}

type HostedImageProps = {
  /** Null: no picture. */
  url: string | null
  variant: Shape
  /** Of the original, as far as known: reserves the space until it is loaded. */
  width?: number | null
  height?: number | null
  /** Empty when the adjacent text says the same. */
  alt: string
  className?: string
  onShown?: () => void
}

function size(variant: Shape, width?: number | null, height?: number | null) {
  const wanted: { width: number; height?: number } = imageVariants[variant]
  if (wanted.height !== undefined) return wanted
  if (!width || !height) return {}
  const shown = Math.min(width, wanted.width)
  return { width: shown, height: Math.round((height * shown) / width) }
}

/** A picture in a suitable resolution; a placeholder when there is none, or it fails to load. */
export function HostedImage(props: HostedImageProps) {
  const { variant, width, height, alt, className, onShown } = props
  const url = webLink(props.url)
  const [broken, setBroken] = useState<string | null>(null)
  if (url === null || url === broken) {
    return <ImagePlaceholder broken={url !== null} className={className} />
  }
  const once = variantUrl(url, variant)
  const larger = twice[variant]
  return (
    <img
      key={url}
      src={once}
      {...(larger && once !== url ? { srcSet: `${once} 1x, ${variantUrl(url, larger)} 2x` } : {})}
      {...size(variant, width, height)}
      alt={alt}
      loading="lazy"
      decoding="async"
      // Dropped back onto the field, it would count as another picture.
      draggable={false}
      className={cn('object-contain', className)}
      onLoad={onShown}
      onError={() => setBroken(url)}
    />
  )
}

type ImagePlaceholderProps = {
  /** The picture has failed to load. */
  broken?: boolean
  className?: string | undefined
}

/** Placeholder for a picture. */
function ImagePlaceholder({ broken = false, className }: ImagePlaceholderProps) {
  const Icon = broken ? ImageOff : Package
  return (
    <span
      className={cn(
        'grid place-items-center content-center gap-2 bg-sunken text-center text-sm text-muted',
        className,
      )}
    >
      <Icon aria-hidden strokeWidth={1.25} className="size-12 max-w-1/2" />
      {broken ? 'Immagine non disponibile' : <span className="sr-only">Nessuna immagine</span>}
    </span>
  )
}
