import type { BackupProblem, BackupRun } from '@bancone/contract/backups'
import { DAY_MS, HOUR_MS } from '@bancone/contract/dates'

/** A nightly back-up may take two hours longer than the last one. */
const BACKUP_OLD_MS = 26 * HOUR_MS

/** A weekly test may be a day late. */
const TEST_OLD_MS = 8 * DAY_MS

/** The log is sent every minute; administrators are to know within five. */
const ARCHIVE_LATE_MS = 4 * 60_000

/** Times are ISO 8601, or milliseconds since 1970 (`now`, `since`). */
export type BackupFacts = {
  now: number
  /** When this process started. Before, no process of the server archived the log. */
  since: number
  isConfigured: boolean
  isKeyUsable: boolean
  isSheetConfirmed: boolean
  /** Newest first. */
  runs: readonly BackupRun[]
  lastBackup: BackupRun | null
  lastTest: BackupRun | null
  /** Null: the log is not archived by this server. */
  archive: { until: string | null; problem: BackupProblem | null } | null
}

/** What is not as it should be, the worst first. */
export function backupProblems(facts: BackupFacts): BackupProblem[] {
  const { now, since, runs, lastBackup, lastTest, archive } = facts
  if (!facts.isConfigured) return ['not_configured']
  const problems = new Set<BackupProblem>()
  if (!facts.isKeyUsable) problems.add('key_unusable')
  for (const kind of ['backup', 'test'] as const) {
    const ended = runs.find((run) => run.kind === kind && run.state !== 'running')
    if (ended?.state === 'failed') problems.add(ended.problem ?? 'unexpected')
  }
  if (archive?.problem) problems.add(archive.problem)
  if (!lastBackup) problems.add('no_backup')
  else if (now - Date.parse(lastBackup.startedAt) > BACKUP_OLD_MS) problems.add('backup_old')
  if (archive && now - Math.max(since, timeOf(archive.until)) > ARCHIVE_LATE_MS) {
    problems.add('archive')
  }
  if (lastBackup && isTestOld(now, lastTest, runs)) problems.add('test_old')
  if (facts.isKeyUsable && !facts.isSheetConfirmed) problems.add('sheet_unconfirmed')
  return [...problems]
}

/** Whether the weekly test is due. */
export function isTestDue(now: number, lastTest: BackupRun | null): boolean {
  return !lastTest || now - Date.parse(lastTest.startedAt) > TEST_OLD_MS - 2 * DAY_MS
}

/** Whether a back-up is due at the start, because the server did not run at night. */
export function isBackupDue(now: number, lastBackup: BackupRun | null): boolean {
  return !lastBackup || now - Date.parse(lastBackup.startedAt) > DAY_MS
}

/** In the first week after the first back-up there need not be a test. */
function isTestOld(now: number, lastTest: BackupRun | null, runs: readonly BackupRun[]): boolean {
  const first = runs.findLast((run) => run.kind === 'backup')
  const begun = Math.max(
    timeOf(lastTest?.startedAt ?? null),
    lastTest ? 0 : timeOf(first?.startedAt ?? null),
  )
  return now - begun > TEST_OLD_MS
}

function timeOf(time: string | null): number {
  return time === null ? 0 : Date.parse(time)
}
