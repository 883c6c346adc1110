import type { Category } from '@bancone/contract/product-categories'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { SelectField } from '../../../ui/select-field.tsx'

type CategoryFieldProps = {
  value: string
  /** Null while they are loading. */
  categories: readonly Category[] | null
  failed: boolean
  isFetching: boolean
  onAgain: () => void
  error: string | undefined
  onChange: (category: string) => void
}

/** Chooses a category; a category that no longer exists stays visible until another is chosen. */
export function CategoryField(props: CategoryFieldProps) {
  const { value, categories, failed, isFetching, onAgain, error, onChange } = props
  const gone = value !== '' && !categories?.some(({ name }) => name === value)
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label="Categoria"
        name="category"
        required
        value={value}
        error={error}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">Scegli una categoria</option>
        {gone ? <option value={value}>{value}</option> : null}
        {categories?.map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      {failed ? (
        <RetryAlert busy={isFetching} onRetry={onAgain}>
          Non è stato possibile leggere le categorie.
        </RetryAlert>
      ) : null}
    </div>
  )
}
