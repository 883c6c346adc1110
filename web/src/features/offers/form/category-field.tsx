import type { Response } from '@bancone/contract/endpoint'
import type { listProductCategories } from '@bancone/contract/product-categories'
import type { UseQueryResult } from '@tanstack/react-query'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { useOfferField } from './use-offer-field.ts'

export type CategoryQuery = UseQueryResult<Response<typeof listProductCategories>>

/** Chooses a category; a category that no longer exists stays visible until another is chosen. */
export function CategoryField({ query }: { query: CategoryQuery }) {
  const { data, error, isFetching, refetch } = query
  const field = useOfferField('category')
  const gone = field.value !== '' && !data?.categories.some(({ name }) => name === field.value)
  return (
    <div className="flex flex-col gap-2">
      <SelectField label="Categoria" required {...field}>
        <option value="">Scegli una categoria</option>
        {gone ? <option value={field.value}>{field.value}</option> : null}
        {data?.categories.map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      {!data && error ? (
        <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
          Non è stato possibile leggere le categorie.
        </RetryAlert>
      ) : null}
    </div>
  )
}
