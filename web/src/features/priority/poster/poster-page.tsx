import { customerPriorityPath } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { Printer } from 'lucide-react'
import { QRCodeSVG } from 'qrcode.react'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'

/** The sheet alone: the header of the application has the name of the pharmacy too. */
const page =
  '@media print { @page { size: A4 portrait; margin: 15mm } body header { display: none } }'

/** A sheet for the entrance, whose code opens the page that finds a session. */
export function PosterPage({ pharmacy }: { pharmacy: OwnPharmacy }) {
  const url = location.origin + customerPriorityPath(pharmacy.pharmacyCode)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-4 print:hidden">
        <PageTitle>Cartello per l'ingresso</PageTitle>
        <p className="max-w-prose text-pretty text-muted">
          Chi ha un ordine inquadra il codice, scrive il numero dell'ordine e le ultime quattro
          cifre del suo telefono, e avvisa che è arrivato: anche senza link. Serve che l'ordine
          abbia un numero e un telefono, e non sia annullato.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button look="primary" onClick={() => window.print()}>
            <Printer aria-hidden />
            Stampa
          </Button>
          <CopyButton label="Copia link della pagina" text={url} />
        </div>
      </div>
      <section
        data-paper
        aria-label="Anteprima del cartello"
        className="mx-auto flex w-full max-w-[180mm] flex-col items-center gap-5 rounded-card border border-line bg-surface p-6 text-center text-ink sm:p-10 print:min-h-[250mm] print:max-w-none print:justify-center print:gap-6 print:border-0 print:p-0"
      >
        <style>{page}</style>
        <p className="text-2xl leading-tight font-medium wrap-anywhere sm:text-4xl">
          {pharmacy.name}
        </p>
        <p className="text-xl sm:text-3xl">Un ordine da ritirare?</p>
        <QRCodeSVG
          value={url}
          level="M"
          marginSize={4}
          title={`QR code: ${url}`}
          className="h-auto w-full max-w-[110mm] print:max-w-[125mm]"
        />
        <ol className="flex flex-col gap-2 text-left text-base sm:text-xl">
          <li>1. Inquadrare il codice con la fotocamera</li>
          <li>2. Scrivere il numero dell'ordine e le ultime quattro cifre del telefono</li>
          <li>3. Premere «Sono in farmacia»: chiamiamo noi</li>
        </ol>
        <p className="text-sm wrap-anywhere text-muted">{url}</p>
      </section>
    </div>
  )
}
