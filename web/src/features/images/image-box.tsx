import { cn } from '../../ui/class-names.ts'
import type { ChosenImage } from './chosen-image.ts'
import { HostedImage } from './hosted-image.tsx'

type ImageBoxProps = {
  image: ChosenImage | null
  /** The file that is on its way, before there is a picture of it. */
  preview: string | null
  alt: string
  busy: boolean
  /** Something that could be dropped here is above it. */
  over: boolean
  onSeen: () => void
}

/** The picture, and over it the one that is to take its place. */
export function ImageBox({ image, preview, alt, busy, over, onSeen }: ImageBoxProps) {
  return (
    <span
      className={cn(
        'relative block aspect-square w-full overflow-hidden rounded-card border bg-surface transition-colors',
        over ? 'border-accent ring-2 ring-accent' : 'border-line-strong hover:border-control',
        image || preview ? null : 'border-dashed',
      )}
    >
      <HostedImage
        url={image?.url ?? null}
        variant="product"
        alt={alt}
        className="size-full"
        onShown={onSeen}
      />
      {preview === null ? null : (
        <img
          // What the browser cannot show, such as the photo of an iPhone, is sent all the same.
          key={preview}
          src={preview}
          alt=""
          data-preview
          className={cn(
            'absolute inset-0 size-full bg-surface object-contain',
            busy && 'opacity-60',
          )}
          onError={({ currentTarget }) => currentTarget.classList.add('invisible')}
        />
      )}
      {over ? (
        <span className="absolute inset-0 grid place-items-center bg-accent-soft/90 p-4 text-center font-medium text-accent">
          Lascia qui l'immagine
        </span>
      ) : null}
    </span>
  )
}
