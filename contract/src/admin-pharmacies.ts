import { z } from 'zod/mini'
import { Feature } from './access.ts'
import { Day } from './dates.ts'
import { endpoint } from './endpoint.ts'
import { optionalText } from './optional-text.ts'
import { MaxOffers } from './subscription-plans.ts'

/** The form of a pharmacy's readable code: PHARM-0001. */
export const PharmacyCode = z
  .string()
  .check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z0-9][A-Z0-9-]{1,31}$/))

/** The ids of Airtable: `app` or `tbl` and 14 letters or digits. The form says so without enforcing it. */
export const airtableIds = { base: /^app[A-Za-z0-9]{14}$/, table: /^tbl[A-Za-z0-9]{14}$/ }

export const MAX_PHONE_LENGTH = 40

const Text = (max: number) => z.string().check(z.trim(), z.maxLength(max))

/** What a pharmacy can deviate in from its plan: a feature, or the most active offers. */
export const EntitlementKey = z.union([Feature, z.literal('max_offers')])
export type EntitlementKey = z.infer<typeof EntitlementKey>

/** A pharmacy as administrators see it, with the names of its columns. Times are ISO 8601. */
export const AdminPharmacy = z.object({
  id: z.uuid(),
  pharmacy_id: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  address: z.nullable(z.string()),
  logo_url: z.nullable(z.string()),
  subscription_plan_id: z.nullable(z.uuid()),
  subscription_plans: z.nullable(z.object({ name: z.string(), price: z.number() })),
  /** The last day of the plan; null for no end. Its features end 14 days later. */
  plan_valid_until: z.nullable(Day),
  is_active: z.boolean(),
  /** The pharmacy's own values where it deviates, else those of its plan. The end of the plan does not change them. */
  max_offers: MaxOffers,
  features_enabled: z.array(Feature),
  /** In what it deviates from its plan. */
  deviations: z.array(EntitlementKey),
  airtable_base_id: z.nullable(z.string()),
  airtable_table_id: z.nullable(z.string()),
  use_supabase_orders: z.boolean(),
  /** When it was deleted. It can be restored for 30 days. */
  deleted_at: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  /** Differs where a value of the form differs, those that follow the plan included. */
  version: z.string(),
})
export type AdminPharmacy = z.infer<typeof AdminPharmacy>

/** A year of another century is a slip: a date field turns the year 26 into 0026. */
export const PlanEnd = Day.check(z.regex(/^2[01]/))

const fields = {
  name: Text(200).check(z.minLength(1)),
  phone: optionalText(MAX_PHONE_LENGTH),
  address: optionalText(300),
  /** A web address, or a path on this server: browsers read a backslash as a slash, and pass over tabs and line breaks. */
  logo_url: z.pipe(
    z.nullish(Text(2_000).check(z.regex(/^(https?:\/\/.|\/(?![/\\\p{Cc}])|$)/iu))),
    z.transform((text) => text || null),
  ),
  subscription_plan_id: z.uuid(),
  plan_valid_until: z.pipe(
    z.nullish(PlanEnd),
    z.transform((day) => day ?? null),
  ),
  is_active: z.boolean(),
  max_offers: MaxOffers,
  /** A list of ids, or an object of booleans. */
  features_enabled: z.union([z.array(Feature), z.partialRecord(Feature, z.boolean())]),
  airtable_base_id: optionalText(100),
  airtable_table_id: optionalText(100),
  use_supabase_orders: z.boolean(),
}

export const NewPharmacyFields = z.object({
  ...fields,
  email: z.email().check(z.trim(), z.maxLength(254)),
  /**
   * Without it the pharmacy gets a mail with a link that works once, to choose its own. With it the administrator must
   * have authenticated within the last 24 hours.
   */
  password: z.optional(z.string().check(z.maxLength(1_000))),
  /** The readable code. Without it the next number is taken. */
  pharmacy_id: z.pipe(
    z.nullish(z.union([PharmacyCode, z.literal('')])),
    z.transform((code) => code || null),
  ),
})
export type NewPharmacyFields = z.infer<typeof NewPharmacyFields>

export const PharmacyChange = z.object({
  ...fields,
  /** The `version` that the change was made on; another one is refused. Absent: any. */
  seen: z.optional(z.string()),
  /** Set to replace the password of the pharmacy's own account, by an administrator who authenticated within 24 hours. */
  password: z.optional(z.string().check(z.maxLength(1_000))),
})
export type PharmacyChange = z.infer<typeof PharmacyChange>

