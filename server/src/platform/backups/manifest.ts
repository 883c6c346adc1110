import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import type { BackupStore } from './backup-store.ts'

/** The job that makes a back-up. */
export const BACKUP_TASK = 'backups.run'

const Position = z.object({ lsn: z.string(), timeline: z.number().int() })

/** Written last: what has no manifest does not count as a back-up. Times are ISO 8601. */
export const Manifest = z.object({
  version: z.literal(1),
  id: z.string(),
  startedAt: z.string(),
  finishedAt: z.string(),
  database: z.object({
    /** PostgreSQL's identifier of the cluster, which copies share. */
    system: z.string().regex(/^\d+$/),
    major: z.number().int(),
    /** Whether it is the embedded database: another one has its own accounts and settings. */
    embedded: z.boolean(),
    name: z.string(),
    start: Position,
    end: Position,
  }),
  /** The applied migrations. */
  migrations: z.array(z.string()),
  /** How many rows the copy may have of each counted table. */
  rows: z.record(z.string(), z.object({ least: z.number().int(), most: z.number().int() })),
  secrets: z.object({ appSecret: z.string(), databasePassword: z.string() }),
  /** Stored bytes of the database, and the number of files. */
  bytes: z.number().int(),
  files: z.number().int(),
})
export type Manifest = z.infer<typeof Manifest>

export const MANIFESTS = 'manifests/'

export const manifestName = (id: string) => `${MANIFESTS}${id}`
export const archiveName = (id: string) => `base/${id}/archive`
export const postgresManifestName = (id: string) => `base/${id}/manifest`
/** The names of the files that the back-up needs, one a line. */
export const fileListName = (id: string) => `base/${id}/files`
export const LOG = 'wal/'
/** The segments of a cluster, or its history files. */
export const logPrefix = (system: string) => `${LOG}${system}/`

/** An id that begins with the time, so that ids are in the order of the back-ups: `20261122t013007z-9f2c31`. */
export function newBackupId(now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '').toLowerCase()
  return `${time}z-${randomBytes(3).toString('hex')}`
}

/** When a back-up began, by its id, in milliseconds since 1970. Undefined for another name. */
export function timeOfBackup(id: string): number | undefined {
  const found = /^(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)z-/.exec(id)
  if (!found) return undefined
  const [, year, month, day, hour, minute, second] = found
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/** @throws BackupError */
export async function readManifest(store: BackupStore, id: string): Promise<Manifest> {
  const json: unknown = JSON.parse((await store.readAll(manifestName(id))).toString())
  const parsed = Manifest.safeParse(json)
  if (parsed.success) return parsed.data
  throw new BackupError(
    'damaged',
    `The manifest of the back-up ${id} is that of another version of Bancone.`,
  )
}

/** The ids of the back-ups, newest first. */
export async function backupIds(store: BackupStore): Promise<string[]> {
  const names = await store.list(MANIFESTS)
  return [...names.keys()]
    .map((name) => name.slice(MANIFESTS.length))
    .filter((id) => timeOfBackup(id) !== undefined)
    .sort()
    .reverse()
}
