import { DAY_MS, HOUR_MS } from '@bancone/contract/dates'
import {
  ACTIVE_STATES,
  type MigrationRun,
  type MigrationRunDetail,
} from '@bancone/contract/migration-runs'
import {
  BACKUP_KEPT_DAYS,
  type DifferenceReason,
  MIRROR_MS,
  type MigrationDetail,
  type MigrationPharmacy,
  type OrdersPhase,
  type PhaseStep,
  SHADOW_MS,
} from '@bancone/contract/orders-migration'

/** How far the orders of a pharmacy are out of Airtable. Times are ISO 8601. */
export type MigrationStateRow = Pick<
  MigrationPharmacy,
  | 'id'
  | 'pharmacy_id'
  | 'name'
  | 'use_supabase_orders'
  | 'phase'
  | 'hasAirtable'
  | 'airtableCountAt'
  | 'lastMigration'
  | 'verifiedAt'
> & {
  phaseSince: string
  /** Of the table in Airtable; null before they were counted. */
  records: number | null
  orders: number
  waiting: number
  /** At the last comparison. */
  differed: boolean | null
  checkedAt: string | null
  cleanSince: string | null
  checks: number
  compared: number
  mismatches: number
  deletedAt: string | null
  deletedOrders: number
}

/** A pharmacy of the list. @param run the one that has not ended, or the last one */
export function pharmacyOf(row: MigrationStateRow, run: MigrationRun | null): MigrationPharmacy {
  const differenceReason = reasonOf(row, run)
  const isMigrating = isActive(run) && (run?.mode === 'full' || run?.mode === 'back')
  const settled = differenceReason === null ? 'Sincronizzato' : 'Da Sincronizzare'
  const badge = isMigrating ? 'In Migrazione' : row.hasAirtable ? settled : 'Database'
  return {
    ...row,
    airtableCount: row.records ?? 0,
    supabaseCount: backupCount(row),
    hasDifferences: differenceReason !== null,
    differenceReason,
    badge,
    run,
  }
}

export function isActive(run: MigrationRun | null): boolean {
  return run !== null && ACTIVE_STATES.includes(run.state)
}

/**
 * The orders of the backup. While pages are answered with Airtable's orders these are a copy like any other, and a backup
 * since they were migrated. Without Airtable they are in the database alone.
 */
export function backupCount(row: MigrationStateRow): number {
  const isBackup = row.use_supabase_orders || row.lastMigration !== null
  return isBackup || !row.hasAirtable ? row.orders : 0
}

/** Why the two sides count as different; null when they do not. Without Airtable there is nothing to differ from. */
function reasonOf(row: MigrationStateRow, run: MigrationRun | null): DifferenceReason | null {
  if (!row.hasAirtable) return null
  if (row.verifiedAt !== null) return row.differed ? 'different' : null
  if (row.records !== null) return 'never_verified'
  return run?.state === 'failed' ? 'failed' : 'not_counted'
}

/** @param now milliseconds since 1970 */
export function detailOf(
  row: MigrationStateRow,
  run: MigrationRunDetail | null,
  {
    now,
    ...besides
  }: { pictures: MigrationDetail['pictures']; isConfigured: boolean; now: number },
): MigrationDetail {
  const since = Date.parse(row.phaseSince)
  const { phase, hasAirtable, waiting, checkedAt, cleanSince, deletedAt } = row
  const { checks, compared, mismatches } = row
  return {
    ...pharmacyOf(row, run),
    ...besides,
    run,
    steps: phaseSteps({ ...row, isRunning: isActive(run), now }),
    shadow:
      phase === 'shadow' && cleanSince
        ? { checkedAt, cleanSince, checks, compared, mismatches }
        : null,
    mirrorUntil:
      phase === 'database' && hasAirtable ? new Date(since + MIRROR_MS).toISOString() : null,
    waiting,
    deletedBackup:
      deletedAt === null
        ? null
        : {
            orders: row.deletedOrders,
            deletedAt,
            until: new Date(Date.parse(deletedAt) + BACKUP_KEPT_DAYS * DAY_MS).toISOString(),
          },
  }
}