const params = z.object({ pharmacyId: z.uuid() })
const response = z.object({ pharmacy: AdminPharmacy })

export const listAdminPharmacies = endpoint({
  method: 'GET',
  path: '/api/admin/pharmacies',
  summary: 'List all pharmacies by name',
  access: 'admin',
  /** `deleted`: those that can be restored instead of the others. */
  query: z.object({ state: z._default(z.enum(['present', 'deleted']), 'present') }),
  response: z.object({ pharmacies: z.array(AdminPharmacy) }),
  errors: [],
})

export const getAdminPharmacy = endpoint({
  method: 'GET',
  path: '/api/admin/pharmacies/:pharmacyId',
  summary: 'Get a pharmacy',
  access: 'admin',
  params,
  response,
  errors: ['pharmacies.not_found'],
})

/**
 * Creates the account, the pharmacy and what it deviates in from its plan, or nothing of it. Values equal to those of
 * the plan are not kept: they follow the plan.
 */
export const createPharmacy = endpoint({
  method: 'POST',
  path: '/api/admin-create-pharmacy',
  summary: 'Create a pharmacy with its account',
  access: 'admin',
  audit: 'pharmacy_created',
  body: NewPharmacyFields,
  response,
  status: 201,
  errors: [
    'plans.not_found',
    'pharmacies.email_taken',
    'pharmacies.code_taken',
    'pharmacies.weak_password',
    'pharmacies.bad_phone',
    'session.reauthentication_needed',
  ],
})

export const changePharmacy = endpoint({
  method: 'PUT',
  path: '/api/admin/pharmacies/:pharmacyId',
  summary: 'Change a pharmacy',
  access: 'admin',
  audit: 'pharmacy_changed',
  params,
  body: PharmacyChange,
  response,
  errors: [
    'pharmacies.not_found',
    'pharmacies.changed_meanwhile',
    'pharmacies.orders_in_database',
    'pharmacies.not_migrated',
    'plans.not_found',
    'pharmacies.weak_password',
    'pharmacies.bad_phone',
    'session.reauthentication_needed',
  ],
})

/**
 * With orders in Airtable `use_supabase_orders` true needs what the phase `database` of the migration needs; the refusal
 * names what is missing. With orders in the database that changes are still mirrored from, `use_supabase_orders` false starts the run that brings
 * them back to Airtable (`MigrationMode` `back`). The pharmacy in the response has the old source then.
 */
export const switchPharmacy = endpoint({
  method: 'PATCH',
  path: '/api/admin/pharmacies/:pharmacyId',
  summary: 'Activate or deactivate a pharmacy, or choose where its orders come from',
  access: 'admin',
  audit: 'pharmacy_changed',
  params,
  body: z.strictObject({
    is_active: z.optional(z.boolean()),
    use_supabase_orders: z.optional(z.boolean()),
  }),
  response,
  errors: [
    'pharmacies.not_found',
    'pharmacies.orders_in_database',
    'migrations.phase_changed',
    'migrations.phase_refused',
    'migrations.other_running',
    'migrations.no_airtable',
    'migrations.not_configured',
  ],
})

/** Hides the pharmacy everywhere at once. It is purged after 30 days, until when it can be restored. */
export const removePharmacy = endpoint({
  method: 'DELETE',
  path: '/api/admin-delete-pharmacy',
  summary: 'Delete a pharmacy',
  access: 'admin',
  audit: 'pharmacy_deleted',
  query: z.object({ pharmacyId: z.uuid() }),
  response,
  errors: ['pharmacies.not_found'],
})

/** The state of a connection to Airtable. */
export const AirtableCheck = z.object({
  /** The names; null when Airtable does not tell them to the token. */
  base: z.nullable(z.string()),
  table: z.nullable(z.string()),
  /** Columns that orders need and the table does not have. */
  missingColumns: z.array(z.string()),
  /** Why it could not be checked; null when it could. */
  problem: z.nullable(
    z.enum([
      'not_configured',
      'wrong_token',
      'refused',
      'base_not_found',
      'table_not_found',
      'unreachable',
    ]),
  ),
})
export type AirtableCheck = z.infer<typeof AirtableCheck>

export const checkAirtable = endpoint({
  method: 'POST',
  path: '/api/admin/airtable-checks',
  summary: 'Ask Airtable for a base and a table, and which columns are missing',
  access: 'admin',
  audit: { none: 'reads' },
  body: z.strictObject({
    airtable_base_id: Text(100).check(z.minLength(1)),
    airtable_table_id: Text(100).check(z.minLength(1)),
  }),
  response: AirtableCheck,
  errors: [],
})
