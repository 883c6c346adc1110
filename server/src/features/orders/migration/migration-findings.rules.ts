import { MaskedOrder } from '@bancone/contract/migration-results'
import {
  MAX_EXAMPLES,
  type MigrationFailure,
  type MigrationItemKind,
} from '@bancone/contract/migration-runs'
import { OrderStatus } from '@bancone/contract/orders'
import type { OrdersPhase } from '@bancone/contract/orders-migration'
import { maskedName } from '@bancone/contract/support-session-responses'
import { z } from 'zod'
import type { CopiedOrder } from './canonical-order.ts'

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

type Text = { reason: string; advice: string }

const texts = {
  cells: (columns) => ({
    reason: `Il valore di ${columns} non si può leggere.`,
    advice: `L’ordine si importa con gli altri valori. In Airtable correggi ${columns}, poi riprova.`,
  }),
  record: () => ({
    reason: 'Il record non si può leggere.',
    advice: 'In Airtable ricrea il record, poi riprova.',
  }),
  not_stored: () => ({
    reason: 'Il database non accetta i valori del record.',
    advice: 'In Airtable accorcia i testi molto lunghi, poi riprova.',
  }),
  no_pharmacy: () => ({
    reason: 'PharmaWA non indica nessuna delle farmacie di questa tabella.',
    advice:
      'In Airtable scrivi in PharmaWA il nome, il codice o il telefono della farmacia, poi riprova.',
  }),
  waiting_change: (columns) => ({
    reason: `Una modifica fatta qui non è ancora arrivata in Airtable (${columns}).`,
    advice: 'Aspetta che la modifica arrivi in Airtable: non serve altro.',
  }),
  retired: (columns) => ({
    reason: `Il record è diverso in ${columns}, ma ora vale il database.`,
    advice: 'Se vale Airtable, correggi l’ordine nella pagina degli ordini.',
  }),
  missing: () => ({
    reason: 'L’ordine è in Airtable ma non nel database.',
    advice: 'Avvia la migrazione: l’ordine viene importato.',
  }),
  extra: () => ({
    reason: 'L’ordine è nel database ma non in Airtable.',
    advice: 'Se in Airtable è stato eliminato, qui scompare entro sei ore.',
  }),
  differs: (columns) => ({
    reason: `L’ordine è diverso in ${columns}.`,
    advice: 'Avvia la migrazione: l’ordine diventa come in Airtable.',
  }),
  picture_missing: () => ({
    reason: 'La copia dell’immagine non c’è più.',
    advice: 'Riprova: l’immagine viene copiata di nuovo.',
  }),
  picture_damaged: () => ({
    reason: 'La copia dell’immagine è danneggiata.',
    advice: 'Riprova: l’immagine viene copiata di nuovo.',
  }),
  picture_refused: () => ({
    reason: 'L’immagine non si è potuta copiare.',
    advice: 'Controlla l’allegato in Airtable, poi riprova.',
  }),
} satisfies Record<string, (columns: string) => Text>

/** Why a record is among the items of a run. */
export type ItemReason = keyof typeof texts

function isReason(reason: string): reason is ItemReason {
  return Object.hasOwn(texts, reason)
}

/** The reason of an item and what to do, in Italian. */
export function itemText(reason: string, columns: readonly string[]): Text {
  return isReason(reason) ? texts[reason](columns.join(', ')) : { reason, advice: '' }
}

/** The names of the kinds in a file. */
export const kindNames: Record<MigrationItemKind, string> = {
  refused: 'Da correggere',
  conflict: 'Conflitto',
  only_in_airtable: 'Solo in Airtable',
  only_here: 'Solo nel database',
  different: 'Diverso',
  picture: 'Immagine',
}

export const failureTexts: Record<MigrationFailure, string> = {
  unreachable: 'Airtable non risponde.',
  rate_limited: 'Airtable ha ricevuto troppe richieste.',
  denied: 'Airtable non dà accesso alla base o alla tabella.',
  refused: 'Airtable ha rifiutato la richiesta: controlla le colonne della tabella.',
  not_drained: 'Alcune modifiche non sono arrivate in Airtable.',
  no_airtable: 'La farmacia non ha più questa base o tabella Airtable.',
  internal: 'Errore interno: riprova, o avvisa chi gestisce il server.',
}

/** The reason and the columns in a text of the adapter about a record that it could not read. */
export function unreadableReason(text: string): { reason: ItemReason; columns: string[] } {
  const [outcome = '', names = ''] = text.split(': ')
  const columns = names.split(', ').filter((name) => name !== '')
  return { reason: outcome.startsWith('kept') ? 'cells' : 'record', columns }
}
