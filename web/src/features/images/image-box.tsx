import { cn } from '../../ui/class-names.ts'
import type { ChosenImage } from './chosen-image.ts'
import { HostedImage } from './hosted-image.tsx'

type ImageBoxProps = {
  image: ChosenImage | null
  /** The file being uploaded, before its picture exists. */
  preview: string | null
  alt: string
  busy: boolean
  /** Text that is shown while the box is empty. */
  invitation: string
  /** A droppable item is dragged over the box. */
  over: boolean
  /** A picture is required. */
  invalid?: boolean
  onSeen: () => void
}

/** The current picture, covered by the one that is being uploaded. */
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
        // Opaque, so that the picture below is hidden.
        <span key={preview} className="absolute inset-0 bg-surface">
          <img
            src={preview}
            alt=""
            draggable={false}
            data-preview
            className={cn('size-full object-contain', busy && 'opacity-60')}
            // A file that the browser cannot display, such as the photo of an iPhone, is uploaded all the same.
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
