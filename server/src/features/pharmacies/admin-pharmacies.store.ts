import { createHash } from 'node:crypto'
import { resolveFeatures } from '@bancone/contract/access'
import {
  type AdminPharmacy,
  EntitlementKey,
  type NewPharmacyFields,
  type PharmacyChange,
} from '@bancone/contract/admin-pharmacies'
import { type RawBuilder, sql, type UpdateObject } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { rethrowViolationAs } from '../../database/errors.ts'
import { isOnAirtable } from '../../database/on-airtable.ts'
import { lockPharmacy } from '../../database/row-limit.ts'
import type { DB } from '../../database/schema.gen.ts'
import type { Audit } from '../../platform/audit.ts'
import { isCallable } from '../../platform/phone-numbers.ts'
import { lockPlan, writeDeviations } from './plan-deviations.store.ts'

/** The fields of a pharmacy without those of its account. */
type Fields = Omit<PharmacyChange, 'password'>

type Planned = { subscription_plan_id: string | null }

export type Switches = {
  is_active?: boolean | undefined
  use_supabase_orders?: boolean | undefined
}

export type AdminPharmaciesStore = ReturnType<typeof createAdminPharmaciesStore>

/** The pharmacies as administrators see and change them, deleted ones included. */
export function createAdminPharmaciesStore(db: Database, audit: Pick<Audit, 'recordChange'>) {
  /** Runs a change of a pharmacy that is not deleted, under its lock, and records it. */
  async function changed(
    tx: Database,
    pharmacyId: string,
    action: 'pharmacy_changed' | 'pharmacy_deleted',
    change: () => Promise<unknown>,
    seen?: string,
  ): Promise<AdminPharmacy> {
    await lockPharmacy(tx, pharmacyId)
    const before = await find(tx, pharmacyId)
    if (before.deleted_at !== null) throw new AppError('pharmacies.not_found')
    if (seen !== undefined && seen !== before.version) {
      throw new AppError('pharmacies.changed_meanwhile')
    }
    const wasMirrored = await isMirrored(tx, pharmacyId)
    await change()
    const after = await find(tx, pharmacyId)
    if (after.phone !== before.phone) await requirePhone(after.phone)
    // Also in a request that was on its way when the phase changed: nothing that is not in Airtable yet is left behind.
    if (wasMirrored && !after.use_supabase_orders) {
      throw new AppError('pharmacies.orders_in_database')
    }
    if (isInAirtable(before) && after.use_supabase_orders && hasTable(after)) {
      throw new AppError('pharmacies.not_migrated')
    }
    const target = { type: 'pharmacy', id: pharmacyId }
    const fields = { before: auditedFields(before), after: auditedFields(after) }
    await audit.recordChange(tx, { action, pharmacyId, target, ...fields })
    return after
  }

  return {
    find: (pharmacyId: string) => find(db, pharmacyId),

    isMirrored: (pharmacyId: string) => isMirrored(db, pharmacyId),

    /** By name. @param state `deleted`: those that can be restored instead of the others */
    async list(state: 'present' | 'deleted'): Promise<AdminPharmacy[]> {
      const isShown = sql`(pharmacy.deleted_at is not null) = ${state === 'deleted'}`
      const { rows } = await pharmacies(
        sql`where ${isShown} order by lower(pharmacy.name), pharmacy.id`,
      ).execute(db)
      return rows.map(pharmacyOf)
    },

    /** Those with one of the codes or addresses, deleted ones included. Both are compared without regard to case. */
    async matching(codes: readonly string[], emails: readonly string[]): Promise<AdminPharmacy[]> {
      const { rows } = await pharmacies(
        sql`where upper(pharmacy.pharmacy_id) = any(${upper(codes)}) or lower(pharmacy.email) = any(${lower(emails)})`,
      ).execute(db)
      return rows.map(pharmacyOf)
    },

    /** The next readable code that was never used. */
    async nextCode(): Promise<string> {
      for (;;) {
        const { rows } = await sql<{ code: string; is_used: boolean }>`
          select code, exists (select from used_pharmacy_codes used where used.code = next.code) as is_used
          from (
            select 'PHARM-' || lpad(n::text, greatest(4, length(n::text)), '0') as code
            from nextval('pharmacy_codes') n
          ) next
        `.execute(db)
        if (rows[0] && !rows[0].is_used) return rows[0].code
      }
    },

    /** Inserts a pharmacy in the transaction that creates its account. @param by the user who does it, if any */
    async insert(
      tx: Database,
      { id, code, email }: { id: string; code: string; email: string },
      fields: Omit<NewPharmacyFields, 'email' | 'password' | 'pharmacy_id'>,
      by: string | null,
    ): Promise<void> {
      await requirePhone(fields.phone)
      const plan = await lockPlan(tx, fields.subscription_plan_id)
      await tx
        .insertInto('pharmacies')
        .values({ ...columns(fields), id, pharmacy_id: code, email: email.toLowerCase() })
        .execute()
        .catch(codeTaken)
      await writeDeviations(tx, id, { plan, wanted: wantedBy(fields), userId: by })
      const target = { type: 'pharmacy', id }
      const after = auditedFields(await find(tx, id))
      await audit.recordChange(tx, { action: 'pharmacy_created', pharmacyId: id, target, after })
    },

    async update(tx: Database, pharmacyId: string, fields: Fields, userId: string) {
      const plan = await lockPlan(tx, fields.subscription_plan_id)
      const change = async () => {
        await write(tx, pharmacyId, columns(fields))
        await writeDeviations(tx, pharmacyId, { plan, wanted: wantedBy(fields), userId })
      }
      return changed(tx, pharmacyId, 'pharmacy_changed', change, fields.seen)
    },

    switch(pharmacyId: string, switches: Switches): Promise<AdminPharmacy> {
      return db
        .transaction()
        .execute((tx) =>
          changed(tx, pharmacyId, 'pharmacy_changed', () => write(tx, pharmacyId, switches)),
        )
    },

    /** Hides the pharmacy everywhere. Nothing else is changed, so that it can be restored as it was. */
    remove(pharmacyId: string, userId: string): Promise<AdminPharmacy> {
      return db
        .transaction()
        .execute((tx) =>
          changed(tx, pharmacyId, 'pharmacy_deleted', () =>
            tx
              .updateTable('pharmacies')
              .set({ deleted_at: sql<string>`now()`, deleted_by: userId })
              .where('id', '=', pharmacyId)
              .execute(),
          ),
        )
    },
  }
}

