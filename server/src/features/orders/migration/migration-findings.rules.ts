import { MaskedOrder } from '@bancone/contract/migration-results'
import { MAX_EXAMPLES } from '@bancone/contract/migration-runs'
import { OrderStatus } from '@bancone/contract/orders'
import { maskedName } from '@bancone/contract/visit-responses'
import { z } from 'zod'

/** More different statuses than these are not listed. */
const MAX_STATUSES = 50

const Counted = z.record(z.string(), z.number())
const Examples = z.array(MaskedOrder).default([])

/** What a run has found so far besides its counts. Stored with each batch. */
export const Findings = z.object({
  /** Changed orders by the column in which they differ. */
  columns: Counted.default({}),
  new: Examples,
  changed: Examples,
  conflicts: Examples,
  /** Orders by a status that is none of the five. */
  statuses: Counted.default({}),
  imageBytes: z.number().default(0),
  missingColumns: z.array(z.string()).nullable().default(null),
})
export type Findings = z.infer<typeof Findings>

/** What a record means for the copy. */
export type Verdict = 'new' | 'changed' | 'same' | 'conflict'

type FoundOrder = {
  recordId: string
  orderNumber: string | null
  customerName: string | null
  status: string
  imageBytes: number | undefined
}

/** Adds a record to the findings. @param columns in which it differs */
export function addFinding(
  findings: Findings,
  verdict: Verdict,
  order: FoundOrder,
  columns: string[],
): void {
  findings.imageBytes += order.imageBytes ?? 0
  if (!OrderStatus.safeParse(order.status).success) {
    const isKnown = findings.statuses[order.status] !== undefined
    if (isKnown || Object.keys(findings.statuses).length < MAX_STATUSES) {
      findings.statuses[order.status] = (findings.statuses[order.status] ?? 0) + 1
    }
  }
  if (verdict === 'changed') {
    for (const column of columns) findings.columns[column] = (findings.columns[column] ?? 0) + 1
  }
  if (verdict === 'same') return
  const examples = { new: findings.new, changed: findings.changed, conflict: findings.conflicts }
  if (examples[verdict].length < MAX_EXAMPLES) examples[verdict].push(masked(order, columns))
}

export function masked(
  order: Pick<FoundOrder, 'recordId' | 'orderNumber' | 'customerName'>,
  columns: string[],
): MaskedOrder {
  const { recordId, orderNumber, customerName } = order
  return {
    recordId,
    orderNumber,
    customer: customerName === null ? null : maskedName(customerName),
    columns,
  }
}

/** The words of a status, with the one of the five that they suggest. */
const suggestions: readonly [RegExp, OrderStatus][] = [
  [/annull|cancell|rifiut/i, 'Annullato'],
  [/doman/i, 'Prenotato Domani'],
  [/prenot|giornata|oggi|ordinat/i, 'Prenotato in Giornata'],
  [/conferm|pront|ritir|conseg|evas|complet/i, 'Confermato'],
]

/** The status to propose for one that is none of the five. */
export function proposedStatus(status: string): OrderStatus {
  return suggestions.find(([words]) => words.test(status))?.[1] ?? 'In attesa'
}
