import type { WhatsAppState } from '@bancone/contract/whatsapp'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { createAudit } from '../../platform/audit.ts'
import { enqueue } from '../../platform/jobs.ts'

export const CHECK_TASK = 'whatsapp.check'

export const secretColumns = [
  'pharmacy_id as pharmacyId',
  sql<WhatsAppState>`state`.as('state'),
  'revision',
  'waba_id as wabaId',
  'phone_number_id as phoneNumberId',
  'token',
  'pin',
  'key_id as keyId',
  'is_subscribed as isSubscribed',
  'expires_at as expiresAt',
  'expiry_told_days as expiryToldDays',
] as const

/** A connection with its secrets, which are encrypted. */
export type StoredConnection = NonNullable<Awaited<ReturnType<typeof findConnection>>>

export function findConnection(db: Database, pharmacyId: string) {
  return db
    .selectFrom('whatsapp_connections')
    .select(secretColumns)
    .where('pharmacy_id', '=', pharmacyId)
    .executeTakeFirst()
}

const audited = ({ state, wabaId, phoneNumberId }: StoredConnection) => ({
  state,
  wabaId,
  phoneNumberId,
})

/** Records in the audit log what became of a connection in the transaction. */
export async function recordConnectionChange(
  tx: Database,
  action: 'whatsapp_connected' | 'whatsapp_disconnected',
  pharmacyId: string,
  before: StoredConnection | undefined,
): Promise<void> {
  const after = await findConnection(tx, pharmacyId)
  await createAudit(tx).recordChange(tx, {
    action,
    pharmacyId,
    target: { type: 'pharmacy', id: pharmacyId },
    ...(before && { before: audited(before) }),
    ...(after && { after: audited(after) }),
  })
}

/** What is forgotten with the token. */
const withoutToken = {
  state: 'disconnected',
  token: null,
  expires_at: null,
  expiry_told_days: null,
  is_subscribed: false,
  problem_step: null,
  problem_kind: null,
  revision: sql<number>`whatsapp_connections.revision + 1`,
} as const

/** Ends a connection and forgets its token. */
export async function endConnection(tx: Database, before: StoredConnection): Promise<void> {
  const { pharmacyId } = before
  await tx
    .updateTable('whatsapp_connections')
    .set(withoutToken)
    .where('pharmacy_id', '=', pharmacyId)
    .execute()
  await recordConnectionChange(tx, 'whatsapp_disconnected', pharmacyId, before)
}

/** An SQL condition on `pharmacies as pharmacy`: it is active and has the feature. */
export const usesWhatsApp = sql<boolean>`(pharmacy.is_active and pharmacy.deleted_at is null
  and pharmacy.features_enabled ? 'whatsapp_integration')`

/** Checks that are asked for at once become one. */
export function enqueueCheck(db: Database, pharmacyId: string): Promise<void> {
  const key = `${CHECK_TASK}:${pharmacyId}`
  return enqueue(db, CHECK_TASK, { pharmacyId }, { key, delaySeconds: 1 })
}
