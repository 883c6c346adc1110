import type { MessageRefusal, WhatsAppState } from '@bancone/contract/whatsapp'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { NumberHealth } from '../../ports/whatsapp-business.ts'
import {
  endConnection,
  enqueueCheck,
  recordConnectionChange,
  secretColumns,
  usesWhatsApp,
} from './connections.store.ts'
import { isLost, type Problem } from './whatsapp.rules.ts'
import { enqueueMail } from './whatsapp-mails.ts'

/** What a check has found; what it could not read is left out. */
export type CheckResult = {
  state: WhatsAppState
  problem: Problem | null
  accountName?: string | null
  health?: NumberHealth
  isSubscribed?: boolean
  expiresAt?: string | null
}

/** The connections of an account or a user at Meta, locked until the end of the transaction. */
const lockedBy = (tx: Database, by: 'waba_id' | 'meta_user_id', metaId: string) =>
  tx
    .selectFrom('whatsapp_connections')
    .select(secretColumns)
    .where(by, '=', metaId)
    .orderBy('pharmacy_id')
    .forUpdate()
    .execute()

/** What Meta reports of connections, and what checks find. */
export function createConnectionEventsStore(db: Database) {
  return {
    /**
     * The pharmacy of a number. `isUsed`: it is active and has the feature.
     * @param tx the transaction in which the event is processed
     */
    ownerOfNumber(tx: Database, numberId: string) {
      return tx
        .selectFrom('whatsapp_connections')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'whatsapp_connections.pharmacy_id')
        .select(['pharmacy.id as pharmacyId', usesWhatsApp.as('isUsed')])
        .where('phone_number_id', '=', numberId)
        .where('state', '<>', 'disconnected')
        .executeTakeFirst()
    },

    async noteInbound(tx: Database, pharmacyId: string, at: string): Promise<void> {
      await tx
        .updateTable('whatsapp_connections')
        .set({ last_inbound_at: sql<string>`greatest(last_inbound_at, ${at}::timestamptz)` })
        .where('pharmacy_id', '=', pharmacyId)
        .execute()
    },

    async pharmaciesOf(tx: Database, wabaId: string): Promise<string[]> {
      const rows = await tx
        .selectFrom('whatsapp_connections')
        .select('pharmacy_id')
        .where('waba_id', '=', wabaId)
        .where('state', '<>', 'disconnected')
        .execute()
      return rows.map(({ pharmacy_id }) => pharmacy_id)
    },

    /** Applies an event about an account. @returns false when no pharmacy has connected the account */
    async applyToAccount(tx: Database, wabaId: string, effect: WhatsAppState | 'check') {
      const rows = (await lockedBy(tx, 'waba_id', wabaId)).filter(
        ({ state }) => state !== 'disconnected',
      )
      for (const row of rows) {
        const { pharmacyId } = row
        if (effect === 'check') {
          await enqueueCheck(tx, pharmacyId)
          continue
        }
        if (effect === 'disconnected') await endConnection(tx, row)
        else {
          await tx
            .updateTable('whatsapp_connections')
            .set({ state: effect, revision: row.revision + 1 })
            .where('pharmacy_id', '=', pharmacyId)
            .execute()
        }
        if (isLost(row.state, effect))
          await enqueueMail(tx, pharmacyId, { kind: 'lost', state: effect })
      }
      return rows.length > 0
    },

    /** Meta has refused a message because of the token. @param isExpired false: a check finds out why */
    async noteRefusedToken(pharmacyId: string, isExpired: boolean): Promise<void> {
      await db.transaction().execute(async (tx) => {
        if (!isExpired) return enqueueCheck(tx, pharmacyId)
        const ended = await tx
          .updateTable('whatsapp_connections')
          .set({
            state: 'needs_reauth',
            problem_step: 'authorization',
            problem_kind: 'expired',
            revision: sql<number>`revision + 1`,
          })
          .where('pharmacy_id', '=', pharmacyId)
          .where('state', 'in', ['connected', 'in_review', 'offboarded'])
          .returning('pharmacy_id')
          .executeTakeFirst()
        if (ended) await enqueueMail(tx, pharmacyId, { kind: 'lost', state: 'needs_reauth' })
      })
    },

    /** Meta has refused a message for a reason that the pharmacy can mend. @param at ISO 8601 */
    async noteRefusal(pharmacyId: string, refusal: MessageRefusal, at: string): Promise<void> {
      await db
        .updateTable('whatsapp_connections')
        .set({ refusal, refused_at: at })
        .where('pharmacy_id', '=', pharmacyId)
        .execute()
    },

    /**
     * A message was delivered. Replies are free of charge, so they do not tell that a way to pay is there.
     * @param at ISO 8601
     */
    async clearRefusal(tx: Database, pharmacyId: string, isNotice: boolean, at: string) {
      await tx
        .updateTable('whatsapp_connections')
        .set({ refusal: null, refused_at: null })
        .where('pharmacy_id', '=', pharmacyId)
        .where('refused_at', '<=', at)
        .$if(!isNotice, (query) => query.where('refusal', '<>', 'payment'))
        .execute()
    },

    /** The person has removed the application at Meta. */
    async endOfUser(metaUserId: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        for (const row of await lockedBy(tx, 'meta_user_id', metaUserId)) {
          if (row.state === 'disconnected') continue
          await endConnection(tx, row)
          if (isLost(row.state, 'disconnected'))
            await enqueueMail(tx, row.pharmacyId, { kind: 'lost', state: 'disconnected' })
        }
      })
    },

    /** The person asks for the deletion of what Meta has given: the whole connection. @param code for the status page */
    async deleteOfUser(metaUserId: string, code: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const rows = await lockedBy(tx, 'meta_user_id', metaUserId)
        for (const row of rows) {
          await tx
            .deleteFrom('whatsapp_connections')
            .where('pharmacy_id', '=', row.pharmacyId)
            .execute()
          await recordConnectionChange(tx, 'whatsapp_disconnected', row.pharmacyId, row)
        }
        await tx
          .insertInto('whatsapp_deletions')
          .values({ code, connections: rows.length })
          .execute()
      })
    },

    deletion(code: string): Promise<{ requestedAt: string; connections: number } | undefined> {
      return db
        .selectFrom('whatsapp_deletions')
        .select(['requested_at as requestedAt', 'connections'])
        .where('code', '=', code)
        .executeTakeFirst()
    },

    /**
     * What a check has found; discarded when the connection has changed since the check began.
     *
     * @param onConnected what follows in the same transaction when the number works
     */
    async saveCheck(
      pharmacyId: string,
      revision: number,
      result: CheckResult,
      onConnected: (tx: Database, pharmacyId: string) => Promise<void>,
    ): Promise<void> {
      const { state, problem, accountName, health, isSubscribed, expiresAt } = result
      await db.transaction().execute(async (tx) => {
        const before = await tx
          .selectFrom('whatsapp_connections')
          .select(sql<WhatsAppState>`state`.as('state'))
          .where('pharmacy_id', '=', pharmacyId)
          .where('revision', '=', revision)
          .where('token', 'is not', null)
          .forUpdate()
          .executeTakeFirst()
        if (!before) return
        await tx
          .updateTable('whatsapp_connections')
          .set({
            state,
            problem_step: problem?.step ?? null,
            problem_kind: problem?.kind ?? null,
            checked_at: sql<string>`now()`,
            ...(accountName !== undefined && { account_name: accountName }),
            ...(isSubscribed !== undefined && { is_subscribed: isSubscribed }),
            ...(expiresAt !== undefined && { expires_at: expiresAt }),
            ...(health && {
              display_phone_number: health.displayPhoneNumber,
              verified_name: health.verifiedName,
              quality: health.quality,
              messaging_limit: health.messagingLimit,
              name_status: health.nameStatus,
              number_status: health.status,
              is_on_business_app: health.isOnBusinessApp,
            }),
          })
          .where('pharmacy_id', '=', pharmacyId)
          .execute()
        if (isLost(before.state, state)) await enqueueMail(tx, pharmacyId, { kind: 'lost', state })
        if (state === 'connected') await onConnected(tx, pharmacyId)
      })
    },

    /** Notes that the pharmacy is told so many days before the end, and enqueues the mail. */
    async notifyOfExpiry(pharmacyId: string, days: number): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const row = await tx
          .updateTable('whatsapp_connections')
          .set({ expiry_told_days: days })
          .where('pharmacy_id', '=', pharmacyId)
          .where((where) =>
            where.or([where('expiry_told_days', 'is', null), where('expiry_told_days', '>', days)]),
          )
          .returning('expires_at as expiresAt')
          .executeTakeFirst()
        if (row?.expiresAt)
          await enqueueMail(tx, pharmacyId, { kind: 'expiry', expiresAt: row.expiresAt })
      })
    },

    /** Enqueues a check of every connection in use. @returns their number */
    async enqueueChecks(): Promise<number> {
      const rows = await db
        .selectFrom('whatsapp_connections')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'whatsapp_connections.pharmacy_id')
        .select('pharmacy.id')
        .where('token', 'is not', null)
        .where(usesWhatsApp)
        .execute()
      for (const { id } of rows) await enqueueCheck(db, id)
      return rows.length
    },

    /** Where the pharmacy is written to; undefined when it is not there any more. */
    recipient(pharmacyId: string): Promise<{ email: string; name: string } | undefined> {
      return db
        .selectFrom('pharmacies')
        .select(['email', 'name'])
        .where('id', '=', pharmacyId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    },
  }
}
