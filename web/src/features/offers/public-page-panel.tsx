import { taggedLink } from '@bancone/contract/link-tags'
import { publicOffersPath } from '@bancone/contract/pages'
import { ExternalLink, Globe, QrCode, Share2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { toastError } from '../../ui/toast.ts'
import { offerCount } from './offer-texts.ts'

const loadQr = async () => (await import('./qr/qr-dialog.tsx')).QrDialog

/** URL of the public page, or of one of its offers. @param code the readable code of the pharmacy */
export function publicAddress(code: string, offerId?: string): string {
  return `${location.origin}${publicOffersPath(code, offerId)}`
}

async function share(title: string, url: string) {
  try {
    await navigator.share({ title, url })
  } catch (reason) {
    // The user has closed the share dialog.
    if (reason instanceof DOMException && reason.name === 'AbortError') return
    toastError('Condivisione non riuscita: copia il link e incollalo dove ti serve.')
  }
}

type PublicPagePanelProps = {
  pharmacy: { pharmacyCode: string; name: string }
  /** Number of published offers. */
  shown: number
  /** Why customers see fewer than are active; null when they see all. */
  unshown: string | null
}

/** The public page, and the means of sharing it. */
export function PublicPagePanel({ pharmacy, shown, unshown }: PublicPagePanelProps) {
  const [qr, setQr] = useState(false)
  const qrButton = useRef<HTMLButtonElement>(null)
  const url = publicAddress(pharmacy.pharmacyCode)
  return (
    <section
      aria-label="Pagina pubblica"
      className="flex min-w-0 flex-col gap-3 lg:flex-row lg:flex-wrap lg:items-center lg:justify-between lg:gap-x-8"
    >
      <div className="flex min-w-0 items-center gap-3">
        <span
          aria-hidden
          className="grid size-9 shrink-0 place-items-center rounded-full bg-accent-soft text-accent"
        >
          <Globe className="size-4.5" />
        </span>
        <div className="min-w-0 text-sm">
          <p className="font-medium">
            {shown === 0
              ? 'I clienti adesso non vedono nessuna offerta'
              : `I clienti adesso vedono ${offerCount(shown)}`}
          </p>
          {unshown === null ? null : <p className="text-muted">{unshown}.</p>}
          {shown === 0 && unshown === null ? (
            <p className="text-muted">
              Attivane una, o aspetta che inizi una di quelle programmate.
            </p>
          ) : null}
          <p className="wrap-anywhere text-muted select-all max-sm:hidden">{url}</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2 max-sm:*:flex-1 max-sm:*:basis-2/5 max-sm:[&_button]:w-full">
        <CopyButton label="Copia link" text={taggedLink(url, 'link')} iconOnly />
        {'share' in navigator ? (
          <Button
            onClick={() => void share(`Offerte di ${pharmacy.name}`, taggedLink(url, 'link'))}
          >
            <Share2 aria-hidden />
            Condividi
          </Button>
        ) : null}
        <a href={url} target="_blank" rel="noreferrer" className={buttonStyle({})}>
          <ExternalLink aria-hidden />
          Apri
          <span className="sr-only"> la pagina pubblica in una nuova scheda</span>
        </a>
        <Button ref={qrButton} aria-haspopup="dialog" onClick={() => setQr(true)}>
          <QrCode aria-hidden />
          QR code
        </Button>
      </div>
      <LazyBoundary
        load={loadQr}
        props={
          qr
            ? {
                name: pharmacy.name,
                url,
                onClose: () => setQr(false),
                onReturnFocus: () => qrButton.current?.focus(),
              }
            : null
        }
        onLoadError={() => setQr(false)}
      />
    </section>
  )
}
