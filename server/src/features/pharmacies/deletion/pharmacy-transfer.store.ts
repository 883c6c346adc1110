import { sql } from 'kysely'
import { StartupError } from '../../../base/startup-error.ts'
import type { Database } from '../../../database/database.ts'
import { createAudit } from '../../../platform/audit.ts'

/** A pharmacy on its way to another server. */
export type TransferredPharmacy = {
  id: string
  code: string
  name: string
  plan: { id: string; name: string } | null
}

/** Sequences whose numbers must not begin again for the rows of a pharmacy. */
export const carriedSequences = ['order_change_versions'] as const

/** @param name the id or the code @throws StartupError */
export async function findForTransfer(db: Database, name: string): Promise<TransferredPharmacy> {
  const found = await db
    .selectFrom('pharmacies as pharmacy')
    .leftJoin('subscription_plans as plan', 'plan.id', 'pharmacy.subscription_plan_id')
    .select(['pharmacy.id', 'pharmacy.pharmacy_id as code', 'pharmacy.name'])
    .select(['pharmacy.deleted_at', 'plan.id as planId', 'plan.name as planName'])
    .where(
      sql<boolean>`(pharmacy.id::text = lower(${name}) or upper(pharmacy.pharmacy_id) = upper(${name}))`,
    )
    .executeTakeFirst()
  if (!found) throw new StartupError(`There is no pharmacy with the id or the code ${name}.`)
  if (found.deleted_at !== null) {
    throw new StartupError(`The pharmacy ${found.code} is deleted: restore it first.`)
  }
  const { id, code, planId, planName } = found
  const plan = planId !== null && planName !== null ? { id: planId, name: planName } : null
  return { id, code, name: found.name, plan }
}

/**
 * Looks for what keeps a pharmacy from being imported. Its rows are in temporary tables, which `staged` names.
 *
 * @returns the expressions of columns that get another value here, and conditions for the rows that are inserted
 * @throws StartupError that names all that is in the way
 */
export async function prepareTransfer(
  db: Database,
  staged: (table: string) => string,
  pharmacy: TransferredPharmacy,
) {
  const planId = await planHere(db, pharmacy)
  const inTheWay: string[] = []
  const look = async (what: string, query: string) => {
    const { rows } = await sql.raw<{ found: string }>(query).execute(db)
    if (rows.length > 0) inTheWay.push(`${what} ${rows.map(({ found }) => found).join(', ')}`)
  }
  const same = (table: string, column: string, where = 'true') => `
    select distinct new.${column}::text as found from ${staged(table)} new
    join ${table} here on here.${column} = new.${column} where ${where} order by 1 limit 5`
  await look('the id', same('pharmacies', 'id'))
  await look('the code', same('used_pharmacy_codes', 'code'))
  await look(
    'the account',
    `select coalesce(new.email, new.id::text) as found from ${staged('auth_users')} new
     where exists (select from auth_users here where here.id = new.id or lower(here.email) = lower(new.email))
     order by 1 limit 5`,
  )
  await look(
    'the colleague',
    `select new.name as found from ${staged('pharmacy_members')} new
     where exists (select from pharmacy_members here where here.user_id = new.user_id) order by 1 limit 5`,
  )
  await look(
    'the WhatsApp number',
    same(
      'whatsapp_connections',
      'phone_number_id',
      "here.state <> 'disconnected' and new.state <> 'disconnected'",
    ),
  )
  await look('the picture', same('images', 'public_id', 'new.pharmacy_id is not null'))
  await look('the file', same('storage_objects', 'id'))
  await look('the picture of an order', same('order_image_files', 'key'))
  if (inTheWay.length > 0) {
    throw new StartupError(
      `The pharmacy ${pharmacy.code} cannot be added, because this is in the database already: ${inTheWay.join('; ')}.`,
    )
  }
  const missing = (table: string, column: string, there: string, key: string) => `
    select distinct new.${column}::text as found from ${staged(table)} new
    where not exists (select from ${there} here where here.${key} = new.${column}) order by 1 limit 5`
  await look('the category', missing('product_offers', 'category', 'product_categories', 'name'))
  await look('the bucket', missing('storage_objects', 'bucket_id', 'storage_buckets', 'id'))
  if (inTheWay.length > 0) {
    throw new StartupError(
      `The pharmacy ${pharmacy.code} cannot be added, because this is missing in the database: ${inTheWay.join('; ')}.`,
    )
  }
  return {
    values: {
      pharmacies: { subscription_plan_id: planId === null ? 'null' : `'${planId}'::uuid` },
    },
    // Pictures of products may have come here with another pharmacy.
    where: {
      images: 'not exists (select from images here where here.public_id = staged_images.public_id)',
      stored_files:
        'not exists (select from stored_files here where here.key = staged_stored_files.key)',
    },
  }
}

/** The plan of the same id, or else of the same name. @throws StartupError */
async function planHere(db: Database, { code, plan }: TransferredPharmacy): Promise<string | null> {
  if (plan === null) return null
  const found = await db
    .selectFrom('subscription_plans')
    .select('id')
    .where(sql<boolean>`(id = ${plan.id} or lower(name) = lower(${plan.name}))`)
    .orderBy(sql`id = ${plan.id}`, 'desc')
    .executeTakeFirst()
  if (found) return found.id
  throw new StartupError(
    `The pharmacy ${code} has the plan «${plan.name}», which the other server does not have: add a plan of that name first.`,
  )
}

/** What follows from an imported pharmacy: what its plan grants here, the cached pages, the audit log. */
export async function finishTransfer(
  db: Database,
  pharmacy: TransferredPharmacy,
  details: { rows: number; files: number },
): Promise<void> {
  // The trigger computes what is granted.
  await sql`update pharmacies set plan_valid_until = plan_valid_until where id = ${pharmacy.id}`.execute(
    db,
  )
  await sql`select pg_notify('offers_changed', ${pharmacy.id})`.execute(db)
  await recordTransfer(db, 'pharmacy_moved_in', pharmacy, details)
}

/** @param db the transaction of an import; after an export the database */
export async function recordTransfer(
  db: Database,
  action: 'pharmacy_moved_in' | 'pharmacy_moved_out',
  { id, code }: TransferredPharmacy,
  details: Record<string, number>,
): Promise<void> {
  await createAudit(db).record({
    action,
    userId: null,
    pharmacyId: id,
    role: 'system',
    target: { type: 'pharmacy', id },
    details: { code, ...details },
  })
}
