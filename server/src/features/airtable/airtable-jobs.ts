import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { enqueue, type Tasks } from '../../platform/jobs.ts'
import { SourceError } from '../../ports/order-source.ts'
import type { SourceWebhooks } from '../../ports/source-webhooks.ts'
import type { AirtableTokensStore } from './airtable-tokens.store.ts'
import type { AirtableWebhooksStore } from './airtable-webhooks.store.ts'
import type { createWebhookCheck } from './webhook-check.ts'

export const WEBHOOKS_TASK = 'airtable.webhooks'
const REMOVALS_TASK = 'airtable.removals'

/** Between two looks for webhooks that are due. */
const INTERVAL_SECONDS = 60

/** Webhooks that are checked at once, and in one job. */
const AT_ONCE = 5
const PER_JOB = 1_000

const OfBase = z.object({ baseId: z.string() })

type Dependencies = {
  db: Database
  source: SourceWebhooks
  tokens: AirtableTokensStore
  webhooks: AirtableWebhooksStore
  /** Undefined: Airtable cannot reach the server. */
  check: ReturnType<typeof createWebhookCheck> | undefined
  onRemoved(
    baseId: string,
    records: readonly { tableId: string; recordId: string }[],
  ): Promise<void>
}

/** Looks after the webhooks, from now on once a minute in one of the processes. */
export function enqueueWebhookChecks(db: Database, delaySeconds = 0): Promise<void> {
  return enqueue(db, WEBHOOKS_TASK, {}, { key: WEBHOOKS_TASK, delaySeconds })
}

/** Looks for what was removed from the base. Calls while a job of the base is running become one more job. */
export function enqueueRemovals(db: Database, baseId: string): Promise<void> {
  const key = `${REMOVALS_TASK}:${baseId}`
  return enqueue(db, REMOVALS_TASK, { baseId }, { key, queue: key })
}

export function airtableTasks(dependencies: Dependencies): Tasks {
  const { db, source, tokens, webhooks, check, onRemoved } = dependencies

  async function readRemovals(baseId: string, signal: AbortSignal | undefined): Promise<void> {
    const from = await webhooks.cursorOf(baseId)
    if (!from) return
    const { webhookId } = from
    const pages = source.removedRecords(baseId, webhookId, from.cursor, signal)
    for await (const { records, cursor } of pages) {
      if (records.length > 0) await onRemoved(baseId, records)
      await webhooks.advance(baseId, webhookId, cursor)
    }
  }

  return {
    [WEBHOOKS_TASK]: {
      lane: 'maintenance',
      async run(_payload, signal) {
        // First, so that the next run does not depend on this one.
        await enqueueWebhookChecks(db, INTERVAL_SECONDS)
        await tokens.removeUnused()
        if (!check) return webhooks.forget()
        await webhooks.adopt()
        for (let done = 0; done < PER_JOB; done += AT_ONCE) {
          if (signal?.aborted) return
          const due = await webhooks.claim(AT_ONCE)
          await Promise.all(due.map((webhook) => check(webhook, signal)))
          if (due.length < AT_ONCE) return
        }
      },
    },
    [REMOVALS_TASK]: {
      lane: 'delivery',
      async run(payload, signal) {
        const { baseId } = OfBase.parse(payload)
        try {
          await readRemovals(baseId, signal)
        } catch (error) {
          const isGone =
            error instanceof SourceError && ['denied', 'not_found'].includes(error.kind)
          if (!isGone) throw error
          await webhooks.checkSoon(db, baseId)
        }
      },
    },
  }
}
