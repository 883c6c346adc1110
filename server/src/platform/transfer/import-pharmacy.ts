import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../../base/startup-error.ts'
import { withClient } from '../../database/client.ts'
import { type Database, databaseOver } from '../../database/database.ts'
import { appliedMigrations } from '../../database/migrate.ts'
import type { BackupStore } from '../backups/backup-store.ts'
import { columnList, createPartitions, readCatalogue, switchTriggers } from './catalogue.ts'
import type { ExportedTable, TransferOptions } from './export.ts'
import { requireOwnRows, requireTablesOfPharmacy } from './own-rows.ts'
import {
  type Insertion,
  insertStaged,
  makeRoomForStaged,
  staged,
  stageRows,
} from './staged-rows.ts'
import type { ChangeRows } from './table-copy.ts'
import {
  requireSameVersion,
  type TransferManifest,
  type TransferredPharmacy,
} from './transfer-manifest.ts'
import type { FileKey } from './transferred-files.ts'

/** What is known about the tables of a pharmacy. */
export type PharmacyImport = {
  url: string
  manifest: TransferManifest & { pharmacy: TransferredPharmacy }
  /** The tables of an export of this pharmacy. */
  tables(db: Database): readonly ExportedTable[]
  /** The sequences whose values are imported. */
  sequences: readonly string[]
  changeOf(table: string, columns: readonly string[]): ChangeRows | undefined
  /**
   * Looks for what is in the way of the staged rows.
   *
   * @returns SQL expressions for columns, by table, and conditions for the rows that are inserted
   * @throws StartupError
   */
  prepare(db: Database, stagedTable: (table: string) => string): Promise<Insertion>
  /** Stores the files that `isExpected` around `work`, which commits. */
  withFiles(isExpected: (file: FileKey) => boolean, work: () => Promise<void>): Promise<void>
  /** What follows from the rows, in their transaction, when triggers fire again. */
  finish(db: Database): Promise<void>
}

/** So long other writers of the tables wait at most before the import gives way, and begins anew. */
const LOCK_TIMEOUT_MS = 2_000
const PAUSE_MS = 1_000
const MAX_TRIES = 30

/**
 * Imports one pharmacy into a database that others use. Its rows are read and checked first; while they are inserted, in
 * one transaction, writers of the same tables wait.
 *
 * @throws StartupError when the pharmacy, or something of it, is here already, or the version is another one; BackupError
 * `damaged`
 */
export async function importPharmacy(
  store: BackupStore,
  given: PharmacyImport,
  options: TransferOptions = {},
): Promise<void> {
  const { url, manifest, changeOf } = given
  await withClient(url, async (client) => {
    requireSameVersion(manifest, await appliedMigrations(client))
    const db = databaseOver(client)
    const tables = given.tables(db)
    await requireTablesOfPharmacy(client, manifest, tables)
    await createPartitions(client, manifest.partitions)
    await stageRows(client, store, manifest, changeOf, options)
    const insertion = await given.prepare(db, staged)
    await requireOwnRows(client, tables)
    const expected = await expectedFiles(client)
    const isExpected = ({ folder, key }: FileKey) => expected.has(`${folder} ${key}`)
    await given.withFiles(isExpected, () =>
      givingWay(client, async () => {
        await insert(client, given, insertion)
        await given.finish(db)
        options.signal?.throwIfAborted()
      }),
    )
    const names = manifest.tables.map(({ name }) => name)
    await client.query(`analyze (skip_locked) ${columnList(client, names)}`)
  }).catch((error: unknown) => {
    throw asStartupError(error)
  })
}

/** The files of staged rows that no row here has. */
async function expectedFiles(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ file: string }>(
    `select 'images ' || key as file from ${staged('order_image_files')} new
       where not exists (select from order_image_files here where here.key = new.key)
     union all
     select 'files ' || key from ${staged('stored_files')} new
       where not exists (select from stored_files here where here.key = new.key)`,
  )
  return new Set(rows.map(({ file }) => file))
}

async function insert(
  client: pg.Client,
  { manifest, sequences }: PharmacyImport,
  insertion: Insertion,
): Promise<void> {
  const names = manifest.tables.map(({ name }) => name)
  await client.query(`lock table ${columnList(client, names)} in share row exclusive mode`)
  await switchTriggers(client, names, 'disable')
  const tables = (await readCatalogue(client)).filter(({ name }) => names.includes(name))
  await insertStaged(client, tables, await makeRoomForStaged(client, tables), insertion)
  await raiseSequences(client, manifest.sequences, sequences)
  await switchTriggers(client, names, 'enable')
}

/** Lets the sequences among `wanted` go on after the values that they had in the other database. */
export async function raiseSequences(
  client: pg.Client,
  values: Readonly<Record<string, string>>,
  wanted: readonly string[],
): Promise<void> {
  for (const [name, last] of Object.entries(values)) {
    if (!wanted.includes(name)) continue
    const sequence = client.escapeIdentifier(name)
    await client.query(`select setval($1, greatest(last_value, $2::bigint)) from ${sequence}`, [
      sequence,
      last,
    ])
  }
}

/** Runs a transaction, and tries it again when a table stayed locked or others waited for it in a circle. */
async function givingWay(client: pg.Client, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    try {
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {})
      const isWait = error instanceof pg.DatabaseError && /^(55P03|40P01)$/.test(error.code ?? '')
      if (!isWait || tries === MAX_TRIES) throw error
      await pause(PAUSE_MS * (0.5 + Math.random()))
    }
  }
}

/** A value that must be unique is here already, or a row refers to one that is not. */
export function asStartupError(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  if (error.code === '23505' || error.code === '23503') {
    return new StartupError(
      `The pharmacy cannot be added: ${error.detail ?? error.message} (${error.constraint}, table ${error.table}).`,
      { cause: error },
    )
  }
  if (error.code === '55P03') {
    return new StartupError('The tables stayed locked by others: try again when less happens.', {
      cause: error,
    })
  }
  return error
}
