import type { WhatsAppConnection, WhatsAppState } from '@bancone/contract/whatsapp'
import { type Insertable, sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { rethrowViolationAs } from '../../database/errors.ts'
import { lockPharmacy } from '../../database/row-limit.ts'
import type { WhatsappConnections } from '../../database/schema.gen.ts'
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

function findConnection(db: Database, pharmacyId: string) {
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

/** What the owners of a pharmacy do with its connection. */
export function createConnectionsStore(db: Database) {
  return {
    /** The connection as its pharmacy sees it. */
    async get(pharmacyId: string): Promise<WhatsAppConnection | null> {
      const row = await db
        .selectFrom('whatsapp_connections')
        .select([
          sql<WhatsAppState>`state`.as('state'),
          'waba_id as wabaId',
          'phone_number_id as phoneNumberId',
          'display_phone_number as displayPhoneNumber',
          'verified_name as verifiedName',
          'account_name as accountName',
          'quality',
          'messaging_limit as messagingLimit',
          'name_status as nameStatus',
          'number_status as numberStatus',
          'is_on_business_app as isOnBusinessApp',
          'is_subscribed as isSubscribed',
          sql<WhatsAppConnection['problem']>`case when problem_step is not null
            then jsonb_build_object('step', problem_step, 'kind', problem_kind) end`.as('problem'),
          sql<WhatsAppConnection['refusal']>`case when refusal is not null
            then jsonb_build_object('kind', refusal, 'at', refused_at) end`.as('refusal'),
          'connected_at as connectedAt',
          'checked_at as checkedAt',
          'expires_at as expiresAt',
          'last_inbound_at as lastInboundAt',
          sql<string | null>`(
            select max(accepted_at) from whatsapp_outbox as message
            where message.pharmacy_id = whatsapp_connections.pharmacy_id
          )`.as('lastOutboundAt'),
          sql<WhatsAppConnection['lastDay']>`(
            select jsonb_build_object(
              'sent', count(*) filter (where status = 'sent'),
              'delivered', count(*) filter (where status = 'delivered'),
              'read', count(*) filter (where status = 'read'),
              'failed', count(*) filter (where status = 'failed')
            ) from whatsapp_deliveries as delivery
            where delivery.pharmacy_id = whatsapp_connections.pharmacy_id
              and reported_at > now() - interval '1 day'
          )`.as('lastDay'),
        ])
        .where('pharmacy_id', '=', pharmacyId)
        .executeTakeFirst()
      return row ?? null
    },

    load: (pharmacyId: string) => findConnection(db, pharmacyId),

    /**
     * Connects a number in place of a disconnected one, or again. The PIN of the same number is kept.
     *
     * @throws AppError `whatsapp.other_number`, `whatsapp.number_taken`
     */
    async connect(
      pharmacyId: string,
      made: Omit<Insertable<WhatsappConnections>, 'pharmacy_id' | 'state'>,
    ): Promise<void> {
      await db
        .transaction()
        .execute(async (tx) => {
          await lockPharmacy(tx, pharmacyId)
          const before = await findConnection(tx, pharmacyId)
          const isSame = before?.phoneNumberId === made.phone_number_id
          const hadNumber = typeof before?.phoneNumberId === 'string'
          if (hadNumber && !isSame && before.state !== 'disconnected')
            throw new AppError('whatsapp.other_number')
          const row = {
            state: 'pending_number',
            ...made,
            pin: isSame && before?.keyId === made.key_id ? (before?.pin ?? null) : null,
            expiry_told_days: null,
            quality: null,
            messaging_limit: null,
            name_status: null,
            number_status: null,
            refusal: null,
            refused_at: null,
            is_on_business_app: false,
            is_subscribed: false,
            problem_step: null,
            problem_kind: null,
            connected_at: sql<string>`now()`,
            checked_at: null,
            ...(!isSame && { last_inbound_at: null }),
          }
          await tx
            .insertInto('whatsapp_connections')
            .values({ pharmacy_id: pharmacyId, ...row })
            .onConflict((conflict) =>
              conflict.column('pharmacy_id').doUpdateSet({
                ...row,
                revision: sql<number>`whatsapp_connections.revision + 1`,
              }),
            )
            .execute()
          await recordConnectionChange(tx, 'whatsapp_connected', pharmacyId, before)
        })
        .catch(asNumberTaken)
    },

    /** The number of an account that had none. @throws AppError `whatsapp.number_taken` */
    async setNumber(pharmacyId: string, revision: number, numberId: string): Promise<void> {
      await db
        .updateTable('whatsapp_connections')
        .set({ phone_number_id: numberId })
        .where('pharmacy_id', '=', pharmacyId)
        .where('revision', '=', revision)
        .execute()
        .catch(asNumberTaken)
    },

    /** Stored before Meta learns of it, so that it is known in any case. */
    async setPin(pharmacyId: string, revision: number, pin: Buffer): Promise<void> {
      await db
        .updateTable('whatsapp_connections')
        .set({ pin })
        .where('pharmacy_id', '=', pharmacyId)
        .where('revision', '=', revision)
        .execute()
    },

    /** @returns the connection before; undefined when there was none */
    disconnect(pharmacyId: string): Promise<StoredConnection | undefined> {
      return db.transaction().execute(async (tx) => {
        await lockPharmacy(tx, pharmacyId)
        const before = await findConnection(tx, pharmacyId)
        if (!before || before.state === 'disconnected') return undefined
        await endConnection(tx, before)
        return before
      })
    },

    /** Whether another pharmacy has a number of the account. */
    async isShared(wabaId: string, pharmacyId: string): Promise<boolean> {
      const row = await db
        .selectFrom('whatsapp_connections')
        .select('pharmacy_id')
        .where('waba_id', '=', wabaId)
        .where('pharmacy_id', '<>', pharmacyId)
        .where('state', '<>', 'disconnected')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}

const asNumberTaken = rethrowViolationAs(
  'whatsapp.number_taken',
  'whatsapp_connections__one_of_number',
)
