import { can } from '@bancone/contract/access'
import { paths } from '@bancone/contract/pages'
import { Package } from 'lucide-react'
import { Link } from 'react-router'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
import { ProductSheet } from './product-draft/product-sheet.tsx'

export function ProductDraft() {
  useDocumentTitle('Scheda prodotto')
  const { data: pharmacy, error, isFetching, refetch } = useOwnPharmacy()
  if (!pharmacy && error) {
    return (
      <Alert
        tone="error"
        action={
          <Button size="small" inactive={isFetching} onClick={() => void refetch()}>
            Riprova
          </Button>
        }
      >
        Errore nel recupero dei dati della farmacia
      </Alert>
    )
  }
  if (!pharmacy) return <PageSpinner />
  if (can(pharmacy, 'offers')) return <ProductSheet />
  return (
    <div className="grid flex-1 place-content-center">
      <EmptyState
        heading="h1"
        icon={<Package />}
        title="Scheda prodotto non disponibile"
        action={
          <Link to={paths.dashboard} className={buttonStyle({})}>
            Vai alla dashboard
          </Link>
        }
      >
        La funzionalità Offerte non è abilitata per la tua farmacia.
      </EmptyState>
    </div>
  )
}
