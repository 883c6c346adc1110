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
import type { MigrationStateRow } from './migration-states.store.ts'

const DAY_MS = 24 * 60 * 60_000

/** A pharmacy of the list. @param run the one that has not ended, or the last one */
export function pharmacyOf(row: MigrationStateRow, run: MigrationRun | null): MigrationPharmacy {
  const differenceReason = reasonOf(row, run)
  const isMigrating = isActive(run) && (run?.mode === 'full' || run?.mode === 'back')
  const settled = differenceReason === null ? 'Sincronizzato' : 'Da Sincronizzare'
  const badge = isMigrating ? 'In Migrazione' : row.has_airtable ? settled : 'Database'
  return {
    id: row.id,
    pharmacy_id: row.code,
    name: row.name,
    use_supabase_orders: row.use_supabase_orders,
    phase: row.orders_phase,
    phaseSince: row.orders_phase_since,
    hasAirtable: row.has_airtable,
    airtableCount: row.records ?? 0,
    airtableCountAt: row.counted_at,
    supabaseCount: backupCount(row),
    lastMigration: row.last_migration_at,
    hasDifferences: differenceReason !== null,
    differenceReason,
    verifiedAt: row.verified_at,
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
  const isBackup = row.use_supabase_orders || row.last_migration_at !== null
  return isBackup || !row.has_airtable ? row.orders : 0
}

/** Why the two sides count as different; null when they do not. Without Airtable there is nothing to differ from. */
function reasonOf(row: MigrationStateRow, run: MigrationRun | null): DifferenceReason | null {
  if (!row.has_airtable) return null
  if (row.verified_at !== null) return row.has_differences ? 'different' : null
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
  const since = Date.parse(row.orders_phase_since)
  const { clean_since: cleanSince } = row
  return {
    ...pharmacyOf(row, run),
    ...besides,
    run,
    steps: phaseSteps({
      phase: row.orders_phase,
      hasAirtable: row.has_airtable,
      since,
      now,
      isRunning: isActive(run),
      verified: row.verified_at
        ? { at: Date.parse(row.verified_at), equal: row.has_differences === false }
        : null,
      clean: cleanSince
        ? {
            since: Date.parse(cleanSince),
            checkedAt: row.checked_at === null ? null : Date.parse(row.checked_at),
          }
        : null,
      waiting: row.waiting,
    }),
    shadow:
      row.orders_phase === 'shadow' && cleanSince
        ? {
            checkedAt: row.checked_at,
            cleanSince,
            checks: row.checks ?? 0,
            compared: row.compared ?? 0,
            mismatches: row.mismatches ?? 0,
          }
        : null,
    mirrorUntil:
      row.orders_phase === 'database' && row.has_airtable
        ? new Date(since + MIRROR_MS).toISOString()
        : null,
    waiting: row.waiting,
    deletedBackup:
      row.deleted_at === null
        ? null
        : {
            orders: row.deleted_orders ?? 0,
            deletedAt: row.deleted_at,
            until: new Date(Date.parse(row.deleted_at) + BACKUP_KEPT_DAYS * DAY_MS).toISOString(),
          },
  }
}

/** What decides whether a pharmacy can move to another phase. Times are milliseconds since 1970. */
type PhaseFacts = {
  phase: OrdersPhase
  hasAirtable: boolean
  since: number
  now: number
  /** A run has not ended. */
  isRunning: boolean
  /** The last comparison of everything; null without one. */
  verified: { at: number; equal: boolean } | null
  /** Since when the comparison in `shadow` found nothing, and when it was last made. */
  clean: { since: number; checkedAt: number | null } | null
  /** Changes and new orders on their way to Airtable. */
  waiting: number
}

const HOUR_MS = 60 * 60_000
const DAYS_MS = 24 * HOUR_MS

/** A comparison that is older says nothing of today. */
const VERIFIED_WITHIN_MS = DAYS_MS

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
  { verified: last, now }: PhaseFacts,
  within: number | null = VERIFIED_WITHIN_MS,
): Need {
  const isRecent = last !== null && (within === null || now - last.at <= within)
  const when = within === null ? '' : ' nelle ultime 24 ore'
  return {
    text: `Verifica completa senza differenze${when}`,
    met: last !== null && last.equal && isRecent,
  }
}

function checked({ clean: state, now }: PhaseFacts): Need {
  const at = state?.checkedAt ?? null
  return {
    text: 'Confronto continuo attivo',
    met: at !== null && now - at <= CHECKED_WITHIN_MS,
  }
}

function clean({ clean: state, now }: PhaseFacts): Need {
  const left = state ? state.since + SHADOW_MS - now : SHADOW_MS
  return { text: `24 ore senza differenze${remaining(left)}`, met: left <= 0 }
}

function drained({ waiting }: PhaseFacts): Need {
  const text = 'Nessuna modifica in viaggio verso Airtable'
  return { text: waiting > 0 ? `${text} (ora ${waiting})` : text, met: waiting === 0 }
}

function mirrored({ since, now }: PhaseFacts): Need {
  const left = since + MIRROR_MS - now
  return { text: `14 giorni di copia verso Airtable${remaining(left)}`, met: left <= 0 }
}

function remaining(ms: number): string {
  if (ms <= 0) return ''
  const hours = Math.ceil(ms / HOUR_MS)
  if (ms > 2 * DAYS_MS) return ` (mancano ${Math.ceil(ms / DAYS_MS)} giorni)`
  return hours === 1 ? ' (manca meno di un’ora)' : ` (mancano ${hours} ore)`
}
