import { imageTypes } from '@bancone/contract/images'
import { ImageUp, Trash2 } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { UploadState } from '../../../features/images/upload-state.tsx'
import {
  isWorking,
  type SendPicture,
  useImageUpload,
} from '../../../features/images/use-image-upload.ts'
import type { LogoFieldProps } from '../../../features/pharmacy-profile/profile-form.tsx'
import { Button } from '../../../ui/button.tsx'
import { FileButton } from '../../../ui/file-button.tsx'
import { HostedImage } from '../../../ui/hosted-image.tsx'

/** @param sendPicture how the file is sent, if not as a picture of the own pharmacy */
export function LogoField({
  url,
  onChange,
  onBusy,
  sendPicture,
}: LogoFieldProps & { sendPicture?: SendPicture }) {
  const id = useId()
  const chooser = useRef<HTMLInputElement>(null)
  const { work, preview, send, stop, seen } = useImageUpload(
    ({ url: stored, publicId }) =>
      publicId === null ? undefined : onChange({ url: stored, publicId }),
    sendPicture,
  )
  const busy = isWorking(work)
  const tell = useEffectEvent((is: boolean) => onBusy(is))
  useEffect(() => tell(busy), [busy])

  return (
    <div role="group" aria-labelledby={`${id}-label`} className="flex flex-col gap-3">
      <p id={`${id}-label`} className="text-sm font-medium">
        Logo
      </p>
      <div className="flex flex-wrap items-center gap-4">
        <span className="relative block size-24 shrink-0 overflow-hidden rounded-card border border-line-strong bg-paper">
          <HostedImage
            url={url}
            variant="thumbnail"
            alt={url === null ? '' : 'Logo della farmacia'}
            className="size-full"
            onShown={seen}
          />
          {preview === null ? null : (
            <img
              src={preview}
              alt=""
              className="absolute inset-0 size-full bg-paper object-contain"
            />
          )}
        </span>
        <div className="flex flex-wrap gap-2">
          <FileButton
            ref={chooser}
            label={url === null ? 'Carica il logo' : 'Cambia il logo'}
            icon={<ImageUp aria-hidden />}
            accept={imageTypes.join(',')}
            describedBy={`${id}-hint`}
            onFile={send}
          />
          {url === null ? null : (
            <Button
              aria-label="Togli il logo"
              inactive={busy}
              onClick={() => {
                // The button disappears with the logo.
                chooser.current?.focus()
                stop()
                onChange(null)
              }}
            >
              <Trash2 aria-hidden />
              Togli
            </Button>
          )}
        </div>
      </div>
      <UploadState work={work} stop={stop} focusFallback={chooser} />
      <p id={`${id}-hint`} className="text-sm text-pretty text-muted">
        Meglio quadrato e su fondo chiaro. JPG, PNG o WEBP, fino a 5 MB.
      </p>
    </div>
  )
}