/** Hides a pharmacy everywhere, as deleted at that time (ISO 8601). */
export function hidePharmacy(tx: Database, pharmacyId: string, at: string): Promise<void> {
  return write(tx, pharmacyId, { deleted_at: at })
}

type Row = Omit<
  AdminPharmacy,
  'subscription_plans' | 'features_enabled' | 'deviations' | 'version'
> & {
  plan_name: string | null
  plan_price: string | null
  features_enabled: unknown
  deviations: string[]
}

function pharmacies(narrowed: RawBuilder<unknown>) {
  // The end of a plan is left out: otherwise saving the form would store its features as taken away. Otherwise the
  // columns hold what is granted.
  return sql<Row>`
    select pharmacy.id, pharmacy.pharmacy_id, pharmacy.name, pharmacy.email, pharmacy.phone, pharmacy.address,
      pharmacy.logo_url, pharmacy.subscription_plan_id, plan.name as plan_name, plan.price as plan_price,
      pharmacy.plan_valid_until, pharmacy.is_active,
      pharmacy.max_offers, case when plan.id is not null and is_plan_over(pharmacy.plan_valid_until)
        then (select features from entitlements(pharmacy.id, plan.features, plan.max_offers, null))
        else pharmacy.features_enabled end as features_enabled,
      array(select key from plan_deviations where pharmacy_id = pharmacy.id order by key) as deviations,
      pharmacy.airtable_base_id, pharmacy.airtable_table_id, pharmacy.use_supabase_orders,
      pharmacy.deleted_at, pharmacy.created_at, pharmacy.updated_at
    from pharmacies pharmacy
    left join subscription_plans plan on plan.id = pharmacy.subscription_plan_id
    ${narrowed}
  `
}