/** What decides whether a pharmacy can move to another phase. `now`: milliseconds since 1970. */
type PhaseFacts = MigrationStateRow & { isRunning: boolean; now: number }

/** A comparison that is older says nothing of today. */
const VERIFIED_WITHIN_MS = DAY_MS

/** The comparison in `shadow` is made every five minutes. */
const CHECKED_WITHIN_MS = 15 * 60_000

type Need = { text: string; met: boolean }

/** The phases to which a pharmacy can move, with their conditions: forward first, then back. */
function phaseSteps(facts: PhaseFacts): PhaseStep[] {
  if (!facts.hasAirtable) return []
  const steps: Record<OrdersPhase, () => PhaseStep[]> = {
    airtable: () => [stepTo('shadow', [idle(facts), verified(facts)])],
    shadow: () => [
      stepTo('database', [idle(facts), verified(facts, null), checked(facts)], clean(facts)),
      stepTo('airtable', [idle(facts)]),
    ],
    database: () => [
      stepTo('retired', [idle(facts), verified(facts), drained(facts)], mirrored(facts)),
      stepTo('airtable', [idle(facts)]),
    ],
    retired: () => [stepTo('airtable', [idle(facts)])],
  }
  return steps[facts.phase]()
}

/** Whether a step is possible now. @param hasReason a reason was typed to make it before its time */
export function isAllowed(step: PhaseStep, hasReason: boolean): boolean {
  return step.isPossible && (hasReason || !step.needsReason)
}

/** What a pharmacy whose orders are in Airtable still needs for the phase `database`, without a typed reason. */
export function missingForDatabase(phase: OrdersPhase, steps: readonly PhaseStep[]): string[] {
  const [next] = steps
  const missing = next?.needs.filter(({ met }) => !met).map(({ text }) => text) ?? []
  return phase === 'airtable' ? [...missing, '24 ore di confronto senza differenze'] : missing
}

/** @param timely the condition that a typed reason replaces */
function stepTo(to: OrdersPhase, needs: Need[], timely?: Need): PhaseStep {
  return {
    to,
    isPossible: needs.every(({ met }) => met),
    needsReason: timely !== undefined && !timely.met,
    needs: timely ? [...needs, timely] : needs,
  }
}

function idle({ isRunning }: PhaseFacts): Need {
  return { text: 'Nessuna operazione in corso', met: !isRunning }
}

/** @param within null: however long ago */
function verified(
  { verifiedAt, differed, now }: PhaseFacts,
  within: number | null = VERIFIED_WITHIN_MS,
): Need {
  const isRecent =
    verifiedAt !== null && (within === null || now - Date.parse(verifiedAt) <= within)
  const when = within === null ? '' : ' nelle ultime 24 ore'
  return {
    text: `Verifica completa senza differenze${when}`,
    met: isRecent && differed === false,
  }
}

function checked({ checkedAt, now }: PhaseFacts): Need {
  return {
    text: 'Confronto continuo attivo',
    met: checkedAt !== null && now - Date.parse(checkedAt) <= CHECKED_WITHIN_MS,
  }
}

function clean({ cleanSince, now }: PhaseFacts): Need {
  const left = cleanSince ? Date.parse(cleanSince) + SHADOW_MS - now : SHADOW_MS
  return { text: `24 ore senza differenze${remaining(left)}`, met: left <= 0 }
}

function drained({ waiting }: PhaseFacts): Need {
  const text = 'Nessuna modifica in viaggio verso Airtable'
  return { text: waiting > 0 ? `${text} (ora ${waiting})` : text, met: waiting === 0 }
}

function mirrored({ phaseSince, now }: PhaseFacts): Need {
  const left = Date.parse(phaseSince) + MIRROR_MS - now
  return { text: `14 giorni di copia verso Airtable${remaining(left)}`, met: left <= 0 }
}

function remaining(ms: number): string {
  if (ms <= 0) return ''
  const hours = Math.ceil(ms / HOUR_MS)
  if (ms > 2 * DAY_MS) return ` (mancano ${Math.ceil(ms / DAY_MS)} giorni)`
  return hours === 1 ? ' (manca meno di un’ora)' : ` (mancano ${hours} ore)`
}
