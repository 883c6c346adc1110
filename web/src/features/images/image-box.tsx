import { cn } from '../../ui/class-names.ts'
import type { ChosenImage } from './chosen-image.ts'
import { HostedImage } from './hosted-image.tsx'

type ImageBoxProps = {
  image: ChosenImage | null
  /** The file that is on its way, before there is a picture of it. */
  preview: string | null
  alt: string
  busy: boolean
  /** What can be done here, while there is nothing to be seen. */
  invitation: string
  /** Something that could be dropped here is above it. */
  over: boolean
  /** A picture is wanted here. */
  invalid?: boolean
  onSeen: () => void
}

/** The picture, and over it the one that is to take its place. */
export function ImageBox(props: ImageBoxProps) {
  const { image, preview, alt, busy, invitation, over, invalid = false, onSeen } = props
  return (
    <span
      className={cn(
        'relative block aspect-square w-full overflow-hidden rounded-card border bg-surface transition-colors',
        over && 'border-accent ring-2 ring-accent',
        !over && (invalid ? 'border-danger' : 'border-line-strong hover:border-control'),
        image || preview || over ? null : 'border-dashed',
      )}
    >
      <HostedImage
        url={image?.url ?? null}
        variant="product"
        alt={alt}
        className="size-full"
        onShown={onSeen}
      />
      {image || preview || busy ? null : (
        <span
          aria-hidden
          className="absolute inset-x-0 top-2/3 px-6 text-center text-sm text-balance text-muted"
        >
          {invitation}
        </span>
      )}
      {preview === null ? null : (
        // Nothing of what is below shines through.
        <span key={preview} className="absolute inset-0 bg-surface">
          <img
            src={preview}
            alt=""
            draggable={false}
            data-preview
            className={cn('size-full object-contain', busy && 'opacity-60')}
            // What the browser cannot show, such as the photo of an iPhone, is sent all the same.
            onError={({ currentTarget }) => currentTarget.parentElement?.classList.add('invisible')}
          />
        </span>
      )}
      {over ? (
        <span className="absolute inset-0 grid place-items-center bg-accent-soft p-4 text-center font-medium text-accent">
          Lascia qui l'immagine
        </span>
      ) : null}
    </span>
  )
}
