import { sql, type UpdateObject } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isOnAirtable } from '../../database/on-airtable.ts'
import type { DB } from '../../database/schema.gen.ts'
import type { Sealing } from '../../platform/sealing.ts'

export type WebhookState = 'new' | 'waiting' | 'active' | 'no_scope' | 'no_token' | 'failed'

/** A base whose webhook is due to be checked. Times are ISO 8601. */
export type DueWebhook = {
  baseId: string
  /** In the address that is pinged. */
  id: string
  state: WebhookState
  webhookId: string | null
  /** Whether its pings can be verified. */
  hasSecret: boolean
  /** The only table that it reports; null for all. */
  tableId: string | null
  /** The table that it should report. */
  wantedTableId: string | null
  /** The cursor at the last check, and whether a ping was received since. */
  checkedCursor: number
  wasPinged: boolean
  /** When this check began. */
  claimedAt: string
  /** Identifies the claim: another one has begun when the webhook is due at another time. */
  checkAt: string
  /** Whether an active pharmacy exchanges its orders with the base. */
  isUsed: boolean
}

type Claim = Pick<DueWebhook, 'baseId' | 'checkAt'>

export type AirtableWebhooksStore = ReturnType<typeof createAirtableWebhooksStore>

/** Minutes until the next check of a webhook. */
const CHECK_MINUTES = 30

const uses = sql<boolean>`(pharmacy.airtable_base_id = webhook.base_id and pharmacy.is_active
  and pharmacy.deleted_at is null and ${isOnAirtable('pharmacy')})`

