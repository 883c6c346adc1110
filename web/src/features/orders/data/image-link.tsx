import { ExternalLink } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { OrderView } from './order-view.ts'

type ImageLinkProps = {
  order: Pick<OrderView, 'image' | 'number' | 'attachments'>
  /** Visible and focusable, but not clickable at the moment. */
  inactive: boolean
}

function stay(event: MouseEvent) {
  event.preventDefault()
}

export function ImageLink({ order: { image, number, attachments }, inactive }: ImageLinkProps) {
  if (image === null) return <span className="text-muted">Non disponibile</span>
  const link = (
    <a
      href={image}
      target="_blank"
      rel="noopener noreferrer"
      aria-disabled={inactive || undefined}
      onClick={inactive ? stay : undefined}
      onAuxClick={inactive ? stay : undefined}
      className="inline-flex min-h-11 items-center gap-1 rounded font-medium text-accent underline-offset-4 not-aria-disabled:hover:underline aria-disabled:opacity-55 lg:min-h-8 pointer-coarse:min-h-11"
    >
      Visualizza
      <span className="sr-only"> l'immagine dell'ordine {number} in una nuova scheda</span>
      <ExternalLink aria-hidden className="size-3.5 shrink-0 lg:max-xl:hidden" />
    </a>
  )
  if (attachments.length < 2) return link
  return (
    <span className="grid">
      {link}
      <span className="text-xs whitespace-nowrap text-muted">{attachments.length} allegati</span>
    </span>
  )
}
