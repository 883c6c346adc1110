import { listPharmacyAudit, type PharmacyAuditEvent } from '@bancone/contract/audit'
import { call } from '../../lib/api.ts'
import { endpointKey } from '../../lib/endpoint-query.ts'
import { useEventPages } from '../../ui/event-pages.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { AuditItem } from './audit-item.tsx'
import { AuditList } from './audit-list.tsx'

function whoOf({ role, actorName }: PharmacyAuditEvent): string {
  if (role === 'admin') return 'Amministratore della piattaforma'
  if (role === 'system') return 'Sistema'
  if (role === 'key') return 'Un programma'
  return actorName ?? 'Account eliminato'
}

/** What was done for the pharmacy, for its owners. */
export function PharmacyAuditPage() {
  const query = useEventPages(endpointKey(listPharmacyAudit, {}), (before, options) =>
    call(listPharmacyAudit, { query: { before } }, options),
  )
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 md:gap-5">
      <div>
        <PageTitle>Registro</PageTitle>
        <p className="mt-1 text-sm text-pretty text-muted">
          Chi ha cambiato qualcosa per la farmacia, anche tra gli amministratori della piattaforma,
          negli ultimi 24 mesi. Gli stati degli ordini sono nella cronologia di ogni ordine.
        </p>
      </div>
      <AuditList
        query={query}
        empty="Qui compaiono le modifiche a offerte, colleghi, chiavi e testi della farmacia."
      >
        {(event) => <AuditItem key={event.id} event={event} who={whoOf(event)} />}
      </AuditList>
    </div>
  )
}
