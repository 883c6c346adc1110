import { z } from 'zod/mini'
import { OrderStatus, StatusText } from './orders.ts'

const count = z.int()

/** An order in an example: its customer's name is masked, its contents are left out. */
export const MaskedOrder = z.object({
  recordId: z.string(),
  orderNumber: z.nullable(z.string()),
  /** The initials, for example 'M••• R•••'; null without a name. */
  customer: z.nullable(z.string()),
  /** The columns that differ, or that cannot be read. */
  columns: z.array(z.string()),
})
export type MaskedOrder = z.infer<typeof MaskedOrder>

/** What a dry run found besides the counts. Each list has the first twenty. */
export const DryRunResult = z.object({
  /** How many of the changed orders differ in each column, most first. */
  changedColumns: z.array(z.object({ column: z.string(), orders: count })),
  examples: z.object({
    new: z.array(MaskedOrder),
    changed: z.array(MaskedOrder),
    onlyHere: z.array(MaskedOrder),
    conflicts: z.array(MaskedOrder),
  }),
  /** Records to be corrected by reason, most first. The records themselves are items of the run. */
  refused: z.array(z.object({ reason: z.string(), text: z.string(), records: count })),
  /** Statuses that are none of the five. A mapping can be given to the run that follows. */
  unknownStatuses: z.array(z.object({ status: StatusText, orders: count, proposed: OrderStatus })),
  /** Columns that the table lacks; null when Airtable does not tell. */
  missingColumns: z.nullable(z.array(z.string())),
  /** Values of 'ID Ordine' that several records have: the first twenty, and how many there are. They are imported all. */
  duplicates: z.object({
    total: count,
    numbers: z.array(z.object({ orderNumber: z.string(), records: count })),
  }),
  /** `bytes`: of those whose size Airtable tells. */
  pictures: z.object({ total: count, bytes: z.number() }),
})
export type DryRunResult = z.infer<typeof DryRunResult>

/** What a comparison found. It follows every `full` run, too. */
export const VerificationResult = z.object({
  equal: z.boolean(),
  /** Records of Airtable, also those that are not imported, and orders here, without those made here. */
  airtable: count,
  database: count,
  /** Months in which both have orders, and those whose sums differed at first. */
  months: count,
  differentMonths: z.array(z.string()),
  onlyInAirtable: count,
  onlyHere: count,
  different: count,
  /** Records that cannot be read at all or have no owner: not compared. They count as a difference. */
  unreadable: count,
  /** Compared records with columns that cannot be read. They count as a difference. */
  toFix: z._default(count, 0),
  /** Differences that were gone when they were read again. */
  settled: count,
  /**
   * `checked`: stored copies whose contents were read (not after a migration). `missing`: of those, gone or damaged.
   * `waiting`: to be copied when the run ended. `refused`: could not be copied.
   */
  pictures: z.object({ checked: count, missing: count, waiting: count, refused: count }),
})
export type VerificationResult = z.infer<typeof VerificationResult>
