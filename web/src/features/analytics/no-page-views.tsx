import { hasFeature } from '@bancone/contract/access'
import { taggedLink } from '@bancone/contract/link-tags'
import { paths, publicOffersPath } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { ChartLine, QrCode } from 'lucide-react'
import { Link } from 'react-router'
import { buttonStyle } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'

type NoPageViewsProps = { pharmacy: OwnPharmacy; title: string }

/** Replaces charts of page views that would be empty: what to do to get some. */
export function NoPageViews({ pharmacy, title }: NoPageViewsProps) {
  if (!hasFeature(pharmacy, 'offers')) {
    return (
      <EmptyList icon={<ChartLine />} title="Nessuna pagina delle offerte">
        Le visite sono quelle alla pagina pubblica delle offerte, che il tuo piano non comprende.
        Gli ordini li trovi nella scheda Ordini.
      </EmptyList>
    )
  }
  return (
    <EmptyList
      icon={<ChartLine />}
      title={title}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <CopyButton
            label="Copia link"
            text={taggedLink(location.origin + publicOffersPath(pharmacy.pharmacyCode), 'link')}
            primary
          />
          <Link to={paths.offerSheets} className={buttonStyle({})}>
            <QrCode aria-hidden />
            Stampa il volantino con il QR
          </Link>
        </div>
      }
    >
      Le visite arrivano quando i clienti conoscono la pagina delle tue offerte: manda il link su
      WhatsApp, o stampa il volantino con il QR code e mettilo al banco.
    </EmptyList>
  )
}
