import type { VerificationResult } from '@bancone/contract/migration-results'
import type {
  MigrationItemKind,
  MigrationMode,
  MigrationRun,
  MigrationStep,
} from '@bancone/contract/migration-runs'
import { ACTIVE_STATES } from '@bancone/contract/migration-runs'
import type {
  DifferenceReason,
  MigrationPharmacy,
  OrdersPhase,
} from '@bancone/contract/orders-migration'
import { ApiError } from '../../lib/api.ts'
import { formatCount, formatDateTime, formatNumber, formatRelative } from '../../lib/format.ts'
import { problemText } from '../../lib/use-action.ts'

export const modeNames: Record<MigrationMode, string> = {
  dry_run: 'Simulazione',
  full: 'Migrazione',
  verify: 'Verifica',
  back: 'Ritorno ad Airtable',
}

export const stepNames: Record<MigrationStep, string> = {
  draining: 'Invio delle modifiche ad Airtable',
  reading: 'Lettura di Airtable',
  comparing: 'Confronto con il database',
  rechecking: 'Seconda lettura delle differenze, dopo un minuto',
  pictures: 'Controllo delle immagini',
}

export const phaseNames: Record<OrdersPhase, string> = {
  airtable: 'Airtable',
  shadow: 'Confronto',
  database: 'Database',
  retired: 'Senza Airtable',
}

export const kindNames: Record<MigrationItemKind, string> = {
  refused: 'Da correggere',
  conflict: 'In conflitto',
  only_in_airtable: 'Solo in Airtable',
  only_here: 'Solo nel database',
  different: 'Diversi',
  picture: 'Immagini',
}

/** The kind of one record. */
export const itemNames: Record<MigrationItemKind, string> = {
  ...kindNames,
  different: 'Diverso',
  picture: 'Immagine',
}

const differenceTexts: Record<DifferenceReason, string> = {
  different: "Differenze all'ultima verifica",
  never_verified: 'Mai verificato',
  not_counted: 'Airtable non ancora contato',
  failed: 'Ultima operazione non riuscita',
}

/** The phase in a word; without Airtable there is none. */
export function phaseText({ phase, hasAirtable }: MigrationPharmacy): string {
  return hasAirtable ? phaseNames[phase] : phaseNames.database
}

/** The number of records in Airtable, if it is used. */
export function airtableText({ airtableCount, hasAirtable }: MigrationPharmacy): string {
  return hasAirtable ? formatNumber(airtableCount) : '–'
}

type ActiveRun = MigrationRun & { state: 'queued' | 'running' | 'cancelling' | 'stalled' }

/** Whether the run has not ended. */
export function isActive(run: MigrationRun | null): run is ActiveRun {
  return run !== null && ACTIVE_STATES.includes(run.state)
}

export const orderCount = (count: number) => formatCount(count, 'ordine', 'ordini')
export const pharmacyCount = (count: number) => formatCount(count, 'farmacia', 'farmacie')
export const errorCount = (count: number) => formatCount(count, 'errore', 'errori')

/** Orders that the run has written. */
export function migratedOrders({ counts }: MigrationRun): number {
  return counts.new + counts.changed
}

/** Records that the run has not written, or not completely; without any, the differences that it has found. */
export function errorsOf({ counts, verification }: MigrationRun): number {
  const left = counts.refused + counts.toFix + counts.conflicts
  return left || (verification ? differencesOf(verification) : 0)
}

/** Orders that are on one side only, or differ. */
export function differencesOf(found: VerificationResult): number {
  return found.onlyInAirtable + found.onlyHere + found.different
}

/** The last letter of what is said of a run: a 'ritorno' is masculine. */
export function endingOf({ mode }: Pick<MigrationRun, 'mode'>): 'a' | 'o' {
  return mode === 'back' ? 'o' : 'a'
}

/** 'Completata con errori': the state in a word or two. */
export function stateText({ mode, state }: Pick<MigrationRun, 'mode' | 'state'>): string {
  const ending = endingOf({ mode })
  const texts: Record<MigrationRun['state'], string> = {
    queued: 'In coda',
    running: 'In corso',
    cancelling: 'Si interrompe',
    stalled: `Ferm${ending}`,
    completed: `Completat${ending}`,
    completed_with_errors: `Completat${ending} con errori`,
    cancelled: `Interrott${ending}`,
    failed: `Non riuscit${ending}`,
  }
  return texts[state]
}

/** What a run in progress is doing. */
export function activityText({ mode, state, step, failureText }: MigrationRun): string {
  const ending = endingOf({ mode })
  if (state === 'queued') return `In coda: comincia da sol${ending} appena la base è libera.`
  if (state === 'cancelling') return 'Si interrompe dopo il blocco in corso.'
  if (state === 'stalled') {
    return `Ferm${ending}: entro pochi minuti riprende da dove era arrivat${ending}.`
  }
  if (failureText !== null) return `${failureText} Si riprova da solo.`
  return step === null ? 'Avvio…' : `${stepNames[step]}.`
}

/** How many records have been read: 'Letti 120' while their total is not known. */
export function progressText({ counts, total }: MigrationRun): string {
  return total === null
    ? `Letti ${formatNumber(counts.read)}`
    : `${formatNumber(counts.read)} di ${orderCount(total)}`
}

/** The speed and the time left; empty when they are not known. */
export function paceText({ perSecond, secondsLeft }: MigrationRun): string {
  return [
    perSecond === null ? '' : `${formatNumber(perSecond)} al secondo`,
    secondsLeft === null ? '' : `ancora ${durationText(secondsLeft)}`,
  ]
    .filter((text) => text !== '')
    .join(', ')
}

export function durationText(seconds: number): string {
  if (seconds < 60) return 'meno di un minuto'
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return minutes === 1 ? 'circa un minuto' : `circa ${minutes} minuti`
  const hours = Math.round(minutes / 60)
  return hours === 1 ? "circa un'ora" : `circa ${hours} ore`
}

/** How far a run is in quarters: changes a few times only, to be read out. */
export function announcement(run: MigrationRun): string {
  const name = `${modeNames[run.mode]} di ${run.pharmacy.name}`
  const isMoving = run.state === 'running' && run.percent !== null
  return `${name}: ${isMoving ? `${Math.floor((run.percent ?? 0) / 25) * 25}%` : stateText(run).toLowerCase()}`
}

/** Why the counts may differ, or when they were found equal. */
export function verifiedText(pharmacy: MigrationPharmacy, now: number): string {
  const { differenceReason, hasAirtable, verifiedAt } = pharmacy
  if (differenceReason !== null) return differenceTexts[differenceReason]
  if (!hasAirtable) return 'Airtable non configurato'
  if (verifiedAt === null) return ''
  return `Verificato ${formatRelative(verifiedAt, now) ?? `il ${formatDateTime(verifiedAt)}`}`
}

/** The text of a failed call, also of one that a proxy answered instead of the server. */
export function migrationProblem(error: unknown): string {
  return error instanceof ApiError && error.code === null && error.status > 0
    ? `API Error: ${error.status}`
    : problemText(error)
}
