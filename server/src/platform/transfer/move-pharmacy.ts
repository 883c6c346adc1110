import pg from 'pg'
import { type Database, databaseOver } from '../../database/database.ts'
import { StartupError } from '../../startup-error.ts'
import { appliedMigrations, withOwner } from '../backups/database-facts.ts'
import {
  type CatalogueTable,
  columnList,
  createPartitions,
  readCatalogue,
  readPartitions,
  readSequences,
} from './catalogue.ts'
import type { ExportedTable, TransferOptions } from './export.ts'
import { asStartupError, raiseSequences, requireSameVersion } from './import-pharmacy.ts'
import {
  closeOrders,
  deactivate,
  fileKeys,
  MAX_CLOSED_MS,
  open,
  requireAbsent,
  settle,
} from './moving-pharmacy.ts'
import { numbered, reserveNumbers, type Shifts } from './row-numbers.ts'
import { copyRows, type SyncedTable, syncTable } from './row-sync.ts'
import { type Insertion, insertStaged, staged } from './staged-rows.ts'
import { TEXT_SETTINGS } from './table-copy.ts'
import type { TransferredPharmacy } from './transfer-manifest.ts'
import type { FileKey } from './transferred-files.ts'

/** A table of the pharmacy that moves. */
export type MovedTable = ExportedTable & {
  /** Whether its rows are copied while the pharmacy works. The others come with the pharmacy, at the end. */
  isAhead: boolean
  where: string
}

/** A pharmacy that moves from one database to another, whose servers both run. */
export type PharmacyMove = {
  /** The addresses of both databases, for the accounts that own them. */
  from: string
  to: string
  pharmacy: TransferredPharmacy
  tables: readonly MovedTable[]
  /** The sequences whose values are carried. */
  sequences: readonly string[]
  /** See `PharmacyImport`. */
  prepare(db: Database, rowsOf: (table: string) => string): Promise<Insertion>
  /** Copies the files that are not there yet. */
  copyFiles(keys: readonly FileKey[]): Promise<void>
  /** Removes the files that `copyFiles` has copied. */
  removeFiles(): Promise<void>
  /** What follows from the rows, in their transaction, when triggers fire again. */
  finish(db: Database, details: { rows: number; files: number }): Promise<void>
}

export type MoveResult = {
  rows: number
  /** For so many milliseconds the pharmacy worked on neither server. Null: it was inactive before. */
  pausedMs: number | null
}

/** Rows are copied ahead until a pass has found fewer that differ, or so many times. */
const FEW_ROWS = 200
const MAX_PASSES = 5

/**
 * Moves a pharmacy that works. Its rows are copied while it does, and compared until few differ. Then it is closed, what
 * differs still is copied, and it appears in the other database, active, in one transaction. What fails before that
 * leaves it as it was.
 *
 * @throws StartupError when the pharmacy, or something of it, is there already, or the versions differ
 */
export async function movePharmacy(
  move: PharmacyMove,
  options: TransferOptions = {},
): Promise<MoveResult> {
  const result = await withOwner(move.from, (source) =>
    withOwner(move.to, async (target) => {
      await requireReady(source, target, move)
      try {
        return await moveRows(source, target, move, options)
      } catch (error) {
        await target.query('rollback').catch(() => {})
        await removeCopies(target, move).catch(() => {})
        await move.removeFiles()
        throw error
      }
    }),
  ).catch((error: unknown) => {
    throw asStartupError(error)
  })
  return result
}

async function requireReady(source: pg.Client, target: pg.Client, { pharmacy }: PharmacyMove) {
  requireSameVersion(await appliedMigrations(source), await appliedMigrations(target))
  const { rows } = await target.query('select from pharmacies where id = $1', [pharmacy.id])
  if (rows.length > 0) throw new StartupError(`The pharmacy ${pharmacy.code} is there already.`)
  await target.query('begin')
  await withoutTriggers(target)
  await target.query('rollback')
}

/** Until the end of the transaction. @throws StartupError when the account may not */
async function withoutTriggers(target: pg.Client): Promise<void> {
  try {
    await target.query('set local session_replication_role = replica')
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '42501') throw error
    throw new StartupError(
      'The account of the other database may not copy rows without triggers: run there, as a superuser, ' +
        '“grant set on parameter session_replication_role to” this account, or export and import the pharmacy.',
      { cause: error },
    )
  }
}

