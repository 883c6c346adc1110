import { type AuditEvent, type AuditFilter, downloadAuditEvents } from '@bancone/contract/audit'
import { auditRoleNames } from '@bancone/contract/audit-actions'
import { dayOf } from '@bancone/contract/dates'
import { Download, ShieldCheck } from 'lucide-react'
import { download } from '../../lib/download.ts'
import { formatDateTime } from '../../lib/format.ts'
import { saveFile } from '../../lib/save-file.ts'
import { useAction } from '../../lib/use-action.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { useAuditFilter } from './audit-address.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditItem } from './audit-item.tsx'
import { AuditList } from './audit-list.tsx'
import { useAuditEvents } from './use-audit-events.ts'

function whoOf({ role, actor }: AuditEvent): string {
  if (role === 'key') return actor ? 'Chiave API' : 'Chiave di amministrazione'
  if (actor === null) return role === 'system' ? 'Sistema' : 'Sconosciuto'
  const name = actor.name ?? 'Account eliminato'
  return role === null ? name : `${name} · ${auditRoleNames[role]}`
}

function pharmacyOf({ pharmacy }: AuditEvent): string {
  if (pharmacy === null) return ''
  return pharmacy.name === null ? 'Farmacia eliminata' : `${pharmacy.name} (${pharmacy.code ?? ''})`
}

function moreOf({ address, requestId }: AuditEvent) {
  return [
    ...(address === null ? [] : [{ name: 'Indirizzo IP', value: address }]),
    ...(requestId === null ? [] : [{ name: 'Richiesta', value: requestId }]),
  ]
}

/** The result of the last check of the chain of hashes. */
function Check({ at, isIntact }: { at: string; isIntact: boolean }) {
  if (!isIntact) {
    return (
      <Alert tone="error">
        Una voce del registro è stata alterata o tolta: l'ha trovato la verifica del{' '}
        {formatDateTime(at)}. I dettagli sono nella voce «Registro alterato».
      </Alert>
    )
  }
  return (
    <p className="flex items-center gap-1.5 text-sm text-muted">
      <ShieldCheck aria-hidden className="size-4 shrink-0 text-accent" />
      Integro alla verifica del {formatDateTime(at)}
    </p>
  )
}

function DownloadButton({ filter }: { filter: AuditFilter }) {
  const { busy, failure, run } = useAction()
  const save = async () => {
    const { signal } = new AbortController()
    const file = await download(downloadAuditEvents, { query: filter }, { signal })
    saveFile(file, `registro-${dayOf(Date.now())}.csv`)
  }
  return (
    <div className="flex flex-col items-end gap-2">
      <Button inactive={busy} onClick={() => void run(save)}>
        <Download aria-hidden />
        {busy ? 'Download in corso…' : 'Scarica CSV'}
      </Button>
      <FailureAlert failure={failure} />
    </div>
  )
}

/** The audit log of the platform, for administrators. */
export function AuditPage() {
  const [filter, change] = useAuditFilter()
  const query = useAuditEvents(filter)
  const check = query.data?.pages[0]?.check
  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <PageTitle>Registro</PageTitle>
          <p className="mt-1 text-sm text-pretty text-muted">
            Chi ha fatto che cosa, per quale farmacia, e che cosa è stato respinto. Si conserva 24
            mesi.
          </p>
        </div>
        <DownloadButton filter={filter} />
      </div>
      {check ? <Check {...check} /> : null}
      <AuditFilters filter={filter} change={change} />
      <AuditList query={query} empty="Nessuna voce corrisponde ai filtri.">
        {(event) => (
          <AuditItem
            key={event.id}
            event={event}
            who={whoOf(event)}
            forWhom={pharmacyOf(event)}
            more={moreOf(event)}
          />
        )}
      </AuditList>
    </div>
  )
}
