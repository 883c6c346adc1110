import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Days that back-ups are kept. */
export const BACKUP_DAYS = 35

/**
 * Why a back-up, its test or the archive is not as it should be.
 * - `not_configured`: BACKUP_TO is not set
 * - `key_unusable`: the key is missing, incomplete or another one
 * - `sheet_unconfirmed`: the recovery sheet of the key was not confirmed
 * - `no_backup`, `backup_old`: there is no good back-up, or the last good one is older than 26 hours
 * - `target`: the folder or the bucket is not reached, or refuses
 * - `damaged`: a copy in the target is damaged or incomplete
 * - `database`: PostgreSQL cannot be copied, or a copy does not start
 * - `files_missing`: files are missing in the store or in the copy
 * - `test_failed`: what the tested copy contains differs from what was backed up
 * - `test_old`: no copy was tested for eight days
 * - `archive`: the log of the last five minutes is not in the target
 * - `interrupted`: the process ended
 * - `unexpected`: another failure, which is in the log of the server
 */
export const BackupProblem = z.enum([
  'not_configured',
  'key_unusable',
  'sheet_unconfirmed',
  'no_backup',
  'backup_old',
  'target',
  'damaged',
  'database',
  'files_missing',
  'test_failed',
  'test_old',
  'archive',
  'interrupted',
  'unexpected',
])
export type BackupProblem = z.infer<typeof BackupProblem>

/** Sentences for administrators, on their page and in mails. */
export const backupProblemTexts: Record<BackupProblem, string> = {
  not_configured: 'Le copie di sicurezza non sono configurate.',
  key_unusable: 'La chiave delle copie di sicurezza manca o non si può leggere.',
  sheet_unconfirmed: 'La scheda di recupero della chiave non è stata ancora confermata.',
  no_backup: "Non c'è ancora nessuna copia di sicurezza riuscita.",
  backup_old: "L'ultima copia di sicurezza riuscita ha più di 26 ore.",
  target: 'La cartella o il bucket delle copie di sicurezza non si raggiunge o rifiuta i dati.',
  damaged: 'Una copia di sicurezza è danneggiata o incompleta.',
  database: 'Il database non si può copiare, o la sua copia non si avvia.',
  files_missing: 'Nella copia di sicurezza mancano dei file.',
  test_failed: 'La prova di ripristino ha trovato dati diversi da quelli copiati.',
  test_old: 'Da più di otto giorni nessuna copia di sicurezza è stata provata.',
  archive: "Le ultime modifiche non arrivano nell'archivio da alcuni minuti.",
  interrupted: 'Una copia di sicurezza o la sua prova si è interrotta.',
  unexpected:
    'Una copia di sicurezza o la sua prova è fallita: il registro del server dice perché.',
}

/** A back-up (`backup`), or the test of one (`test`). Times are ISO 8601. */
export const BackupRun = z.object({
  id: z.string(),
  kind: z.enum(['backup', 'test']),
  state: z.enum(['running', 'done', 'failed']),
  startedAt: z.string(),
  finishedAt: z.nullable(z.string()),
  /** What was copied so far; at the end the size of the back-up, compressed and encrypted. */
  bytes: z.int(),
  problem: z.nullable(BackupProblem),
})
export type BackupRun = z.infer<typeof BackupRun>

export const BackupStatus = z.object({
  /** Null without BACKUP_TO. `archive`: whether this server archives the log; `keyId` is null without a usable key. */
  setup: z.nullable(
    z.object({ target: z.string(), archive: z.boolean(), keyId: z.nullable(z.string()) }),
  ),
  sheetConfirmedAt: z.nullable(z.string()),
  /** The last good ones. */
  lastBackup: z.nullable(BackupRun),
  lastTest: z.nullable(BackupRun),
  /** Up to when the log is in the target. Null without an archive, or before the first upload. */
  archivedUntil: z.nullable(z.string()),
  /** The newest runs, newest first. */
  runs: z.array(BackupRun),
  /** Empty: everything is as it should be. */
  problems: z.array(BackupProblem),
})
export type BackupStatus = z.infer<typeof BackupStatus>

export const getBackups = endpoint({
  method: 'GET',
  path: '/api/admin/backups',
  summary: 'The state of the back-ups',
  access: 'admin',
  response: BackupStatus,
  errors: [],
})

/** The run is a job; `getBackups` shows how it goes on. */
export const startBackup = endpoint({
  method: 'POST',
  path: '/api/admin/backups/runs',
  summary: 'Back up, or test the last back-up, now',
  access: 'admin',
  audit: 'backup_started',
  body: z.strictObject({ kind: BackupRun.shape.kind }),
  response: BackupStatus,
  errors: ['backups.not_configured'],
})

/** An HTML page to be printed, with the key. Needs a recent authentication. The response is bytes, not JSON. */
export const getRecoverySheet = endpoint({
  method: 'GET',
  path: '/api/admin/backups/recovery-sheet',
  summary: 'Download the recovery sheet',
  access: 'admin',
  response: z.string().check(z.meta({ contentMediaType: 'application/octet-stream' })),
  errors: ['backups.not_configured', 'backups.key_unusable', 'session.reauthentication_needed'],
})

/** @see getRecoverySheet: `ending` are the last eight characters of the key on it */
export const confirmRecoverySheet = endpoint({
  method: 'POST',
  path: '/api/admin/backups/recovery-sheet/confirmation',
  summary: 'Confirm that the recovery sheet is in safe hands',
  access: 'admin',
  audit: 'recovery_sheet_confirmed',
  body: z.strictObject({ ending: z.string().check(z.trim(), z.minLength(8), z.maxLength(20)) }),
  response: BackupStatus,
  errors: ['backups.not_configured', 'backups.key_unusable', 'backups.wrong_ending'],
})
