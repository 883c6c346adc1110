import type { AuditAction } from '@bancone/contract/audit-actions'
import {
  type DeletedPharmacy,
  type PharmacyExport,
  type PurgeCertificate,
  PurgeStep,
} from '@bancone/contract/pharmacy-deletion'
import { z } from 'zod'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import type { ServedFile } from '../../../http/serve.ts'
import type { Audit } from '../../../platform/audit.ts'
import { enqueue } from '../../../platform/jobs.ts'
import type { StoredFiles } from '../../../ports/file-store.ts'
import type { PharmacyDeletionStore } from './pharmacy-deletion.store.ts'
import type { PharmacyExportsStore } from './pharmacy-exports.store.ts'
import type { PharmacyPurgeStore } from './pharmacy-purge.store.ts'
import { PURGE_TASK } from './pharmacy-purge.ts'

/** The administrator who calls. */
type Administrator = { userId: string; sessionId: string }

type Dependencies = {
  db: Database
  store: PharmacyDeletionStore
  purges: PharmacyPurgeStore
  exports: PharmacyExportsStore
  storedFiles: Pick<StoredFiles, 'open'>
  /** @throws AppError `session.reauthentication_needed` */
  requireRecent(sessionId: string): Promise<void>
  audit: Pick<Audit, 'record' | 'recordChange'>
}

const Removed = z.record(z.string(), z.number())

/** What happens to deleted pharmacies, and the export of any pharmacy. */
export function createPharmacyDeletion(dependencies: Dependencies) {
  const { db, store, purges, exports, storedFiles, requireRecent, audit } = dependencies

  async function certificates(): Promise<PurgeCertificate[]> {
    const found = new Map<string, PurgeCertificate>()
    for (const row of await purges.certificates()) {
      const certificate = found.get(row.id) ?? {
        id: row.id,
        code: row.code,
        deletedAt: row.deleted_at,
        deletedBy: row.deleted_by,
        requestedBy: row.requested_by,
        startedAt: row.started_at,
        finishedAt: row.finished_at ?? '',
        steps: [],
      }
      const step = PurgeStep.parse(row.step)
      const finishedAt = row.step_finished_at ?? ''
      certificate.steps.push({ step, finishedAt, removed: Removed.parse(row.removed) })
      found.set(row.id, certificate)
    }
    return [...found.values()]
  }

  const note = (tx: Database, action: AuditAction, pharmacyId: string) =>
    audit.recordChange(tx, { action, pharmacyId, target: { type: 'pharmacy', id: pharmacyId } })

  return {
    async list(): Promise<{ deleted: DeletedPharmacy[]; purged: PurgeCertificate[] }> {
      const deleted = await store.deleted()
      const inProgress = await purges.inProgress()
      const newest = await exports.newest(deleted.map(({ id }) => id))
      return {
        deleted: deleted.map((pharmacy) => ({
          ...pharmacy,
          purgedSteps: inProgress.get(pharmacy.id) ?? null,
          export: newest.get(pharmacy.id) ?? null,
        })),
        purged: await certificates(),
      }
    },

    /** @throws AppError `pharmacies.not_found`, `pharmacies.being_purged` */
    async restore(pharmacyId: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await store.lockCode(pharmacyId, tx)
        await purges.requireNone(pharmacyId, tx)
        const isRestored = await store.restore(pharmacyId, tx)
        if (isRestored) await note(tx, 'pharmacy_restored', pharmacyId)
      })
    },

    /** @throws AppError `pharmacies.not_found`, `pharmacies.wrong_code`, `session.reauthentication_needed` */
    async purge(pharmacyId: string, code: string, { userId, sessionId }: Administrator) {
      await requireRecent(sessionId)
      await db.transaction().execute(async (tx) => {
        const own = await store.lockCode(pharmacyId, tx)
        if (own.toUpperCase() !== code) throw new AppError('pharmacies.wrong_code')
        const begun = await purges.begin(pharmacyId, userId, tx)
        if (!begun) throw new AppError('pharmacies.not_found')
        await note(tx, 'pharmacy_purged', pharmacyId)
        await enqueue(tx, PURGE_TASK, { pharmacyId }, { key: `${PURGE_TASK}:${pharmacyId}` })
      })
    },

    /** @throws AppError `pharmacies.not_found`, `pharmacies.being_purged` */
    startExport(pharmacyId: string): Promise<PharmacyExport> {
      return db.transaction().execute(async (tx) => {
        await store.lockCode(pharmacyId, tx)
        await purges.requireNone(pharmacyId, tx)
        await note(tx, 'pharmacy_export_started', pharmacyId)
        return exports.add(pharmacyId, tx)
      })
    },

    /** @throws AppError `exports.not_found` */
    async findExport(id: string): Promise<PharmacyExport> {
      const found = await exports.find(id)
      if (!found) throw new AppError('exports.not_found')
      return found.export
    },

    /** @throws AppError `exports.not_found`, `session.reauthentication_needed` */
    async takeExport(id: string, { sessionId }: Administrator): Promise<ServedFile> {
      await requireRecent(sessionId)
      const found = await exports.find(id)
      const { fileKey } = found ?? {}
      if (!found || !fileKey) throw new AppError('exports.not_found')
      return {
        name: found.export.fileName,
        type: 'application/zip',
        async open() {
          const file = await storedFiles.open(fileKey)
          if (!file) throw new AppError('exports.not_found')
          const { pharmacyId } = found
          const target = { type: 'pharmacy', id: pharmacyId }
          const action = 'pharmacy_export_downloaded'
          await audit.record({ action, userId: null, pharmacyId, target })
          return { parts: file.stream, signal: new AbortController().signal }
        },
      }
    },
  }
}
