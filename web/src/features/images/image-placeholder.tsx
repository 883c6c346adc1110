import { ImageOff, Package } from 'lucide-react'
import { cn } from '../../ui/class-names.ts'

type ImagePlaceholderProps = {
  /** The picture has failed to load. */
  broken?: boolean
  className?: string | undefined
}

/** Placeholder for a picture. */
export function ImagePlaceholder({ broken = false, className }: ImagePlaceholderProps) {
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
