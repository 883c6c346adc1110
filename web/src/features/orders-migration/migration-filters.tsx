import { MAX_LETTERS } from '../../lib/list-search.ts'
import { useSearchText } from '../../lib/use-search-text.ts'
import { NativeSelect } from '../../ui/native-select.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { ListedState, type MigrationsAddress } from './migrations-address.ts'

const stateNames: Record<ListedState, string> = {
  'in-migrazione': 'In Migrazione',
  'da-sincronizzare': 'Da Sincronizzare',
  sincronizzato: 'Sincronizzato',
  'con-errori': 'Con errori',
}

type MigrationFiltersProps = {
  address: MigrationsAddress
  /** Pharmacies that are found; null while no filter is set. */
  found: number | null
  onChange: (change: Partial<MigrationsAddress>, options?: { replace: boolean }) => void
}

/** Finds pharmacies of both tables by their name or code, and by their state. */
export function MigrationFilters({ address, found, onChange }: MigrationFiltersProps) {
  const search = useSearchText({
    inUrl: address.q,
    onSearch: (q, options) => onChange({ q }, options),
  })
  return (
    <div className="flex flex-wrap gap-2.5">
      <SearchField
        search={search}
        placeholder="Codice o nome"
        maxLength={MAX_LETTERS}
        className="basis-56 lg:max-w-md"
      />
      <NativeSelect
        label="Stato"
        className="grow sm:grow-0"
        value={address.stato}
        onChange={({ target }) =>
          onChange({ stato: ListedState.safeParse(target.value).data ?? '' })
        }
      >
        <option value="">Tutti gli stati</option>
        {ListedState.options.map((state) => (
          <option key={state} value={state}>
            {stateNames[state]}
          </option>
        ))}
      </NativeSelect>
      <p role="status" className="sr-only">
        {found === null ? null : `Farmacie trovate: ${found}`}
      </p>
    </div>
  )
}
