import type { MigrationPharmacy } from '@bancone/contract/orders-migration'
import { z } from 'zod/mini'
import { containsText, withTextInHash } from '../../lib/list-search.ts'
import { searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'

const page = z.catch(z.coerce.number().check(z.int(), z.minimum(1)), 1)

/** What a pharmacy of the list can be filtered by. */
export const ListedState = z.enum([
  'in-migrazione',
  'da-sincronizzare',
  'sincronizzato',
  'con-errori',
])
export type ListedState = z.infer<typeof ListedState>

const migrationsUrl = withTextInHash(
  searchParamsFormat(
    z.object({
      stato: z.catch(z.union([ListedState, z.literal('')]), ''),
      /** The pages of the pharmacies with the backup on, and of the others. */
      page,
      altre: page,
    }),
  ),
)

export type MigrationsAddress = ReturnType<typeof migrationsUrl.parse>

/** Filter and pages of both tables in the URL, and a function to change them. */
export function useMigrationsAddress() {
  return useUrlFilter<MigrationsAddress>(migrationsUrl)
}

const badges: Partial<Record<ListedState, MigrationPharmacy['badge']>> = {
  'in-migrazione': 'In Migrazione',
  'da-sincronizzare': 'Da Sincronizzare',
  sincronizzato: 'Sincronizzato',
}

/** Whether a pharmacy has the words in its name or code, and the state. */
export function isListed(
  pharmacy: MigrationPharmacy,
  { q, stato }: Pick<MigrationsAddress, 'q' | 'stato'>,
): boolean {
  const { name, pharmacy_id: code, badge, run } = pharmacy
  if (!containsText([name, code], q)) return false
  if (stato === '') return true
  if (stato !== 'con-errori') return badge === badges[stato]
  return run?.state === 'failed' || run?.state === 'completed_with_errors'
}
