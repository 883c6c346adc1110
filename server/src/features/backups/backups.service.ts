import {
  type BackupProblem,
  type BackupRun,
  type BackupStatus,
  backupProblemTexts,
} from '@bancone/contract/backups'
import { paths } from '@bancone/contract/pages'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import type { ServedFile } from '../../http/serve.ts'
import type { Audit } from '../../platform/audit.ts'
import { BackupError } from '../../platform/backups/backup-error.ts'
import {
  confirmsKey,
  type Keyring,
  recoverySheet,
  textOfKey,
} from '../../platform/backups/backup-key.ts'
import type { BackupRunsStore } from '../../platform/backups/backup-runs.store.ts'
import { enqueue } from '../../platform/jobs.ts'
import { htmlOf, type MailContent, textOf } from '../../platform/mails/mail-layout.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Mail, Mailer } from '../../ports/mailer.ts'
import { BACKUP_TASK, BACKUP_TEST_TASK } from './backup-jobs.ts'
import { backupProblems, isBackupDue } from './backups.rules.ts'

type Dependencies = {
  db: Database
  runs: BackupRunsStore
  /** Undefined: this server makes no back-ups. */
  place: { name: string; isLogArchived: boolean; keys(): Promise<Keyring> } | undefined
  audit: Pick<Audit, 'record' | 'recordChange'>
  /** @throws AppError `session.reauthentication_needed` */
  requireRecent(sessionId: string): Promise<void>
  administrators(): Promise<string[]>
  mailer: Mailer
  publicUrl: string
  clock: Clock
  log: { error(details: object, message: string): void }
}

/** Milliseconds after the start in which the first back-up may be going on. */
const FIRST_BACKUP_MS = 60 * 60_000

/** What the first back-up mends. */
const isAwaited: ReadonlySet<BackupProblem> = new Set(['no_backup', 'backup_old'])

/** The state of the back-ups, for administrators. */
export function createBackups(dependencies: Dependencies) {
  const { db, runs, place, audit, requireRecent, mailer, publicUrl, clock, log } = dependencies
  const since = clock.now()

  async function key() {
    const keys = await place?.keys().catch((error: unknown) => {
      if (error instanceof BackupError) return undefined
      throw error
    })
    return keys?.[0]
  }

  async function requireKey() {
    if (!place) throw new AppError('backups.not_configured')
    const current = await key()
    if (!current) throw new AppError('backups.key_unusable')
    return { current, name: place.name }
  }

  async function status(): Promise<BackupStatus> {
    const { newest, lastBackup, lastTest } = await runs.runs()
    const current = await key()
    const sheetConfirmedAt = current ? await runs.confirmedAt(current.id) : null
    const archive = place?.isLogArchived
      ? ((await runs.archive()) ?? { until: null, problem: null })
      : null
    return {
      setup: place
        ? { target: place.name, archive: place.isLogArchived, keyId: current?.id ?? null }
        : null,
      sheetConfirmedAt,
      lastBackup,
      lastTest,
      archivedUntil: archive?.until ?? null,
      runs: newest,
      problems: backupProblems({
        now: clock.now(),
        since,
        isConfigured: place !== undefined,
        isKeyUsable: current !== undefined,
        isSheetConfirmed: sheetConfirmedAt !== null,
        runs: newest,
        lastBackup,
        lastTest,
        archive,
      }),
    }
  }

  async function mail(problems: readonly BackupProblem[]): Promise<void> {
    const addresses = await dependencies.administrators()
    const sent = await Promise.allSettled(
      addresses.map((to) => mailer.send(backupMail(to, problems, publicUrl))),
    )
    if (sent.some(({ status: result }) => result === 'fulfilled')) return
    await runs.returnAlerts(problems)
    log.error({ problems, administrators: addresses.length }, 'no mail about the back-ups was sent')
  }

  return {
    status,

    /** Adds a job. @throws AppError `backups.not_configured` */
    async start(kind: BackupRun['kind']): Promise<BackupStatus> {
      if (!place) throw new AppError('backups.not_configured')
      const task = kind === 'backup' ? BACKUP_TASK : BACKUP_TEST_TASK
      await db.transaction().execute(async (tx) => {
        const target = { type: 'backup', id: kind }
        await audit.recordChange(tx, { action: 'backup_started', pharmacyId: null, target })
        await enqueue(tx, task, { now: true }, { key: `${task}:now` })
      })
      return status()
    },

    /** At the start, before the log is sent. Makes a back-up soon where the server did not run at night, or not archive. */
    async startIfDue(): Promise<void> {
      if (!place?.isLogArchived) await runs.forgetArchive()
      if (!place) return
      const { lastBackup } = await runs.runs()
      const isLogBroken = place.isLogArchived && (await runs.archive()) === null
      if (isLogBroken || isBackupDue(clock.now(), lastBackup)) {
        await enqueue(db, BACKUP_TASK, {}, { key: `${BACKUP_TASK}:now`, delaySeconds: 60 })
      }
    },

    /** @throws AppError `backups.not_configured`, `backups.key_unusable`, `session.reauthentication_needed` */
    async sheet(sessionId: string): Promise<ServedFile> {
      const { current, name } = await requireKey()
      await requireRecent(sessionId)
      return {
        name: `scheda-di-recupero-${current.id}.html`,
        type: 'text/html; charset=utf-8',
        async open() {
          const target = { type: 'backup_key', id: current.id }
          await audit.record({ action: 'recovery_sheet_downloaded', userId: null, target })
          const page = recoverySheet(current.id, textOfKey(current), name)
          return { parts: oneOf(page), signal: new AbortController().signal }
        },
      }
    },

    /** @throws AppError `backups.not_configured`, `backups.key_unusable`, `backups.wrong_ending` */
    async confirm(ending: string, userId: string): Promise<BackupStatus> {
      const { current } = await requireKey()
      if (!confirmsKey(current, ending)) throw new AppError('backups.wrong_ending')
      await db.transaction().execute(async (tx) => {
        await runs.confirm(current.id, userId, tx)
        const target = { type: 'backup_key', id: current.id }
        await audit.recordChange(tx, {
          action: 'recovery_sheet_confirmed',
          pharmacyId: null,
          target,
        })
      })
      return status()
    },

    /** Mails to administrators what is not as it should be, each problem once a day. */
    async alert(): Promise<void> {
      if (!place) return
      const found = (await status()).problems
      // A server that was off, or is new, makes its back-up first.
      const isNew = clock.now() - since < FIRST_BACKUP_MS
      const told = found.filter((problem) => !isNew || !isAwaited.has(problem))
      const problems = await runs.takeAlerts(told)
      if (problems.length > 0) await mail(problems)
    },
  }
}

async function* oneOf(text: string): AsyncGenerator<string> {
  yield text
}

/** The mail to an administrator about what is not as it should be. */
function backupMail(to: string, problems: readonly BackupProblem[], publicUrl: string): Mail {
  const content: MailContent = {
    subject: 'Copie di sicurezza: serve il tuo intervento',
    preview: problems.map((problem) => backupProblemTexts[problem]).join(' '),
    title: 'Le copie di sicurezza non sono a posto',
    paragraphs: problems.map((problem) => backupProblemTexts[problem]),
    button: { label: 'Apri le copie di sicurezza', link: publicUrl + paths.adminSettings },
    notes: [
      'Ricevi questa email perché amministri la piattaforma. Finché il problema resta, arriva una volta al giorno.',
    ],
  }
  return { to, subject: content.subject, text: textOf(content), html: htmlOf(content) }
}
