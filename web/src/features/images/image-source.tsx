import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import type { ImageSource } from '@bancone/contract/product-images'
import { Archive, Download, ImageIcon, Truck, Upload } from 'lucide-react'
import type { ChosenImage } from './chosen-image.ts'

const sources: Record<ImageSource, { Icon: typeof Archive; label: string }> = {
  cache: { Icon: Archive, label: "Dall'archivio" },
  download: { Icon: Download, label: 'Scaricata' },
  fallback: { Icon: Truck, label: 'Dal fornitore' },
  manual: { Icon: Upload, label: 'Caricata da te' },
}
const placeholder = { Icon: ImageIcon, label: 'Predefinita' }

function sourceOf(image: ChosenImage | null) {
  return image && image.url !== PLACEHOLDER_IMAGE ? sources[image.source] : placeholder
}

/** One-word description of a picture's source. */
export function sourceLabel(image: ChosenImage | null): string {
  return sourceOf(image).label
}

export function ImageSourceBadge({ image }: { image: ChosenImage | null }) {
  const { Icon } = sourceOf(image)
  return (
    <p
      data-source={image?.source ?? 'manual'}
      className="inline-flex items-center gap-1.5 rounded-full border border-unknown-line bg-unknown-soft px-2.5 py-0.5 text-xs font-medium text-unknown"
    >
      <Icon aria-hidden className="size-3.5" />
      <span className="sr-only">Origine dell'immagine: </span>
      {sourceLabel(image)}
    </p>
  )
}
