import { listApiKeys } from '@bancone/contract/api-keys'
import { paths } from '@bancone/contract/pages'
import { listSupportVisits, type ReceivedVisit } from '@bancone/contract/support-visits'
import { useRef } from 'react'
import { Link } from 'react-router'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime, formatTime } from '../../lib/format.ts'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { sessions, useSession } from '../../lib/session.ts'
import type { Area } from '../../lib/session-state.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { AccountSection, LinesSkeleton } from './account-section.tsx'
import { ActivitySection } from './activity-section.tsx'
import { DevicesSection } from './devices-section.tsx'
import { LinkedSection } from './linked-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PersonSection } from './person-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'

/** The user's own account and its security. Each section loads and fails independently. */
export function AccountPage({ area }: { area: Area }) {
  useDocumentTitle('Sicurezza')
  const session = useSession(sessions[area])
  const password = useRef<HTMLHeadingElement>(null)
  const email = session.status === 'signed-in' ? session.email : ''
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <PageTitle>Sicurezza</PageTitle>
      <PersonSection area={area} />
      <PasswordSection area={area} email={email} heading={password} />
      <SecondFactorSection area={area} />
      <LinkedSection area={area} />
      <DevicesSection area={area} />
      {area === 'pharmacy' ? <ApiKeysSection /> : null}
      {area === 'pharmacy' ? <SupportVisitsSection /> : null}
      <ActivitySection
        area={area}
        onChangePassword={() => {
          password.current?.focus()
          password.current?.scrollIntoView({ block: 'start' })
        }}
      />
    </div>
  )
}

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
function ApiKeysSection() {
  const { data } = useOwnPharmacy()
  return data?.role === 'owner' ? <OwnersKeys /> : null
}

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
function SupportVisitsSection() {
  const { data } = useOwnPharmacy()
  return data?.role === 'owner' ? <OwnersVisits /> : null
}
