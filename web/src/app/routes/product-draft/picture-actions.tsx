import { variantUrl } from '@bancone/contract/image-variants'
import { Download, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { ChosenImage } from '../../../features/images/chosen-image.ts'
import { pictureFile } from '../../../features/images/picture-file.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { toastError } from '../../../ui/toast.ts'

type PictureActionsProps = {
  image: ChosenImage
  /** Name of the saved file, without extension. */
  fileName: string
}

/** Copies the picture's URL, or saves the picture. */
export function PictureActions({ image, fileName }: PictureActionsProps) {
  const { href, origin } = new URL(variantUrl(image.url, 'original'), location.origin)
  return (
    <div className="flex flex-wrap items-start gap-2">
      <CopyButton label="Copia indirizzo" text={href} iconOnly />
      {origin === location.origin ? (
        <SaveButton address={href} fileName={fileName} />
      ) : (
        // A picture on another origin cannot be read by the page: the browser opens it.
        <a href={href} target="_blank" rel="noopener noreferrer" className={buttonStyle({})}>
          <ExternalLink aria-hidden />
          Apri
          <span className="sr-only"> l'immagine in un'altra scheda</span>
        </a>
      )}
    </div>
  )
}

function SaveButton({ address, fileName }: { address: string; fileName: string }) {
  const [busy, setBusy] = useState(false)

  async function save() {
    setBusy(true)
    try {
      saveFile(await pictureFile(address), `${fileName}.jpg`)
    } catch {
      toastError("Impossibile scaricare l'immagine", { about: 'image-download' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button inactive={busy} onClick={() => void save()}>
      <Download aria-hidden />
      {busy ? 'Download in corso…' : 'Scarica'}
    </Button>
  )
}
