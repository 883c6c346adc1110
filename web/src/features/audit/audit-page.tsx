import {
  type AuditEvent,
  AuditFilter,
  AuditOutcome,
  downloadAuditEvents,
  listAuditEvents,
  listAuditSubjects,
} from '@bancone/contract/audit'
import { auditActions, auditRoleNames } from '@bancone/contract/audit-actions'
import { Day, dayOf } from '@bancone/contract/dates'
import { Download, ShieldCheck } from 'lucide-react'
import { z } from 'zod/mini'
import { call } from '../../lib/api.ts'
import { download } from '../../lib/download.ts'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime } from '../../lib/format.ts'
import { saveFile } from '../../lib/save-file.ts'
import { type ChangeFilter, searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'
import { useAction } from '../../lib/use-action.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { useEventPages } from '../../ui/event-pages.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { AuditItem } from './audit-item.tsx'
import { AuditList } from './audit-list.tsx'

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
  const [filter, change] = useUrlFilter<AuditFilter>(auditUrl)
  const query = useEventPages(endpointKey(listAuditEvents, { query: filter }), (before, options) =>
    call(listAuditEvents, { query: { ...filter, before } }, options),
  )
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

/** The filter in the URL. People and pharmacies are in it by their ids, never by their names. */
const auditUrl = searchParamsFormat(
  z.object({
    pharmacy: z.catch(z.optional(z.uuid()), undefined),
    person: z.catch(z.optional(z.uuid()), undefined),
    action: z.catch(AuditFilter.shape.action, undefined),
    outcome: z.catch(z.optional(AuditOutcome), undefined),
    from: z.catch(z.optional(Day), undefined),
    to: z.catch(z.optional(Day), undefined),
  }),
)

const actions = Object.entries(auditActions).toSorted(([, one], [, other]) =>
  one.localeCompare(other, 'it'),
)

const NONE: AuditFilter = {
  pharmacy: undefined,
  person: undefined,
  action: undefined,
  outcome: undefined,
  from: undefined,
  to: undefined,
}

type Option = readonly [value: string, text: string]

const outcomes: readonly Option[] = [
  ['done', 'Eseguite'],
  ['refused', 'Respinte'],
]

type ChoiceProps = {
  label: string
  all: string
  value: string | undefined
  options: readonly Option[]
  /** The text of a value that is no option any more. */
  gone?: string
  onChange: (value: string | undefined) => void
}

function Choice({ label, all, value, options, gone, onChange }: ChoiceProps) {
  const isGone = value !== undefined && options.every(([known]) => known !== value)
  return (
    <SelectField
      label={label}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value || undefined)}
    >
      <option value="">{all}</option>
      {isGone ? <option value={value}>{gone}</option> : null}
      {options.map(([known, text]) => (
        <option key={known} value={known}>
          {text}
        </option>
      ))}
    </SelectField>
  )
}

type AuditFiltersProps = { filter: AuditFilter; change: ChangeFilter<AuditFilter> }

/** What narrows the log. People are those of the chosen pharmacy, and the administrators. */
function AuditFilters({ filter, change }: AuditFiltersProps) {
  const { data: subjects } = useEndpoint(listAuditSubjects, {
    query: { pharmacy: filter.pharmacy },
  })
  const { people = [], pharmacies = [] } = subjects ?? {}
  const isFiltered = Object.values(filter).some((value) => value !== undefined)

  return (
    <div className="grid grid-cols-1 items-end gap-3 min-[360px]:grid-cols-2 sm:grid-cols-3 lg:grid-cols-6">
      <Choice
        label="Farmacia"
        all="Tutte"
        value={filter.pharmacy}
        gone="Farmacia eliminata"
        options={pharmacies.map(({ id, code, name }) => [id, `${name} (${code})`])}
        onChange={(pharmacy) => change({ pharmacy, person: undefined })}
      />
      <Choice
        label="Persona"
        all="Tutte"
        value={filter.person}
        gone="Persona scelta"
        options={people.map(({ id, name, isAdmin }) => [
          id,
          isAdmin ? `${name} (amministratore)` : name,
        ])}
        onChange={(person) => change({ person })}
      />
      <Choice
        label="Azione"
        all="Tutte"
        value={filter.action}
        options={actions}
        onChange={(action) =>
          change({ action: z.catch(AuditFilter.shape.action, undefined).parse(action) })
        }
      />
      <Choice
        label="Esito"
        all="Tutti"
        value={filter.outcome}
        options={outcomes}
        onChange={(outcome) =>
          change({ outcome: z.catch(z.optional(AuditOutcome), undefined).parse(outcome) })
        }
      />
      <TextField
        label="Dal"
        type="date"
        value={filter.from ?? ''}
        max={filter.to}
        onChange={({ target }) => change({ from: target.value || undefined })}
      />
      <TextField
        label="Al"
        type="date"
        value={filter.to ?? ''}
        min={filter.from}
        onChange={({ target }) => change({ to: target.value || undefined })}
      />
      {isFiltered ? (
        <Button className="col-span-full justify-self-start" onClick={() => change(NONE)}>
          Azzera i filtri
        </Button>
      ) : null}
    </div>
  )
}
