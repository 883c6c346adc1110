import type { OrdersPhase } from '@bancone/contract/orders-migration'
import type { CopiedOrder } from './canonical-order.ts'
import type { Verdict } from './migration-findings.rules.ts'

/** An order of the copy, with what is on its way to Airtable. */
export type ComparedCopy = CopiedOrder & {
  id: string
  /** A status waits to be written to Airtable. */
  has_change: boolean
  /** Airtable does not have the order, or not yet. */
  is_made_here: boolean
}

/**
 * What a record of Airtable means for the copy. A change that waits is not overwritten; after the end of the migration
 * the database decides, and only what is missing is added.
 *
 * @param columns in which both differ
 */
export function verdictOf(
  phase: OrdersPhase,
  copy: ComparedCopy | undefined,
  columns: readonly string[],
): Verdict {
  if (!copy) return 'new'
  if (columns.length === 0) return 'same'
  return copy.has_change || phase === 'retired' ? 'conflict' : 'changed'
}

/** The columns of an order that a change made here sets before Airtable has it. */
const inFlightColumns: readonly string[] = ['Stato', 'Last']

/** The columns that differ without a change on its way: those of the change are left out. */
export function settledColumns(copy: ComparedCopy, columns: readonly string[]): string[] {
  return columns.filter((column) => !(copy.has_change && inFlightColumns.includes(column)))
}
