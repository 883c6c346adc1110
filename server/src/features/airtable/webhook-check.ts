import { AIRTABLE_WEBHOOK_PATH } from '@bancone/contract/airtable'
import type { Clock } from '../../ports/clock.ts'
import { SourceError } from '../../ports/order-source.ts'
import type { SourceWebhook, SourceWebhooks } from '../../ports/source-webhooks.ts'
import type { AirtableWebhooksStore, DueWebhook } from './airtable-webhooks.store.ts'

/** Airtable ends a webhook after seven days. */
const REFRESH_MS = 4 * 24 * 60 * 60_000

/** Minutes until the next attempt: after a failure, and where only another token would help. */
const RETRY_MINUTES = 5
const REFUSED_MINUTES = 6 * 60

type Dependencies = {
  source: SourceWebhooks
  webhooks: AirtableWebhooksStore
  hasToken(baseId: string): Promise<boolean>
  /** Whether Airtable can reach the server. */
  publicUrl: string
  /** Something may have changed unnoticed: the copies of the base are read. */
  onUnsure(baseId: string): Promise<void>
  clock: Clock
  log: { warn(details: object, message: string): void }
}

/**
 * Brings the webhook of a base into order: creates it, replaces one that is gone, switched off or of another table, and
 * refreshes it. A webhook whose pings do not arrive goes back to `waiting`, so that its base is polled as usual.
 */
export function createWebhookCheck(dependencies: Dependencies) {
  const { source, webhooks, hasToken, onUnsure, clock, log } = dependencies
  const addresses = `${dependencies.publicUrl}${AIRTABLE_WEBHOOK_PATH}/`

  async function replace(due: DueWebhook, old: SourceWebhook[], signal: AbortSignal | undefined) {
    const { baseId, wantedTableId } = due
    // First, because the base has none if the creation fails: it is polled from now on.
    if (!(await webhooks.lost(due))) return
    if (due.state === 'active') await onUnsure(baseId)
    // Those whose creation got no answer, too: a base has room for ten.
    for (const { id } of old) await source.remove(baseId, id, signal)
    const url = addresses + due.id
    const made = await source.create(baseId, { url, tableId: wantedTableId }, signal)
    // A check that has begun meanwhile makes one of its own.
    if (!(await webhooks.created(due, made, wantedTableId))) {
      await source.remove(baseId, made.id, signal)
    }
  }

  async function examine(due: DueWebhook, signal: AbortSignal | undefined): Promise<void> {
    const { baseId, webhookId } = due
    const url = addresses + due.id
    const ours = (await source.list(baseId, signal)).filter((webhook) => webhook.url === url)
    const current = ours.find(({ id }) => id === webhookId)
    const isUsable = due.hasSecret && due.tableId === due.wantedTableId && current?.isEnabled
    if (!current || !isUsable) {
      return replace(due, ours, signal)
    }
    const { cursor } = current
    const left =
      current.expiresAt === null ? REFRESH_MS : Date.parse(current.expiresAt) - clock.now()
    const expiresAt =
      left < REFRESH_MS ? await source.refresh(baseId, current.id, signal) : current.expiresAt
    const isSilent = cursor > due.checkedCursor && !due.wasPinged
    const isHeard = due.state === 'active' && current.wasDelivered !== false && !isSilent
    const state = isHeard ? 'active' : 'waiting'
    const isActive = await webhooks.checked(due, { state, cursor, expiresAt })
    if (!isActive && due.state === 'active') {
      log.warn({ baseId }, 'the pings of Airtable do not arrive: the base is polled')
      await onUnsure(baseId)
    }
  }

  async function remove({ baseId, webhookId }: DueWebhook, signal: AbortSignal | undefined) {
    // Otherwise it ends by itself.
    if (webhookId) await source.remove(baseId, webhookId, signal).catch(() => {})
    await webhooks.forget(baseId)
  }

  return async (due: DueWebhook, signal?: AbortSignal): Promise<void> => {
    const { baseId } = due
    if (!due.isUsed) return remove(due, signal)
    if (!(await hasToken(baseId))) return webhooks.failed(due, 'no_token', REFUSED_MINUTES)
    try {
      await examine(due, signal)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      if (error.kind === 'denied') return webhooks.failed(due, 'no_scope', REFUSED_MINUTES)
      log.warn({ baseId, kind: error.kind }, 'the webhook of a base could not be checked')
      // While Airtable does not answer, the webhook may still work.
      const isRefused = error.kind === 'refused'
      await webhooks.failed(due, isRefused ? 'failed' : undefined, RETRY_MINUTES)
    }
  }
}
