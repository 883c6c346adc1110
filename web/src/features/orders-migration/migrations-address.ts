import type { MigrationPharmacy } from '@bancone/contract/orders-migration'
import { z } from 'zod/mini'
import { searchable } from '../../lib/searchable.ts'
import { type FilterUrl, searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'

export const MAX_LETTERS = 100

const page = z.catch(z.coerce.number().check(z.int(), z.minimum(1)), 1)

/** What a pharmacy of the list can be filtered by. */
export const ListedState = z.enum([
  'in-migrazione',
  'da-sincronizzare',
  'sincronizzato',
  'con-errori',
])
export type ListedState = z.infer<typeof ListedState>

const params = searchParamsFormat(
  z.object({
    stato: z.catch(z.union([ListedState, z.literal('')]), ''),
    /** The pages of the pharmacies with the backup on, and of the others. */
    page,
    altre: page,
  }),
)

export type MigrationsAddress = ReturnType<typeof params.parse> & { q: string }

/** The words are in the hash, which no server is sent. */
const migrationsUrl = {
  parse: ({ search, hash }: FilterUrl): MigrationsAddress => {
    const q = new URLSearchParams(hash.slice(1)).get('q') ?? ''
    return { ...params.parse({ search }), q: q.slice(0, MAX_LETTERS) }
  },
  format: ({ q = '', ...filter }: Partial<MigrationsAddress>): FilterUrl => ({
    ...params.format(filter),
    hash: q === '' ? '' : `#q=${encodeURIComponent(q)}`,
  }),
}

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
  const words = searchable(q.trim())
  if (![name, code].some((text) => searchable(text).includes(words))) return false
  if (stato === '') return true
  if (stato !== 'con-errori') return badge === badges[stato]
  return run?.state === 'failed' || run?.state === 'completed_with_errors'
}
