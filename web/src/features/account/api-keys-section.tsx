import { listApiKeys } from '@bancone/contract/api-keys'
import { paths } from '@bancone/contract/pages'
import { Link } from 'react-router'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { AccountSection, LinesSkeleton } from './account-section.tsx'

function howMany(count: number): string {
  if (count === 0) return 'Nessuna chiave attiva.'
  return count === 1 ? 'Una chiave attiva.' : `${count} chiavi attive.`
}

function OwnersKeys() {
  const keys = useEndpoint(listApiKeys, {})
  return (
    <AccountSection
      title="Chiavi API"
      intro="Con queste il sito o il gestionale della farmacia inviano ordini senza che nessuno acceda."
    >
      <QueryStates
        query={keys}
        otherwise="Non è stato possibile leggere le chiavi. Riprova."
        skeleton={<LinesSkeleton what="delle chiavi" lines={['w-32']} />}
      >
        {({ keys: all }) => (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p>{howMany(all.length)}</p>
            <Link to={paths.apiKeys} className={buttonStyle({})}>
              Gestisci le chiavi
            </Link>
          </div>
        )}
      </QueryStates>
    </AccountSection>
  )
}

/** Link to the API keys of the pharmacy, for its owners. */
export function ApiKeysSection() {
  const { data } = useOwnPharmacy()
  return data?.role === 'owner' ? <OwnersKeys /> : null
}
