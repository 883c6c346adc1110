import type pg from 'pg'
import { databaseOver } from '../../database/database.ts'
import { StartupError } from '../../startup-error.ts'
import { appliedMigrations, withOwner } from '../backups/database-facts.ts'
import {
  type CatalogueTable,
  columnList,
  createPartitions,
  readCatalogue,
  readPartitions,
  readSequences,
  withoutTriggers,
} from './catalogue.ts'
import { fileKeys, type TransferOptions } from './export.ts'
import { asStartupError, raiseSequences, requireSameVersion } from './import-pharmacy.ts'
import { closeOrders, deactivate, lateTables, MAX_CLOSED_MS, settle } from './moving-pharmacy.ts'
import type { MovedTable, MoveResult, MoveState, PharmacyMove } from './pharmacy-move.ts'
import { numbered, requireRoom, reserveNumbers, type Shifts } from './row-numbers.ts'
import { copyRows, type SyncedTable, syncTable } from './row-sync.ts'
import { insertStaged, staged } from './staged-rows.ts'
import { TEXT_SETTINGS } from './table-copy.ts'
import { undoMove } from './undo-move.ts'

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
  const state: MoveState = { phase: 'ahead', wasActive: false }
  return withOwner(move.from, (source) =>
    withOwner(move.to, async (target) => {
      await requireReady(source, target, move)
      return moveRows(source, target, move, state, options).catch((error: unknown) =>
        undoMove(move, state, asStartupError(error)),
      )
    }),
  )
}

async function requireReady(source: pg.Client, target: pg.Client, { pharmacy }: PharmacyMove) {
  requireSameVersion(await appliedMigrations(source), await appliedMigrations(target))
  await lock(
    target,
    'bancone.move',
    'Another pharmacy is on its way there: wait until it has come.',
  )
  await lock(source, `bancone.move ${pharmacy.id}`, 'The pharmacy is on its way already.')
  const { rows } = await target.query('select from pharmacies where id = $1', [pharmacy.id])
  if (rows.length > 0) throw new StartupError(`The pharmacy ${pharmacy.code} is there already.`)
  await target.query('begin')
  await withoutTriggers(target)
  await target.query('rollback')
}

/** Until the connection ends. @throws StartupError with the message when another connection has it */
async function lock(client: pg.Client, name: string, message: string): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
    [name],
  )
  if (!rows[0]?.locked) throw new StartupError(message)
}

async function moveRows(
  source: pg.Client,
  target: pg.Client,
  move: PharmacyMove,
  state: MoveState,
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
    await stage(source, target, catalogue, move, options)
    await move.prepare(databaseOver(target), rowsOf(move))
    throw new Rehearsed()
  }).catch((error: unknown) => {
    if (!(error instanceof Rehearsed)) throw error
  })
  options.signal?.throwIfAborted()

  const closedAt = Date.now()
  state.phase = 'closed'
  state.wasActive = await deactivate(source, move.pharmacy.id)
  await closeOrders(source, move.pharmacy.id)
  if (state.wasActive) await settle(source)
  const files = await fileKeys(source, move.tables)
  await move.copyFiles(files)
  let [rows, snapshot] = [0, '']
  await together(source, target, async () => {
    snapshot = await presentSnapshot(source)
    await syncAll(source, target, tables, options)
    const last = await stage(source, target, catalogue, move, options)
    const { values, where } = await move.prepare(databaseOver(target), rowsOf(move))
    const pharmacy = { ...values['pharmacies'], is_active: String(state.wasActive) }
    await insertStaged(target, last, shifts, {
      values: { ...values, pharmacies: pharmacy },
      where,
    })
    await raiseSequences(target, await readSequences(source), move.sequences)
    await requireRoom(target, movedTables(catalogue, move))
    rows = await countRows(target, move)
    await target.query('set local session_replication_role = origin')
    await move.finish(databaseOver(target), { rows, files: files.length })
    if (Date.now() - closedAt > MAX_CLOSED_MS) throw new StartupError('The move takes too long.')
  })
  const pausedMs = state.wasActive ? Date.now() - closedAt : null
  state.phase = 'moved'
  await move.departed({ rows })
  const late = state.wasActive ? await lateTables(source, written(move), snapshot) : []
  return { rows, pausedMs, late }
}

async function presentSnapshot(source: pg.Client): Promise<string> {
  const { rows } = await source.query<{ snapshot: string }>(
    'select pg_current_snapshot()::text as snapshot',
  )
  return rows[0]?.snapshot ?? ''
}

/** What users write. Figures are counted by the servers themselves, there again. */
function written({ tables }: PharmacyMove): MovedTable[] {
  return tables.filter(
    ({ name, isAhead }) =>
      (isAhead && !name.includes('analytics')) || ['images', 'storage_objects'].includes(name),
  )
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
    differing += await syncTable(source, target, table, signal)
  }
  return differing
}

/** Copies the rows that are not copied ahead into temporary tables. @returns their tables */
async function stage(
  source: pg.Client,
  target: pg.Client,
  catalogue: readonly CatalogueTable[],
  move: PharmacyMove,
  { signal }: TransferOptions,
) {
  const last = movedTables(catalogue, move).filter(({ isAhead }) => !isAhead)
  for (const { name, columns, where, values = {}, change } of last) {
    await target.query(
      `create temporary table ${staged(name)} (like ${target.escapeIdentifier(name)} including generated) on commit drop`,
    )
    const selected = columns.map((column) => values[column] ?? source.escapeIdentifier(column))
    const query = `select ${selected.join(', ')} from ${source.escapeIdentifier(name)} where ${where}`
    const into = `${staged(name)} (${columnList(target, columns)})`
    await copyRows(source, query, target, into, { change: change?.(columns), signal })
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
