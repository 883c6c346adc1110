import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PageQuery, Pagination } from './paging.ts'

/** The largest file in bytes, the most rows below its headings, and the most columns. */
export const MAX_IMPORT_BYTES = 2 * 1024 * 1024
export const MAX_IMPORT_ROWS = 5_000
export const MAX_IMPORT_COLUMNS = 100

/** The fields that a file can set, with their headings. A file needs the name, the email and the plan for new pharmacies. */
export const importHeadings = {
  pharmacy_id: 'Codice',
  name: 'Nome',
  email: 'Email',
  phone: 'Telefono',
  address: 'Indirizzo',
  subscription_plan_id: 'Piano',
  plan_valid_until: 'Piano valido fino al',
  max_offers: 'Offerte massime',
  features_enabled: 'Funzionalità',
  is_active: 'Attiva',
  use_supabase_orders: 'Fonte ordini',
  airtable_base_id: 'Base Airtable',
  airtable_table_id: 'Tabella Airtable',
  logo_url: 'Logo',
} as const

export const ImportField = z.enum([
  'pharmacy_id',
  'name',
  'email',
  'phone',
  'address',
  'subscription_plan_id',
  'plan_valid_until',
  'max_offers',
  'features_enabled',
  'is_active',
  'use_supabase_orders',
  'airtable_base_id',
  'airtable_table_id',
  'logo_url',
])
export type ImportField = z.infer<typeof ImportField>

/** The heading of the column of reasons in the file of refused rows. It is ignored when that file is sent again. */
export const REASON_HEADING = 'Motivo'

/** What a row means for the pharmacies: what it would do, or what it did. */
export const RowOutcome = z.enum(['new', 'changed', 'same', 'refused'])
export type RowOutcome = z.infer<typeof RowOutcome>

const count = z.int()

/**
 * An import of pharmacies from a file. Times are ISO 8601.
 * - `preview`: the file has been checked, and nothing has been changed
 * - `running`, `done`, `cancelled`: the rows are, were or were partly applied
 */
export const PharmacyImport = z.object({
  id: z.uuid(),
  state: z.enum(['preview', 'running', 'done', 'cancelled']),
  /** Headings of columns that were ignored. */
  ignoredColumns: z.array(z.string()),
  total: count,
  /** Rows that have been applied or refused; in a preview 0. */
  done: count,
  /** In a preview the expected numbers of rows, else those of the rows that are done. */
  counts: z.object({ new: count, changed: count, same: count, refused: count }),
  created_at: z.string(),
  /** The address of the administrator who sent the file; null when the account is gone. */
  created_by: z.nullable(z.string()),
  ended_at: z.nullable(z.string()),
})
export type PharmacyImport = z.infer<typeof PharmacyImport>

/** A problem of a row in Italian; a row that is not refused is applied with it. `field`: null when it concerns the whole row. */
export const RowProblem = z.object({ field: z.nullable(ImportField), text: z.string() })
export type RowProblem = z.infer<typeof RowProblem>

export const ImportRow = z.object({
  /** The number of the row in the file; the headings are in row 1. */
  line: count,
  code: z.string(),
  name: z.string(),
  email: z.string(),
  outcome: RowOutcome,
  isDone: z.boolean(),
  problems: z.array(RowProblem),
  /** The fields of an existing pharmacy that the row changes. */
  changes: z.array(ImportField),
  /** Of a row that is not done: the values before and after in Italian; an empty text for none. */
  differences: z.array(z.object({ field: ImportField, before: z.string(), after: z.string() })),
})
export type ImportRow = z.infer<typeof ImportRow>

const params = z.object({ importId: z.uuid() })
const file = z.string().check(z.meta({ contentMediaType: 'text/csv' }))

/**
 * The body is a CSV file: UTF-8 or Windows-1252, separated by semicolons or commas. Only checks it; the import is
 * started by another call. `details.line`: the row whose quotation marks make the file unreadable.
 */
export const uploadPharmacyImport = endpoint({
  method: 'POST',
  path: '/api/admin/pharmacy-imports',
  summary: 'Check a file of pharmacies before it is imported',
  access: 'admin',
  audit: { none: 'reads' },
  upload: { maxBytes: MAX_IMPORT_BYTES, tooLargeCode: 'pharmacy_imports.too_large' },
  response: PharmacyImport,
  status: 201,
  errors: [
    'pharmacy_imports.too_large',
    'pharmacy_imports.unreadable',
    'pharmacy_imports.missing_columns',
    'pharmacy_imports.too_many_columns',
    'pharmacy_imports.too_many_rows',
    'pharmacy_imports.empty',
  ],
})

/** The latest ten of the last 30 days, of all administrators; the newest first. */
export const listPharmacyImports = endpoint({
  method: 'GET',
  path: '/api/admin/pharmacy-imports',
  summary: 'List the latest imports of pharmacies',
  access: 'admin',
  response: z.object({ imports: z.array(PharmacyImport) }),
  errors: [],
})

export const getPharmacyImport = endpoint({
  method: 'GET',
  path: '/api/admin/pharmacy-imports/:importId',
  summary: 'Get an import of pharmacies',
  access: 'admin',
  params,
  response: PharmacyImport,
  errors: ['pharmacy_imports.not_found'],
})

export const listImportRows = endpoint({
  method: 'GET',
  path: '/api/admin/pharmacy-imports/:importId/rows',
  summary: 'List the rows of an import by their number',
  access: 'admin',
  params,
  query: z.extend(PageQuery, { outcome: z.optional(RowOutcome) }),
  response: z.object({ rows: z.array(ImportRow), pagination: Pagination }),
  errors: ['pharmacy_imports.not_found'],
})

/**
 * Applies the rows in the background, each in a transaction. What another administrator has changed since the preview
 * is taken into account. Rows that the preview refused are left out.
 */
export const startPharmacyImport = endpoint({
  method: 'POST',
  path: '/api/admin/pharmacy-imports/:importId/start',
  summary: 'Start an import of pharmacies',
  access: 'admin',
  audit: 'pharmacies_imported',
  params,
  response: PharmacyImport,
  errors: [
    'pharmacy_imports.not_found',
    'pharmacy_imports.started',
    'pharmacy_imports.other_running',
  ],
})

/** Deletes a preview, or ends a running import. Rows that have been applied stay. */
export const cancelPharmacyImport = endpoint({
  method: 'DELETE',
  path: '/api/admin/pharmacy-imports/:importId',
  summary: 'Cancel an import of pharmacies',
  access: 'admin',
  audit: 'pharmacies_imported',
  params,
  response: z.object({}),
  errors: ['pharmacy_imports.not_found'],
})

/** A CSV file of the refused rows as they were sent, with the reasons in the first column. */
export const downloadRefusedRows = endpoint({
  method: 'GET',
  path: '/api/admin/pharmacy-imports/:importId/refused',
  summary: 'Download the refused rows of an import',
  access: 'admin',
  params,
  response: file,
  errors: ['pharmacy_imports.not_found'],
})

/** A CSV file with the headings and one example. */
export const downloadImportTemplate = endpoint({
  method: 'GET',
  path: '/api/admin/pharmacy-import-template',
  summary: 'Download a template for imports of pharmacies',
  access: 'admin',
  response: file,
  errors: [],
})
