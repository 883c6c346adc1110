import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import type { ReactNode } from 'react'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { RetryAlert } from '../../ui/retry-alert.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'

/** Renders content that needs the pharmacy or the user's role, once they are loaded. */
export function WithPharmacy({ children }: { children: (pharmacy: OwnPharmacy) => ReactNode }) {
  const { data: pharmacy, error, isFetching, refetch } = useOwnPharmacy()
  if (pharmacy) return children(pharmacy)
  if (!error) return <PageSpinner />
  return (
    <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
      Errore nel recupero dei dati della farmacia
    </RetryAlert>
  )
}
