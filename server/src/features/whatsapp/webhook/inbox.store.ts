import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { enqueue } from '../../../platform/jobs.ts'
import type { DatabaseTimes } from '../../../platform/telemetry/database-readings.ts'

export const INBOX_TASK = 'whatsapp.inbox'

/** Longer than Meta repeats a webhook, which is seven days. */
const KEPT_DAYS = 9
const UNROUTED_DAYS = 30

/** Attempts after which a webhook that cannot be processed is given up. */
const MAX_FAILURES = 10

export type InboxStore = ReturnType<typeof createInboxStore>

/** The only writer of `whatsapp_inbox` and `whatsapp_unrouted`. */
export function createInboxStore(db: Database) {
  return {
    /** Stores webhooks that are not there yet, and enqueues the job that processes them. */
    async insert(bodies: readonly Buffer[]): Promise<void> {
      const rows = bodies
        .map((body) => ({ body_hash: createHash('sha256').update(body).digest(), body }))
        // In one order in all processes, or concurrent inserts could wait for each other.
        .toSorted((a, b) => a.body_hash.compare(b.body_hash))
      await db.transaction().execute(async (tx) => {
        const added = await tx
          .insertInto('whatsapp_inbox')
          .values(rows)
          .onConflict((conflict) => conflict.column('body_hash').doNothing())
          .returning('body_hash')
          .execute()
        if (added.length > 0) await enqueueInbox(tx)
      })
    },

    /**
     * Processes the oldest webhook that waits, in one transaction with the mark that it is done.
     *
     * @returns `none` when none waits; `failed` when it is left for a later attempt
     */
    async processNext(
      process: (tx: Database, body: Buffer, isLastTry: boolean) => Promise<void>,
      onFailure: (error: unknown, isGivenUp: boolean) => void,
    ): Promise<'done' | 'failed' | 'none'> {
      let hash: Buffer | undefined
      try {
        return await db.transaction().execute(async (tx) => {
          const row = await tx
            .selectFrom('whatsapp_inbox')
            .select(['body_hash', 'body', 'failures'])
            .where('body', 'is not', null)
            // Webhooks that fail do not delay the others.
            .orderBy('failures')
            .orderBy('received_at')
            .limit(1)
            .forUpdate()
            .skipLocked()
            .executeTakeFirst()
          if (!row?.body) return 'none'
          hash = row.body_hash
          await process(tx, row.body, row.failures + 1 >= MAX_FAILURES)
          await tx
            .updateTable('whatsapp_inbox')
            .set({ body: null })
            .where('body_hash', '=', hash)
            .execute()
          return 'done'
        })
      } catch (error) {
        if (hash === undefined) throw error
        const failed = await db
          .updateTable('whatsapp_inbox')
          .set({
            failures: sql<number>`failures + 1`,
            body: sql<Buffer | null>`case when failures + 1 < ${MAX_FAILURES} then body end`,
          })
          .where('body_hash', '=', hash)
          .returning('body')
          .executeTakeFirst()
        onFailure(error, failed?.body === null)
        return 'failed'
      }
    },

    enqueue: () => enqueueInbox(db),

    /** Counts an event about a number or an account that no pharmacy has. */
    async countUnrouted(tx: Database, metaId: string): Promise<void> {
      await tx
        .insertInto('whatsapp_unrouted')
        .values({ meta_id: metaId })
        .onConflict((conflict) =>
          conflict.column('meta_id').doUpdateSet({
            events: sql<string>`whatsapp_unrouted.events + 1`,
            last_at: sql<string>`now()`,
          }),
        )
        .execute()
    },

    async removeOld(): Promise<void> {
      const before = (days: number) => sql<string>`now() - make_interval(days => ${days})`
      await db
        .deleteFrom('whatsapp_inbox')
        .where('received_at', '<', before(KEPT_DAYS))
        .where('body', 'is', null)
        .execute()
      await db
        .deleteFrom('whatsapp_unrouted')
        .where('last_at', '<', before(UNROUTED_DAYS))
        .execute()
    },
  }
}

/** Webhooks that were received and are still to be processed. */
export const inboxBacklog: DatabaseTimes = {
  whatsapp_webhooks: sql<string | null>`(
    select min(received_at) from whatsapp_inbox where body is not null
  )`,
}

/** After the jobs that a person waits for: a burst of webhooks must not delay them. */
function enqueueInbox(db: Database): Promise<void> {
  return enqueue(db, INBOX_TASK, {}, { key: INBOX_TASK, priority: 10 })
}