async function find(db: Database, pharmacyId: string): Promise<AdminPharmacy> {
  const { rows } = await pharmacies(sql`where pharmacy.id = ${pharmacyId}`).execute(db)
  if (!rows[0]) throw new AppError('pharmacies.not_found')
  return pharmacyOf(rows[0])
}

function pharmacyOf({ plan_name, plan_price, ...row }: Row): AdminPharmacy {
  const features_enabled = resolveFeatures(row.features_enabled)
  const deviations = z.array(EntitlementKey).parse(row.deviations)
  const form = { ...columns(row), max_offers: row.max_offers, features_enabled, deviations }
  return {
    ...row,
    subscription_plans:
      plan_name === null ? null : { name: plan_name, price: Number(plan_price ?? 0) },
    features_enabled,
    deviations,
    version: createHash('sha256').update(JSON.stringify(form)).digest('base64url'),
  }
}

function hasTable(pharmacy: AdminPharmacy): boolean {
  return Boolean(pharmacy.airtable_base_id && pharmacy.airtable_table_id)
}

/** Pages wait for Airtable: the migration moves the orders into the database. */
export function isInAirtable(pharmacy: AdminPharmacy): boolean {
  return hasTable(pharmacy) && !pharmacy.use_supabase_orders
}

/** The orders come from the database, and changes go on to Airtable (the phase `database` of the migration). */
async function isMirrored(db: Database, pharmacyId: string): Promise<boolean> {
  const row = await db
    .selectFrom('pharmacies as pharmacy')
    .select('id')
    .where('id', '=', pharmacyId)
    .where('use_supabase_orders', '=', true)
    .where(isOnAirtable('pharmacy'))
    .executeTakeFirst()
  return row !== undefined
}

async function write(tx: Database, pharmacyId: string, set: UpdateObject<DB, 'pharmacies'>) {
  await tx
    .updateTable('pharmacies')
    .set({ ...set, updated_at: sql<string>`now()` })
    .where('id', '=', pharmacyId)
    .execute()
}

/** The columns of the form, without those that triggers compute. */
function columns(
  fields: Omit<Fields, 'subscription_plan_id' | 'max_offers' | 'features_enabled'> & Planned,
) {
  return {
    name: fields.name,
    phone: fields.phone,
    address: fields.address,
    logo_url: fields.logo_url,
    subscription_plan_id: fields.subscription_plan_id,
    plan_valid_until: fields.plan_valid_until,
    is_active: fields.is_active,
    airtable_base_id: fields.airtable_base_id,
    airtable_table_id: fields.airtable_table_id,
    use_supabase_orders: fields.use_supabase_orders,
  }
}

async function requirePhone(phone: string | null): Promise<void> {
  if (!(await isCallable(phone))) throw new AppError('pharmacies.bad_phone')
}

const upper = (texts: readonly string[]) => texts.map((text) => text.toUpperCase())
const lower = (texts: readonly string[]) => texts.map((text) => text.toLowerCase())

function wantedBy({
  max_offers,
  features_enabled,
}: Pick<Fields, 'max_offers' | 'features_enabled'>) {
  return { max_offers, features: resolveFeatures(features_enabled) }
}

/** With the name of the plan: its id says nothing to readers of the log, and the plan may be deleted later. */
function auditedFields(pharmacy: AdminPharmacy) {
  const { max_offers, features_enabled, deleted_at } = pharmacy
  const subscription_plan = pharmacy.subscription_plans?.name ?? null
  const fields = { ...columns(pharmacy), subscription_plan_id: undefined, subscription_plan }
  return { ...fields, max_offers, features_enabled, deleted_at }
}

const codeTaken = rethrowViolationAs(
  'pharmacies.code_taken',
  'pharmacies__code_taken',
  'used_pharmacy_codes_pkey',
)