async function moveRows(
  source: pg.Client,
  target: pg.Client,
  move: PharmacyMove,
  options: TransferOptions,
): Promise<MoveResult> {
  const catalogue = await readCatalogue(source)
  await createPartitions(target, await readPartitions(source))
  const shifts = await reserveNumbers(source, target, movedTables(catalogue, move))
  const tables = synced(catalogue, move, shifts)
  await move.copyFiles(await fileKeys(source, move.tables))
  for (let pass = 1, differing = FEW_ROWS; differing >= FEW_ROWS && pass <= MAX_PASSES; pass += 1) {
    differing = await together(source, target, () => syncAll(source, target, tables, options))
  }
  // What is in the way is said before the pharmacy is closed.
  await together(source, target, async () => {
    await stage(source, target, catalogue, move)
    await move.prepare(databaseOver(target), rowsOf(move))
    throw new Rehearsed()
  }).catch((error: unknown) => {
    if (!(error instanceof Rehearsed)) throw error
  })
  options.signal?.throwIfAborted()

  const closedAt = Date.now()
  let wasActive = false
  try {
    wasActive = await deactivate(source, move.pharmacy.id)
    await closeOrders(source, move.pharmacy.id)
    if (wasActive) await settle(source)
    const files = await fileKeys(source, move.tables)
    await move.copyFiles(files)
    let rows = 0
    await together(source, target, async () => {
      await syncAll(source, target, tables, options)
      const last = await stage(source, target, catalogue, move)
      const { values, where } = await move.prepare(databaseOver(target), rowsOf(move))
      const pharmacy = { ...values['pharmacies'], is_active: String(wasActive) }
      await insertStaged(target, last, shifts, {
        values: { ...values, pharmacies: pharmacy },
        where,
      })
      await raiseSequences(target, await readSequences(source), move.sequences)
      rows = await countRows(target, move)
      await target.query('set local session_replication_role = origin')
      await move.finish(databaseOver(target), { rows, files: files.length })
      if (Date.now() - closedAt > MAX_CLOSED_MS) throw new StartupError('The move takes too long.')
    })
    return { rows, pausedMs: wasActive ? Date.now() - closedAt : null }
  } catch (error) {
    await requireAbsent(move.to, move.pharmacy)
    await open(source, move.pharmacy.id, wasActive)
    throw error
  }
}

/** Ends a transaction that has shown that the last one will do. */
class Rehearsed extends Error {}

/** Runs `work` in a transaction of each database: one that sees a single moment, and one in which no trigger acts. */
async function together<T>(
  source: pg.Client,
  target: pg.Client,
  work: () => Promise<T>,
): Promise<T> {
  await source.query(`begin isolation level repeatable read read only; ${TEXT_SETTINGS}`)
  try {
    await target.query(`begin; ${TEXT_SETTINGS}`)
    await withoutTriggers(target)
    const result = await work()
    await target.query('commit')
    return result
  } catch (error) {
    await target.query('rollback').catch(() => {})
    throw error
  } finally {
    await source.query('rollback').catch(() => {})
  }
}

/** In the order of the catalogue, each with what the move says of it. */
function movedTables(catalogue: readonly CatalogueTable[], { tables }: PharmacyMove) {
  return catalogue.flatMap((table) => {
    const moved = tables.find(({ name }) => name === table.name)
    return moved ? [{ ...moved, ...table }] : []
  })
}

function synced(
  catalogue: readonly CatalogueTable[],
  move: PharmacyMove,
  shifts: Shifts,
): SyncedTable[] {
  return movedTables(catalogue, move).flatMap((table) =>
    table.isAhead
      ? [{ ...table, valueOf: (column: string) => numbered(table, column, shifts) }]
      : [],
  )
}

async function syncAll(
  source: pg.Client,
  target: pg.Client,
  tables: readonly SyncedTable[],
  { signal, onProgress }: TransferOptions,
): Promise<number> {
  let differing = 0
  for (const [done, table] of tables.entries()) {
    signal?.throwIfAborted()
    onProgress?.({ step: 'tables', name: table.name, done, total: tables.length })
    differing += await syncTable(source, target, table)
  }
  return differing
}

/** Copies the rows that are not copied ahead into temporary tables. @returns their tables */
async function stage(
  source: pg.Client,
  target: pg.Client,
  catalogue: readonly CatalogueTable[],
  move: PharmacyMove,
) {
  const last = movedTables(catalogue, move).filter(({ isAhead }) => !isAhead)
  for (const { name, columns, where, values = {}, change } of last) {
    await target.query(
      `create temporary table ${staged(name)} (like ${target.escapeIdentifier(name)} including generated) on commit drop`,
    )
    const selected = columns.map((column) => values[column] ?? source.escapeIdentifier(column))
    const query = `select ${selected.join(', ')} from ${source.escapeIdentifier(name)} where ${where}`
    const into = `${staged(name)} (${columnList(target, columns)})`
    await copyRows(source, query, target, into, change?.(columns))
  }
  return last
}

/** The rows of the pharmacy in the other database before it is there, as SQL. */
function rowsOf({ tables }: PharmacyMove) {
  return (name: string) => {
    const table = tables.find((each) => each.name === name)
    return table?.isAhead ? `(select * from ${name} where ${table.where})` : staged(name)
  }
}

async function countRows(target: pg.Client, { tables }: PharmacyMove): Promise<number> {
  const counts = tables.map(
    ({ name, where }) => `(select count(*) from ${target.escapeIdentifier(name)} where ${where})`,
  )
  const { rows } = await target.query<{ rows: number }>(
    `select (${counts.join(' + ')})::int as rows`,
  )
  return rows[0]?.rows ?? 0
}

/** Removes what was copied ahead of a pharmacy that did not come. */
async function removeCopies(target: pg.Client, { tables }: PharmacyMove): Promise<void> {
  await target.query('begin')
  await withoutTriggers(target)
  for (const { name, where } of tables.filter(({ isAhead }) => isAhead)) {
    await target.query(`delete from ${target.escapeIdentifier(name)} where ${where}`)
  }
  await target.query('commit')
}