/** The webhooks of the bases: one of each. */
export function createAirtableWebhooksStore(db: Database, sealing: Sealing) {
  const contextOf = (baseId: string) => `${baseId} webhook`

  /** @returns false, and nothing is changed, if another check has begun */
  async function updateClaimed(
    { baseId, checkAt }: Claim,
    set: UpdateObject<DB, 'airtable_webhooks'>,
  ) {
    const row = await db
      .updateTable('airtable_webhooks')
      .set(set)
      .where('base_id', '=', baseId)
      .where('check_at', '=', checkAt)
      .returning('base_id')
      .executeTakeFirst()
    return row !== undefined
  }

  return {
    /** Adds the bases that active pharmacies use. */
    async adopt(): Promise<void> {
      await sql`
        insert into airtable_webhooks (base_id)
        select distinct pharmacy.airtable_base_id from pharmacies as pharmacy
        where pharmacy.is_active and pharmacy.deleted_at is null and ${isOnAirtable('pharmacy')}
          and pharmacy.airtable_base_id ~ '^app[A-Za-z0-9]+$'
        on conflict (base_id) do nothing
      `.execute(db)
    },

    /** Claims webhooks to be checked: no other process gets them before their next check. */
    async claim(limit: number): Promise<DueWebhook[]> {
      const { rows } = await sql<Omit<DueWebhook, 'hasSecret'> & { keyId: string | null }>`
        update airtable_webhooks as webhook
        set check_at = now() + make_interval(mins => ${CHECK_MINUTES})
        from (
          select base_id from airtable_webhooks where check_at <= now()
          order by check_at limit ${limit} for update skip locked
        ) as due
        where webhook.base_id = due.base_id
        returning webhook.base_id as "baseId", webhook.id, webhook.state,
          webhook.webhook_id as "webhookId", webhook.key_id as "keyId",
          webhook.table_id as "tableId",
          -- A webhook reports one table, or all: the name of a table cannot be given.
          (select case when count(distinct airtable_table_id) = 1
              and bool_and(airtable_table_id ~ '^tbl[A-Za-z0-9]+$') then min(airtable_table_id) end
            from pharmacies as pharmacy where ${uses}) as "wantedTableId",
          webhook.checked_cursor::int as "checkedCursor",
          coalesce(webhook.pinged_at >= webhook.checked_at, false) as "wasPinged",
          clock_timestamp()::text as "claimedAt", webhook.check_at::text as "checkAt",
          exists (select from pharmacies as pharmacy where ${uses}) as "isUsed"
      `.execute(db)
      return rows.map(({ keyId, ...row }) => ({ ...row, hasSecret: keyId === sealing.keyId }))
    },

    async state(baseId: string) {
      return db
        .selectFrom('airtable_webhooks')
        .select([
          sql<WebhookState>`state`.as('state'),
          'pinged_at as pingedAt',
          'expires_at as expiresAt',
        ])
        .where('base_id', '=', baseId)
        .executeTakeFirst()
    },

    /**
     * The base has no webhook from now on: pings of the one that it had are refused.
     *
     * @returns false, and nothing is changed, if another check has begun
     */
    lost(claim: Claim): Promise<boolean> {
      const none = { webhook_id: null, mac_secret: null, key_id: null, expires_at: null }
      return updateClaimed(claim, { state: 'waiting', ...none })
    },

    /**
     * A webhook was created. It counts once a ping has arrived.
     *
     * @returns false, and nothing is changed, if another check has begun
     */
    created(
      claim: Claim,
      made: { id: string; secret: Buffer; expiresAt: string | null },
      tableId: string | null,
    ): Promise<boolean> {
      return updateClaimed(claim, {
        state: 'waiting',
        webhook_id: made.id,
        mac_secret: sealing.seal(contextOf(claim.baseId), made.secret),
        key_id: sealing.keyId,
        table_id: tableId,
        expires_at: made.expiresAt,
        cursor: 1,
        checked_cursor: 1,
        checked_at: sql<string>`now()`,
        pinged_at: null,
        ping_time: null,
      })
    },

    /**
     * The webhook is there. A ping that was received since the check began counts more than what the check has found.
     *
     * @param found `cursor` is the next payload's number
     * @returns whether it is active now
     */
    async checked(
      { baseId, webhookId, claimedAt }: Pick<DueWebhook, 'baseId' | 'webhookId' | 'claimedAt'>,
      found: { state: WebhookState; cursor: number; expiresAt: string | null },
    ): Promise<boolean> {
      const row = await db
        .updateTable('airtable_webhooks')
        .set({
          state: sql<WebhookState>`case when pinged_at > ${claimedAt}::timestamptz then 'active'
            else ${found.state} end`,
          checked_cursor: found.cursor,
          expires_at: found.expiresAt,
          checked_at: claimedAt,
        })
        .where('base_id', '=', baseId)
        .where('webhook_id', '=', webhookId)
        .returning('state')
        .executeTakeFirst()
      return row?.state === 'active'
    },

    /** The check failed, unless another one has begun. @param state undefined keeps it */
    async failed(claim: Claim, state: WebhookState | undefined, minutes: number): Promise<void> {
      const check_at = sql<string>`now() + make_interval(mins => ${minutes})`
      await updateClaimed(claim, { ...(state && { state }), check_at })
    },

    /** Makes the check of the base due, or of all bases. */
    async checkSoon(tx: Database, baseId?: string): Promise<void> {
      let update = tx.updateTable('airtable_webhooks').set({ check_at: sql<string>`now()` })
      if (baseId !== undefined) update = update.where('base_id', '=', baseId)
      await update.execute()
    },

    /** @param baseId undefined for all */
    async forget(baseId?: string): Promise<void> {
      let deletion = db.deleteFrom('airtable_webhooks')
      if (baseId !== undefined) deletion = deletion.where('base_id', '=', baseId)
      await deletion.execute()
    },

    /** What verifies the pings of an address; undefined where there is no such webhook. */
    async secretOf(id: string) {
      const row = await db
        .selectFrom('airtable_webhooks')
        .select(['base_id as baseId', 'webhook_id as webhookId', 'mac_secret', 'key_id'])
        .where('id', '=', id)
        .executeTakeFirst()
      const secret = row && sealing.open(contextOf(row.baseId), row.mac_secret, row.key_id)
      return secret && { baseId: row.baseId, webhookId: row.webhookId, secret }
    },

    /**
     * Notes a verified ping: pings arrive. One that is not newer than the last was sent again.
     *
     * @param time when Airtable has sent it (ISO 8601)
     * @returns whether it is new
     */
    async pinged(tx: Database, baseId: string, time: string): Promise<boolean> {
      const row = await tx
        .updateTable('airtable_webhooks')
        .set({ state: 'active', pinged_at: sql<string>`clock_timestamp()`, ping_time: time })
        .where('base_id', '=', baseId)
        .where(sql<boolean>`coalesce(ping_time < ${time}::timestamptz, true)`)
        .returning('base_id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** The webhook and the number of its next payload. */
    async cursorOf(baseId: string) {
      const row = await db
        .selectFrom('airtable_webhooks')
        .select(['webhook_id as webhookId', sql<number>`cursor::int`.as('cursor')])
        .where('base_id', '=', baseId)
        .where('webhook_id', 'is not', null)
        .executeTakeFirst()
      return row?.webhookId ? { webhookId: row.webhookId, cursor: row.cursor } : undefined
    },

    async advance(baseId: string, webhookId: string, cursor: number): Promise<void> {
      await db
        .updateTable('airtable_webhooks')
        .set({ cursor })
        .where('base_id', '=', baseId)
        .where('webhook_id', '=', webhookId)
        .where('cursor', '<', String(cursor))
        .execute()
    },
  }
}
