import { RowOutcome } from '@bancone/contract/pharmacy-imports'
import { z } from 'zod'
import { searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'

const importUrl = searchParamsFormat(
  z.object({
    /** The import that is shown; empty for the newest. */
    importazione: z.uuid().or(z.literal('')).catch(''),
    /** The rows that are shown; empty for all. */
    righe: RowOutcome.or(z.literal('')).catch(''),
    page: z.coerce.number().int().min(1).catch(1),
  }),
)

export type ImportAddress = ReturnType<typeof importUrl.parse>

export function useImportAddress() {
  return useUrlFilter<ImportAddress>(importUrl)
}
