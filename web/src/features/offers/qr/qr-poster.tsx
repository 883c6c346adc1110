import { QRCodeSVG } from 'qrcode.react'
import { useEffect, useEffectEvent } from 'react'
import { createPortal } from 'react-dom'

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
export function QrPoster({ name, url, link, onPrinted }: QrPosterProps) {
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
