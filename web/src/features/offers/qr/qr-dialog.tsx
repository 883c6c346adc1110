import { taggedLink } from '@bancone/contract/link-tags'
import { ImageDown, Printer } from 'lucide-react'
import { QRCodeCanvas, QRCodeSVG } from 'qrcode.react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { saveFile } from '../../../lib/save-file.ts'
import type { ModalProps } from '../../../lib/use-opened.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

const FILE_NAME = 'qr-offerte'
/** Pixels; large enough for a poster. */
const PICTURE_SIZE = 1_024

/** Renders the code as a bitmap once, and saves it. */
function SavedPicture({ url, onSaved }: { url: string; onSaved: () => void }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const saved = useEffectEvent(onSaved)
  useEffect(() => {
    canvas.current?.toBlob((file) => {
      if (file) saveFile(file, `${FILE_NAME}.png`)
      saved()
    }, 'image/png')
  }, [])
  return (
    <QRCodeCanvas
      ref={canvas}
      value={url}
      size={PICTURE_SIZE}
      level="M"
      marginSize={4}
      className="hidden"
    />
  )
}

type QrDialogProps = ModalProps & { name: string; url: string }

/** The QR code of the public page: to be shown, saved or printed. */
export function QrDialog({ name, url, onClose, onReturnFocus }: QrDialogProps) {
  const link = taggedLink(url, 'locandina')
  const svgRef = useRef<SVGSVGElement>(null)
  const [work, setWork] = useState<'saving' | 'printing' | null>(null)

  function saveSvg() {
    if (!svgRef.current) return
    const text = new XMLSerializer().serializeToString(svgRef.current)
    saveFile(new Blob([text], { type: 'image/svg+xml' }), `${FILE_NAME}.svg`)
  }

  const footer = (
    <>
      <Button onClick={() => setWork('saving')}>
        <ImageDown aria-hidden />
        <span>
          <span className="sr-only">Scarica </span>PNG
        </span>
      </Button>
      <Button onClick={saveSvg}>
        <ImageDown aria-hidden />
        <span>
          <span className="sr-only">Scarica </span>SVG
        </span>
      </Button>
      <Button onClick={() => setWork('printing')}>
        <Printer aria-hidden />
        Stampa
      </Button>
      <Button look="primary" onClick={onClose}>
        Chiudi
      </Button>
    </>
  )
  return (
    <Dialog
      title="QR code della pagina pubblica"
      text="Chi lo inquadra apre le tue offerte. Mettilo in vetrina, sul banco o sui volantini."
      footer={footer}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <QRCodeSVG
        ref={svgRef}
        value={link}
        size={240}
        level="M"
        marginSize={4}
        title={`QR code: ${url}`}
        className="mx-auto h-auto w-full max-w-60 rounded-control"
      />
      <p className="text-center text-sm wrap-anywhere text-muted">{url}</p>
      {work === 'saving' ? <SavedPicture url={link} onSaved={() => setWork(null)} /> : null}
      {work === 'printing' ? (
        <QrPoster name={name} url={url} link={link} onPrinted={() => setWork(null)} />
      ) : null}
    </Dialog>
  )
}

type QrPosterProps = {
  name: string
  /** As printed below the code, which leads to `link`. */
  url: string
  link: string
  /** The browser's print dialog was closed. */
  onPrinted: () => void
}

const page = '@media print { @page { size: A4 portrait; margin: 15mm } }'

/** The QR code as a sheet for the window, printed on mount. Invisible on the screen. */
function QrPoster({ name, url, link, onPrinted }: QrPosterProps) {
  const end = useEffectEvent(onPrinted)
  useEffect(() => {
    const done = () => end()
    window.addEventListener('afterprint', done)
    window.print()
    return () => window.removeEventListener('afterprint', done)
  }, [])
  return createPortal(
    <div data-print-alone className="hidden text-center text-ink print:block">
      <style>{page}</style>
      <p className="mt-6 text-4xl leading-tight font-medium wrap-anywhere">{name}</p>
      <p className="mt-6 text-3xl">Le nostre offerte sul tuo telefono</p>
      <QRCodeSVG value={link} level="M" marginSize={4} className="mx-auto mt-8 size-[120mm]" />
      <p className="mt-6 text-xl">Inquadrare il codice con la fotocamera</p>
      <p className="mt-2 text-lg wrap-anywhere">{url}</p>
    </div>,
    document.body,
  )
}
