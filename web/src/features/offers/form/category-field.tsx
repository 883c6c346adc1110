import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import type { useCategories } from './use-categories.ts'
import { useOfferField } from './use-offer-field.ts'

/** Chooses a category; a category that no longer exists stays visible until another is chosen. */
export function CategoryField({ categories, failed, ...query }: ReturnType<typeof useCategories>) {
  const field = useOfferField('category')
  const gone = field.value !== '' && !categories?.some(({ name }) => name === field.value)
  return (
    <div className="flex flex-col gap-2">
      <SelectField label="Categoria" required {...field}>
        <option value="">Scegli una categoria</option>
        {gone ? <option value={field.value}>{field.value}</option> : null}
        {categories?.map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      {failed ? (
        <RetryAlert busy={query.isFetching} onRetry={query.again}>
          Non è stato possibile leggere le categorie.
        </RetryAlert>
      ) : null}
    </div>
  )
}
