import type { WhatsAppState } from '@bancone/contract/whatsapp'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { NumberHealth } from '../../ports/whatsapp-business.ts'
import { enqueueCheck, usesWhatsApp } from './stored-connection.store.ts'
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

export type ConnectionChecksStore = ReturnType<typeof createConnectionChecksStore>

/** What the checks of connections find. */
export function createConnectionChecksStore(
  db: Database,
  onConnected: (tx: Database, pharmacyId: string) => Promise<void>,
) {
  return {
    /** Discarded when the connection has changed since the check began. */
    async saveCheck(pharmacyId: string, revision: number, result: CheckResult): Promise<void> {
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
    async tellOfExpiry(pharmacyId: string, days: number): Promise<void> {
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
