import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

/**
 * The links of a session that are valid at the same time: the newest that were issued, and the newest that were
 * unlocked.
 */
const MAX_LINKS = 10

/** Who issues: a member of the pharmacy, one of its API keys, or the customer who has named the order. */
export type Issuer = { source: 'person' | 'api'; id: string } | { source: 'customer' }

export type PriorityLinksStore = ReturnType<typeof createPriorityLinksStore>

/** A link that was issued. `recordId` is that of the order now. */
export type IssuedLink = NonNullable<Awaited<ReturnType<PriorityLinksStore['issue']>>>

/** Issues the sessions of orders, and their links. */
export function createPriorityLinksStore(db: Database) {
  return {
    /** What all links of a pharmacy have in common. */
    pharmacy(pharmacyId: string): Promise<{ code: string; name: string; isEnabled: boolean }> {
      return db
        .selectFrom('pharmacies')
        .select(['pharmacy_id as code', 'name'])
        .select(sql<boolean>`features_enabled ? 'priority_access'`.as('isEnabled'))
        .where('id', '=', pharmacyId)
        .executeTakeFirstOrThrow()
    },

    /**
     * Gives the order a session, or the open session of the order another link, valid for so many days from now.
     *
     * @param named the record id of the order, or the one that it had before the order store gave it another
     * @returns undefined when the order does not exist, or is cancelled
     */
    issue(pharmacyId: string, named: string, days: number, issuer: Issuer) {
      return db.transaction().execute(async (tx) => {
        const order = await tx
          .selectFrom('pharmacy_orders')
          .select(['airtable_order_id', 'order_number', 'customer_name', 'customer_phone'])
          .where('pharmacy_id', '=', pharmacyId)
          .where(
            sql<boolean>`airtable_order_id in (${named}, (
              select record_id from order_aliases
              where pharmacy_id = ${pharmacyId} and alias = ${named}
            ))`,
          )
          .where('status', '<>', 'Annullato')
          // An order that is cancelled at the same time would leave its session open.
          .forShare()
          .executeTakeFirst()
        if (!order) return undefined
        const until = sql<string>`now() + make_interval(days => ${days})`
        const session = await tx
          .insertInto('priority_access_sessions')
          .values({
            pharmacy_id: pharmacyId,
            airtable_order_id: order.airtable_order_id,
            order_number: order.order_number,
            user_name: order.customer_name,
            user_phone: order.customer_phone,
            expires_at: until,
            changed_from: issuer.source,
            changed_by: issuer.source === 'customer' ? null : issuer.id,
          })
          .onConflict((conflict) =>
            conflict
              .columns(['pharmacy_id', 'airtable_order_id'])
              .where('ended_at', 'is', null)
              .doUpdateSet({
                expires_at: sql<string>`greatest(priority_access_sessions.expires_at, excluded.expires_at)`,
                // As the order is now: the customer can be asked for the last digits of the number.
                user_name: order.customer_name,
                user_phone: order.customer_phone,
              }),
          )
          .returning(['id', 'expires_at'])
          .executeTakeFirstOrThrow()
        return {
          recordId: order.airtable_order_id,
          prioritySessionId: session.id,
          orderNumber: order.order_number,
          customerName: order.customer_name,
          phone: order.customer_phone,
          expiresAt: session.expires_at,
          token: await insertLink(
            tx,
            pharmacyId,
            session.id,
            issuer.source === 'customer' ? 'unlocked' : 'issued',
          ),
        }
      })
    },
  }
}

/**
 * Adds a link to a session and removes the oldest ones of its kind, so that unlocking does not remove links that were
 * sent.
 *
 * @returns the token, which is stored as a hash only
 */
export async function insertLink(
  tx: Database,
  pharmacyId: string,
  prioritySessionId: string,
  kind: 'issued' | 'unlocked',
): Promise<string> {
  const { token, hash } = newToken()
  const is_unlocked = kind === 'unlocked'
  await tx
    .insertInto('priority_links')
    // Not the time of the transaction: several links may be issued in one.
    .values({
      pharmacy_id: pharmacyId,
      session_id: prioritySessionId,
      token_hash: hash,
      is_unlocked,
      created_at: sql<string>`clock_timestamp()`,
    })
    .execute()
  await tx
    .deleteFrom('priority_links')
    .where('pharmacy_id', '=', pharmacyId)
    .where('session_id', '=', prioritySessionId)
    .where('is_unlocked', '=', is_unlocked)
    .where('token_hash', 'not in', (eb) =>
      eb
        .selectFrom('priority_links')
        .select('token_hash')
        .where('pharmacy_id', '=', pharmacyId)
        .where('session_id', '=', prioritySessionId)
        .where('is_unlocked', '=', is_unlocked)
        .orderBy('created_at', 'desc')
        .limit(MAX_LINKS),
    )
    .execute()
  return token
}

/** The length of a token, which cannot be guessed: a plain hash of it is enough. */
const TOKEN_BYTES = 16

/** A random token of a link, base64url, and the hash that is stored for it. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: tokenHash(token) }
}

/** The hash that is stored for a token (SHA-256). */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
