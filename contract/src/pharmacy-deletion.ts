import { z } from 'zod/mini'
import { PharmacyCode } from './admin-pharmacies.ts'
import { endpoint } from './endpoint.ts'

/** How long a deleted pharmacy can be restored before it is purged. */
export const RESTORE_DAYS = 30

/** How long the file of an export can be downloaded. */
export const EXPORT_HOURS = 24

/** The steps of a purge, in their order. */
export const PurgeStep = z.enum([
  'access',
  'orders',
  'offers',
  'pictures',
  'files',
  'people',
  'account',
])
export type PurgeStep = z.infer<typeof PurgeStep>

/**
 * A zip file of everything that belongs to a pharmacy. `done` of `total` rows and files have been written; `total` is 0
 * until they have been counted.
 * - `waiting`, `running`: the file is being written
 * - `done`: it can be downloaded until `expiresAt`
 * - `failed`: it was not written, or has expired
 */
export const PharmacyExport = z.object({
  id: z.uuid(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  done: z.int(),
  total: z.int(),
  /** The size of the file; null until it is written. */
  bytes: z.nullable(z.int()),
  /** ISO 8601; null until the file is written. */
  expiresAt: z.nullable(z.string()),
  /** The suggested file name: the pharmacy's code and the day. */
  fileName: z.string(),
})
export type PharmacyExport = z.infer<typeof PharmacyExport>

/** A pharmacy that can be restored, or is being purged. Times are ISO 8601. */
export const DeletedPharmacy = z.object({
  id: z.uuid(),
  /** The readable code. */
  code: z.string(),
  name: z.string(),
  email: z.string(),
  deletedAt: z.string(),
  /** Days until it is purged, with the one that has begun; 0 when they are over. */
  daysLeft: z.int(),
  /** The steps of the purge that are complete; null while it can be restored. */
  purgedSteps: z.nullable(z.array(PurgeStep)),
  /** The newest export that has not expired. */
  export: z.nullable(PharmacyExport),
})
export type DeletedPharmacy = z.infer<typeof DeletedPharmacy>

/** What is left of a purged pharmacy: a record without personal data. */
export const PurgeCertificate = z.object({
  id: z.uuid(),
  code: z.string(),
  deletedAt: z.string(),
  /** User ids; null: before it was recorded, or by the end of the 30 days. */
  deletedBy: z.nullable(z.uuid()),
  requestedBy: z.nullable(z.uuid()),
  startedAt: z.string(),
  finishedAt: z.string(),
  steps: z.array(
    z.object({
      step: PurgeStep,
      finishedAt: z.string(),
      /** Removed rows by the name of their table, and `files`. */
      removed: z.record(z.string(), z.int()),
    }),
  ),
})
export type PurgeCertificate = z.infer<typeof PurgeCertificate>

const params = z.object({ pharmacyId: z.uuid() })
const exportParams = z.object({ exportId: z.uuid() })

export const listDeletedPharmacies = endpoint({
  method: 'GET',
  path: '/api/admin/deleted-pharmacies',
  summary: 'List deleted pharmacies, and the certificates of those that were purged',
  access: 'admin',
  response: z.object({
    deleted: z.array(DeletedPharmacy),
    purged: z.array(PurgeCertificate),
  }),
  errors: [],
})

/** Makes the pharmacy as it was before it was deleted. */
export const restorePharmacy = endpoint({
  method: 'POST',
  path: '/api/admin/pharmacies/:pharmacyId/restore',
  summary: 'Restore a deleted pharmacy',
  access: 'admin',
  audit: 'pharmacy_restored',
  params,
  response: z.object({}),
  errors: ['pharmacies.not_found', 'pharmacies.being_purged'],
})

/** Begins to remove a deleted pharmacy for ever. Needs a recent authentication and the pharmacy's code. */
export const purgePharmacy = endpoint({
  method: 'POST',
  path: '/api/admin/pharmacies/:pharmacyId/purge',
  summary: 'Purge a deleted pharmacy before its 30 days are over',
  access: 'admin',
  audit: 'pharmacy_purged',
  params,
  body: z.strictObject({ code: PharmacyCode }),
  response: z.object({}),
  errors: ['pharmacies.not_found', 'pharmacies.wrong_code', 'session.reauthentication_needed'],
})

/** Begins to write the file. While one is being written for the pharmacy the response is that one. */
export const startPharmacyExport = endpoint({
  method: 'POST',
  path: '/api/admin/pharmacies/:pharmacyId/exports',
  summary: 'Export everything that belongs to a pharmacy',
  access: 'admin',
  audit: 'pharmacy_export_started',
  params,
  response: PharmacyExport,
  errors: ['pharmacies.not_found', 'pharmacies.being_purged'],
})

export const getPharmacyExport = endpoint({
  method: 'GET',
  path: '/api/admin/pharmacy-exports/:exportId',
  summary: 'Get the progress of the export of a pharmacy',
  access: 'admin',
  params: exportParams,
  response: PharmacyExport,
  errors: ['exports.not_found'],
})

/** Downloads the zip file. Needs a recent authentication. The response is bytes, not JSON. */
export const downloadPharmacyExport = endpoint({
  method: 'GET',
  path: '/api/admin/pharmacy-exports/:exportId/file',
  summary: 'Download the export of a pharmacy',
  access: 'admin',
  params: exportParams,
  response: z.string().check(z.meta({ contentMediaType: 'application/octet-stream' })),
  errors: ['exports.not_found', 'session.reauthentication_needed'],
})
