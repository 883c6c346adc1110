import { MigrationItemKind } from '@bancone/contract/migration-runs'
import { z } from 'zod'
import { searchParamsFormat, useUrlFilter } from '../../../lib/url-filter.ts'

const migrationUrl = searchParamsFormat(
  z.object({
    /** The run that is shown; empty for the newest. */
    operazione: z.uuid().or(z.literal('')).catch(''),
    /** Its records that are shown; empty for all. */
    righe: MigrationItemKind.or(z.literal('')).catch(''),
    page: z.coerce.number().int().min(1).catch(1),
    /** The page of the history. */
    storico: z.coerce.number().int().min(1).catch(1),
  }),
)

export type MigrationAddress = ReturnType<typeof migrationUrl.parse>

export function useMigrationAddress() {
  return useUrlFilter<MigrationAddress>(migrationUrl)
}
