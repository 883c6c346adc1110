import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { RecordId, StatusText } from './orders.ts'

/** Orders that a run writes in one transaction, and the pause between two of them in milliseconds. */
export const MIGRATION_BATCH_SIZE = 50
export const MIGRATION_BATCH_PAUSE_MS = 100

const count = z.int()

const OptionalCell = (max: number) =>
  z.pipe(
    z.pipe(
      z.nullish(z.union([z.string(), z.number()])),
      z.transform((value) => String(value ?? '').trim() || null),
    ),
    z.nullable(z.string().check(z.maxLength(max))),
  )

/** A mapped order. Times are ISO 8601; without them the order is as old as the call. */
export const BackupOrder = z.object({
  pharmacy_id: z.optional(z.string()),
  airtable_order_id: RecordId,
  order_number: OptionalCell(200),
  wa_id: OptionalCell(200),
  customer_name: OptionalCell(500),
  customer_phone: OptionalCell(200),
  order_details: OptionalCell(20_000),
  address: OptionalCell(1_000),
  status: z.nullish(StatusText),
  image_url: OptionalCell(2_000),
  pharma_wa: OptionalCell(500),
  airtable_created: z.nullish(z.iso.datetime({ offset: true })),
  airtable_last: z.nullish(z.iso.datetime({ offset: true })),
})
export type BackupOrder = z.infer<typeof BackupOrder>

/**
 * Writes a batch of orders. With `overwrite` existing ones are replaced, except for those with a change that has not
 * reached Airtable. `inserted` counts those that the database now has as sent.
 */
export const importBackupOrders = endpoint({
  method: 'POST',
  path: '/api/supabase-orders-batch',
  summary: 'Write a batch of at most 50 orders of a pharmacy',
  access: 'admin',
  audit: 'backup_orders_imported',
  body: z.strictObject({
    pharmacyId: z.uuid(),
    orders: z.array(BackupOrder).check(z.minLength(1), z.maxLength(MIGRATION_BATCH_SIZE)),
    overwrite: z._default(z.boolean(), false),
  }),
  maxBodyBytes: 2 * 1024 * 1024,
  response: z.object({ inserted: count }),
  errors: ['pharmacies.not_found'],
})

export const getBackupStats = endpoint({
  method: 'GET',
  path: '/api/supabase-orders-stats',
  summary: 'Count the backup orders of a pharmacy',
  access: 'admin',
  query: z.object({ pharmacyId: z.uuid() }),
  response: z.object({ count, lastMigration: z.nullable(z.string()) }),
  errors: ['pharmacies.not_found'],
})

/**
 * Deletes the backup: its count is 0, and the pharmacy counts as never migrated. The copy from which its pages are
 * answered stays, and Airtable is not touched.
 */
export const removeBackupOrders = endpoint({
  method: 'DELETE',
  path: '/api/supabase-orders-cleanup',
  summary: 'Delete the backup orders of a pharmacy',
  access: 'admin',
  audit: 'backup_orders_deleted',
  /** `code`: the pharmacy's readable code, typed as a confirmation; a wrong one is refused. */
  body: z.strictObject({
    pharmacyId: z.uuid(),
    code: z.optional(z.string().check(z.trim(), z.maxLength(32))),
  }),
  response: z.object({}),
  errors: [
    'pharmacies.not_found',
    'migrations.wrong_code',
    'migrations.backup_in_use',
    'migrations.other_running',
  ],
})
