import { imageTypes, removeImage } from '@bancone/contract/images'
import { Camera, ImageIcon, ImageUp, Link2, Trash2, Undo2 } from 'lucide-react'
import {
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { call } from '../../lib/api.ts'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { useMediaQuery } from '../../lib/use-media-query.ts'
import { useUndoableRemoval } from '../../lib/use-undoable-removal.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { FileButton } from '../../ui/file-button.tsx'
import { HostedImage } from '../../ui/hosted-image.tsx'
import { dismissToast } from '../../ui/toast.ts'
import { type ChosenImage, placeholderImage } from './chosen-image.ts'
import { ImageSourceBadge } from './image-source.tsx'
import { LinkImport } from './link-import.tsx'
import { UploadState } from './upload-state.tsx'
import { useDroppedPicture, usePastedPicture } from './use-drop-and-paste.ts'
import { isWorking, useImageUpload } from './use-image-upload.ts'

/** Touch devices have a camera. */
const TOUCHED = '(pointer: coarse)'

type ImageFieldProps = {
  /** Can be focused. */
  ref?: Ref<{ focus: () => void }>
  label: string
  /** Alternative text of the picture. */
  alt: string
  value: ChosenImage | null
  onChange: (image: ChosenImage | null) => void
  /** The user has started another upload: a search for a picture can stop. */
  onBegin?: () => void
  error?: string | undefined
  /** Offers the placeholder to users without a picture. */
  withPlaceholder?: boolean
  /** Called when an upload starts or ends. */
  onBusy?: (busy: boolean) => void
}

/** A field for one picture: chosen, dropped or pasted as a file, taken with the camera, or imported by URL. */
export function ImageField(props: ImageFieldProps) {
  const {
    ref,
    label,
    alt,
    value,
    onChange,
    onBegin,
    error,
    withPlaceholder = false,
    onBusy,
  } = props
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const linkButton = useRef<HTMLButtonElement>(null)
  const touched = useMediaQuery(TOUCHED)
  const [asking, setAsking] = useState(false)
  const [link, setLink] = useState('')
  const removed = useRemovedImage(value, onChange)
  const { work, preview, send, fetchFrom, stop, seen } = useImageUpload(onChange)

  const given = {
    onFile(file: File) {
      setAsking(false)
      setLink('')
      onBegin?.()
      send(file)
    },
    onLink(url: string) {
      setAsking(false)
      setLink(url)
      onBegin?.()
      fetchFrom(url)
    },
  }
  const { over, handlers } = useDroppedPicture(given)
  usePastedPicture(place, given)
  useImperativeHandle(ref, () => ({ focus: () => chooser.current?.focus() }), [])
  const busy = isWorking(work)
  const tell = useEffectEvent((is: boolean) => onBusy?.(is))
  useEffect(() => tell(busy), [busy])

  return (
    <div
      ref={place}
      role="group"
      aria-labelledby={`${id}-label`}
      className="flex flex-col gap-3"
      {...handlers}
    >
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-2">
        <p id={`${id}-label`} className="text-sm font-medium">
          {label}
        </p>
        {/* A required field has no picture to remove. */}
        {withPlaceholder && value === null ? null : <ImageSourceBadge image={value} />}
      </div>
      <label htmlFor={`${id}-file`} className="cursor-pointer">
        <ImageBox
          image={value}
          preview={busy || value ? preview : null}
          alt={alt}
          busy={busy}
          invitation={
            touched ? 'Tocca per scegliere una foto' : "Trascina qui un'immagine, o fai clic"
          }
          over={over}
          invalid={error !== undefined}
          onSeen={seen}
        />
      </label>
      {error === undefined ? null : (
        <p id={`${id}-error`} role="alert" className="-mt-1 text-sm text-danger">
          {error}
        </p>
      )}
      <UploadState work={work} stop={stop} focusFallback={chooser} />
      {removed.image ? <RemovedImage onUndo={removed.undo} focusFallback={chooser} /> : null}
      <div className="flex flex-wrap gap-2">
        <FileButton
          ref={chooser}
          id={`${id}-file`}
          label={value ? 'Cambia immagine' : "Carica un'immagine"}
          icon={<ImageUp aria-hidden />}
          accept={imageTypes.join(',')}
          describedBy={error === undefined ? `${id}-hint` : `${id}-error ${id}-hint`}
          invalid={error !== undefined}
          onFile={given.onFile}
        />
        {value ? (
          <Button
            aria-label="Rimuovi l'immagine"
            // Stays in the page: it may have the focus.
            inactive={busy}
            onClick={() => {
              stop()
              removed.take(value)
            }}
          >
            <Trash2 aria-hidden />
            Togli
          </Button>
        ) : null}
        {touched ? (
          <FileButton
            label="Scatta una foto"
            icon={<Camera aria-hidden />}
            accept="image/*"
            capture="environment"
            onFile={given.onFile}
          />
        ) : null}
        <Button ref={linkButton} aria-expanded={asking} onClick={() => setAsking(!asking)}>
          <Link2 aria-hidden />
          Da un link
        </Button>
        {withPlaceholder && value === null ? (
          <Button
            inactive={busy}
            onClick={() => {
              // The button disappears with the choice.
              chooser.current?.focus()
              stop()
              onBegin?.()
              onChange(placeholderImage)
            }}
          >
            <ImageIcon aria-hidden />
            Usa il segnaposto
          </Button>
        ) : null}
      </div>
      {asking ? (
        <LinkImport
          refused={work.state === 'failed' ? link : ''}
          onLink={given.onLink}
          onClose={() => setAsking(false)}
          focusFallback={linkButton}
        />
      ) : null}
      <p id={`${id}-hint`} className="text-sm text-pretty text-muted">
        JPG, PNG o WEBP, fino a 5 MB. {touched ? null : 'Puoi anche incollarla con Ctrl+V.'}
      </p>
    </div>
  )
}

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
function ImageBox(props: ImageBoxProps) {
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

type RemovedImageProps = { onUndo: () => void; focusFallback: RefObject<HTMLElement | null> }

/** Notice that the picture was removed, with undo. It takes the focus from the removed button. */
function RemovedImage({ onUndo, focusFallback }: RemovedImageProps) {
  const place = useFocusFallback(focusFallback)
  useEffect(() => place.current?.querySelector('button')?.focus(), [place])
  return (
    <div
      ref={place}
      role="status"
      className="flex min-h-11 items-center justify-between gap-3 rounded-control border border-dashed border-line-strong px-3 text-sm text-muted"
    >
      Immagine tolta
      <Button look="link" className="px-2" onClick={onUndo}>
        <Undo2 aria-hidden />
        Annulla
      </Button>
    </div>
  )
}

/** Id of a picture uploaded for this field; empty for pictures of the shared archive and of the provider. */
function ownId({ source, publicId }: ChosenImage): string {
  return source === 'manual' && publicId !== null ? publicId : ''
}

/**
 * The removed picture while undo is possible and no other has replaced it. Afterwards it is deleted, if it was
 * uploaded here.
 */
function useRemovedImage(shown: ChosenImage | null, onChange: (image: ChosenImage | null) => void) {
  const [last, setLast] = useState<ChosenImage | null>(null)
  const { isUndoable, removeLater, undo } = useUndoableRemoval(async (publicId) => {
    if (publicId === '') return
    // A picture in use stays; what could not be deleted now is cleaned up by the server.
    await call(removeImage, { params: { publicId } }).catch(() => undefined)
  })
  const forget = useEffectEvent(undo)
  useEffect(() => {
    if (shown !== null) forget()
  }, [shown])

  return {
    image: last && isUndoable(ownId(last)) ? last : null,
    take(image: ChosenImage) {
      dismissToast('image')
      setLast(image)
      removeLater(ownId(image))
      onChange(null)
    },
    undo() {
      undo()
      onChange(last)
    },
  }
}
