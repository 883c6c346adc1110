import { AuditFilter, AuditOutcome, listAuditSubjects } from '@bancone/contract/audit'
import { auditActions } from '@bancone/contract/audit-actions'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import type { ChangeFilter } from '../../lib/url-filter.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'

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

type AuditFiltersProps = { filter: AuditFilter; change: ChangeFilter<AuditFilter> }

/** What narrows the log. People are those of the chosen pharmacy, and the administrators. */
export function AuditFilters({ filter, change }: AuditFiltersProps) {
  const { data: subjects } = useEndpoint(listAuditSubjects, {
    query: { pharmacy: filter.pharmacy },
  })
  const { people = [], pharmacies = [] } = subjects ?? {}
  const isKnown = (id: string | undefined, known: { id: string }[]) =>
    id === undefined || known.some((each) => each.id === id)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)

  return (
    <div className="grid grid-cols-1 items-end gap-3 min-[360px]:grid-cols-2 sm:grid-cols-3 lg:grid-cols-6">
      <SelectField
        label="Farmacia"
        value={filter.pharmacy ?? ''}
        onChange={({ target }) =>
          change({ pharmacy: target.value || undefined, person: undefined })
        }
      >
        <option value="">Tutte</option>
        {isKnown(filter.pharmacy, pharmacies) ? null : (
          <option value={filter.pharmacy}>Farmacia eliminata</option>
        )}
        {pharmacies.map(({ id, code, name }) => (
          <option key={id} value={id}>
            {name} ({code})
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Persona"
        value={filter.person ?? ''}
        onChange={({ target }) => change({ person: target.value || undefined })}
      >
        <option value="">Tutte</option>
        {isKnown(filter.person, people) ? null : (
          <option value={filter.person}>Persona scelta</option>
        )}
        {people.map(({ id, name, isAdmin }) => (
          <option key={id} value={id}>
            {isAdmin ? `${name} (amministratore)` : name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Azione"
        value={filter.action ?? ''}
        onChange={({ target }) =>
          change({ action: AuditFilter.shape.action.catch(undefined).parse(target.value) })
        }
      >
        <option value="">Tutte</option>
        {actions.map(([action, name]) => (
          <option key={action} value={action}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Esito"
        value={filter.outcome ?? ''}
        onChange={({ target }) =>
          change({ outcome: AuditOutcome.optional().catch(undefined).parse(target.value) })
        }
      >
        <option value="">Tutti</option>
        <option value="done">Eseguite</option>
        <option value="refused">Respinte</option>
      </SelectField>
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
