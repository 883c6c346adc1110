import { listSupportVisits, type ReceivedVisit } from '@bancone/contract/support-visits'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime, formatTime } from '../../lib/format.ts'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { QueryStates } from '../../ui/query-states.tsx'
import { AccountSection, LinesSkeleton } from './account-section.tsx'

function VisitItem({ visit }: { visit: ReceivedVisit }) {
  const { administrator, reason, startedAt, endedAt } = visit
  return (
    <li className="py-2.5 first:pt-0 last:pb-0">
      <p className="wrap-anywhere">{reason}</p>
      <p className="text-sm wrap-anywhere text-muted">
        Assistenza Bancone
        {administrator === null ? null : ` (${administrator})`} · {formatDateTime(startedAt)}
        {endedAt === null ? ' · in corso' : `–${formatTime(endedAt)}`}
      </p>
    </li>
  )
}

function OwnersVisits() {
  const query = useEndpoint(listSupportVisits, {})
  return (
    <AccountSection
      title="Visite dell'assistenza"
      intro="Quando serve aiuto, l'assistenza può guardare le tue pagine per mezz'ora: senza cambiare nulla, e con i dati dei clienti nascosti."
    >
      <QueryStates
        query={query}
        skeleton={<LinesSkeleton what="delle visite" lines={['w-64', 'w-48']} />}
      >
        {({ visits }) =>
          visits.length === 0 ? (
            <p>Nessuna visita finora.</p>
          ) : (
            <ul className="flex max-h-96 flex-col divide-y divide-line overflow-y-auto">
              {visits.map((visit) => (
                <VisitItem key={visit.id} visit={visit} />
              ))}
            </ul>
          )
        }
      </QueryStates>
    </AccountSection>
  )
}

/** Who of the support has looked at the pharmacy's pages, for its owners. */
export function SupportVisitsSection() {
  const { data } = useOwnPharmacy()
  return data?.role === 'owner' ? <OwnersVisits /> : null
}
