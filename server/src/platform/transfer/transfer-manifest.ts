import { z } from 'zod'
import { StartupError } from '../../base/startup-error.ts'
import type { BackupStore } from '../backups/backup-store.ts'

const Content = z.object({
  rows: z.number().int(),
  /** Of the content before compression, in hexadecimal digits. */
  sha256: z.string(),
})
export type Content = z.infer<typeof Content>

const Pharmacy = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  plan: z.object({ id: z.uuid(), name: z.string() }).nullable(),
})
export type TransferredPharmacy = z.infer<typeof Pharmacy>

/** Written last: without it there is no export. Times are ISO 8601. */
export const TransferManifest = z.object({
  version: z.literal([1, 2]),
  exportedAt: z.string(),
  /** Null: everything. */
  pharmacy: Pharmacy.nullable(),
  /** The applied migrations. */
  migrations: z.array(z.string()),
  /** In the order in which they can be imported. */
  tables: z.array(Content.extend({ name: z.string(), columns: z.array(z.string()) })),
  /** The last values of sequences; those never used are not among them. */
  sequences: z.record(z.string(), z.string()),
  /** The first and the last day of partitions (`yyyymmdd`), by the parent table. */
  partitions: z.record(z.string(), z.object({ first: z.string(), last: z.string() })),
  /** Null: jobs are not carried. */
  jobs: Content.nullable(),
  /** The list of the files. `missing`: rows referred to them, and they were not stored. */
  files: Content.extend({ missing: z.number().int() }),
  /** What encrypts values in rows: APP_SECRET, or of one pharmacy a secret made for the export. */
  secret: z.string(),
})
export type TransferManifest = z.infer<typeof TransferManifest>

/** A file of an export: its key in one of the stores, and what it contains. */
export const TransferredFile = z.object({
  folder: z.enum(['images', 'files']),
  key: z.string(),
  sha256: z.string(),
})
export type TransferredFile = z.infer<typeof TransferredFile>

export const MANIFEST = 'export/manifest'
export const FILE_LIST = 'export/files'
export const JOBS = 'export/jobs'
export const tableName = (table: string) => `tables/${table}`

/** @throws StartupError when there is no export, or one of another format; BackupError */
export async function readTransferManifest(store: BackupStore): Promise<TransferManifest> {
  if (!(await store.exists(MANIFEST))) {
    throw new StartupError('There is no complete export in this place: its manifest is missing.')
  }
  const json: unknown = JSON.parse((await store.readAll(MANIFEST)).toString())
  const parsed = TransferManifest.safeParse(json)
  if (parsed.success) return parsed.data
  throw new StartupError('The export was made by another version of Bancone, which has to read it.')
}

/**
 * An export of a development version (1) has migrations that no longer exist: its tables and columns alone are compared.
 *
 * @throws StartupError unless the applied migrations are the same
 */
export function requireSameVersion(
  { version, migrations }: TransferManifest,
  here: readonly string[],
): void {
  if (version === 1 || migrations.join() === here.join()) return
  throw new StartupError(
    `The export comes from another version of Bancone (its last migration is ${migrations.at(-1)}, here it is ` +
      `${here.at(-1)}): import it with that version, or bring both servers to the same one.`,
  )
}
