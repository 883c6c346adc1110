import { Light } from '@bancone/contract/pharmacy-attention'
import { z } from 'zod'
import { searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'

export const SortKey = z.enum([
  'need',
  'name',
  'signIn',
  'order',
  'orders',
  'copy',
  'offers',
  'storage',
  'jobs',
  'plan',
])
export type SortKey = z.infer<typeof SortKey>

const Filter = z.object({
  light: z.enum(['all', ...Light.options]).catch('all'),
  /** `need`: the order of the server. */
  sort: SortKey.catch('need'),
  dir: z.enum(['asc', 'desc']).catch('asc'),
})
export type OverviewFilter = z.infer<typeof Filter>

const format = searchParamsFormat(Filter)

/** Light, column and direction of the overview, in the URL. */
export const useOverviewAddress = () => useUrlFilter<OverviewFilter>(format)
