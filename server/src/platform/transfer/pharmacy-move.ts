import type { Database } from '../../database/database.ts'
import type { ExportedTable } from './export.ts'
import type { Insertion } from './staged-rows.ts'
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
  /** What follows where it was, once it works there. */
  departed(details: { rows: number }): Promise<void>
}

export type MoveResult = {
  rows: number
  /** For so many milliseconds the pharmacy worked on neither server. Null: it was inactive before. */
  pausedMs: number | null
  /** Tables in which something was written that has stayed behind. */
  late: string[]
}

/**
 * How far a move is: its rows are copied ahead, the pharmacy may be closed, or it has moved. `wasActive`: before it was
 * closed.
 */
export type MoveState = { phase: 'ahead' | 'closed' | 'moved'; wasActive: boolean }
