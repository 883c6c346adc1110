import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { invalidRequest, noSuchModel, notFound } from './api-error.ts'
import type { Change } from './journal.ts'

const LIFETIME_MS = 7 * 24 * 60 * 60_000

/** Webhooks that a base may have. */
const MOST = 10

/** Pings of one change before the notifications are switched off. */
const MAX_TRIES = 13

/** Payloads of one page. */
const PAGE = 50

const Specification = z.object({
  options: z.object({
    filters: z.object({
      dataTypes: z.array(z.enum(['tableData', 'tableFields', 'tableMetadata'])).min(1),
      recordChangeScope: z
        .string()
        .regex(/^(tbl|viw)/)
        .optional(),
    }),
  }),
})
const Creation = z.object({
  notificationUrl: z.url().nullish(),
  specification: Specification,
})

type TableChanges = { created: string[]; changed: string[]; destroyed: string[] }

type Webhook = {
  id: string
  base: string
  url: string | null
  specification: z.output<typeof Specification>
  secret: Buffer
  payloads: { at: number; table: string; changes: TableChanges }[]
  expiresAt: number
  areNotificationsEnabled: boolean
  lastResult: { success: boolean; at: number; retryNumber: number } | null
  tries: number
  isPinging: boolean
  again: boolean
}

/** The webhooks of all bases: they send pings without contents, and list what has changed. */
export function createWebhooks(options: { now: () => number; pingRetryMs: number }) {
  const { now } = options
  const all = new Map<string, Webhook>()
  let losesPings = false
  let made = 0
  const timers = new Set<NodeJS.Timeout>()

  const isAlive = (webhook: Webhook) => now() < webhook.expiresAt
  const ofBase = (base: string) => [...all.values()].filter((webhook) => webhook.base === base)

  async function deliver(webhook: Webhook): Promise<boolean> {
    const body = JSON.stringify({
      base: { id: webhook.base },
      webhook: { id: webhook.id },
      timestamp: new Date(now()).toISOString(),
    })
    const mac = createHmac('sha256', webhook.secret).update(body).digest('hex')
    try {
      const reply = await fetch(webhook.url ?? '', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-airtable-content-mac': `hmac-sha256=${mac}`,
        },
        body,
        signal: AbortSignal.timeout(25_000),
      })
      await reply.body?.cancel()
      return reply.status === 200 || reply.status === 204
    } catch {
      return false
    }
  }

  async function ping(webhook: Webhook): Promise<void> {
    if (webhook.url === null || !webhook.areNotificationsEnabled || losesPings) return
    webhook.again = webhook.isPinging
    if (webhook.isPinging) return
    webhook.isPinging = true
    const success = await deliver(webhook)
    webhook.isPinging = false
    webhook.lastResult = { success, at: now(), retryNumber: webhook.tries }
    webhook.tries = success ? 0 : webhook.tries + 1
    if (webhook.tries >= MAX_TRIES) webhook.areNotificationsEnabled = false
    if (success && !webhook.again) return
    const delay = success ? 0 : options.pingRetryMs * 2 ** (webhook.tries - 1)
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (all.has(webhook.id)) void ping(webhook)
    }, delay).unref()
    timers.add(timer)
  }

  function create(base: string, body: unknown): object {
    const { data } = Creation.safeParse(body)
    if (!data) throw invalidRequest('could not parse request body')
    if (ofBase(base).length >= MOST) throw invalidRequest('too many webhooks')
    made += 1
    const webhook: Webhook = {
      id: `ach${String(made).padStart(14, '0')}`,
      base,
      url: data.notificationUrl ?? null,
      specification: data.specification,
      secret: randomBytes(32),
      payloads: [],
      expiresAt: now() + LIFETIME_MS,
      areNotificationsEnabled: true,
      lastResult: null,
      tries: 0,
      isPinging: false,
      again: false,
    }
    all.set(webhook.id, webhook)
    return {
      id: webhook.id,
      macSecretBase64: webhook.secret.toString('base64'),
      expirationTime: new Date(webhook.expiresAt).toISOString(),
    }
  }

  function find(base: string, id: string): Webhook {
    const webhook = all.get(id)
    if (webhook?.base !== base) throw notFound()
    return webhook
  }

  function payloads(webhook: Webhook, search: URLSearchParams): object {
    const cursor = Number(search.get('cursor') ?? 1)
    if (!Number.isInteger(cursor) || cursor < 1) throw invalidRequest('invalid cursor')
    const page = webhook.payloads.slice(cursor - 1, cursor - 1 + PAGE)
    const next = cursor + page.length
    webhook.expiresAt = now() + LIFETIME_MS
    return {
      payloads: page.map(({ at, table, changes }, index) => ({
        timestamp: new Date(at).toISOString(),
        baseTransactionNumber: cursor + index,
        payloadFormat: 'v0',
        actionMetadata: { source: 'client' },
        changedTablesById: { [table]: shown(changes) },
      })),
      cursor: next,
      mightHaveMore: next <= webhook.payloads.length,
    }
  }

  function extended(webhook: Webhook): object {
    if (!isAlive(webhook)) throw notFound()
    webhook.expiresAt = now() + LIFETIME_MS
    return { expirationTime: new Date(webhook.expiresAt).toISOString() }
  }

  function listed(webhook: Webhook): object {
    return {
      id: webhook.id,
      notificationUrl: webhook.url,
      specification: webhook.specification,
      areNotificationsEnabled: webhook.areNotificationsEnabled,
      isHookEnabled: isAlive(webhook),
      cursorForNextPayload: webhook.payloads.length + 1,
      expirationTime: new Date(webhook.expiresAt).toISOString(),
      lastNotificationResult: webhook.lastResult && {
        success: webhook.lastResult.success,
        completionTimestamp: new Date(webhook.lastResult.at).toISOString(),
        retryNumber: webhook.lastResult.retryNumber,
      },
    }
  }

  return {
    /** Handles `/v0/bases/{base}/webhooks…`. @throws ApiError */
    answer(request: {
      method: string
      /** After `bases`. */
      path: string[]
      search: URLSearchParams
      body: unknown
    }): object {
      const [base = '', what, id, action] = request.path
      if (what !== 'webhooks') throw noSuchModel()
      switch (`${request.method} ${id === undefined ? 'all' : (action ?? 'one')}`) {
        case 'GET all':
          return { webhooks: ofBase(base).map(listed) }
        case 'POST all':
          return create(base, request.body)
        case 'DELETE one':
          all.delete(find(base, id ?? '').id)
          return {}
        case 'POST refresh':
          return extended(find(base, id ?? ''))
        case 'GET payloads':
          return payloads(find(base, id ?? ''), request.search)
        default:
          throw notFound()
      }
    },

    /** Notes changes of a table (`base/table`), and pings whom they concern. @param isNew by record id */
    changed(changes: Change[], isNew: (recordId: string) => boolean): void {
      const [base = '', table = ''] = (changes[0]?.table ?? '').split('/')
      const found: TableChanges = { created: [], changed: [], destroyed: [] }
      for (const { record, gone } of changes) {
        if (gone !== undefined) found.destroyed.push(gone)
        else if (record) (isNew(record.id) ? found.created : found.changed).push(record.id)
      }
      for (const webhook of ofBase(base)) {
        const { recordChangeScope } = webhook.specification.options.filters
        const concerns = recordChangeScope === undefined || recordChangeScope === table
        if (!concerns || !isAlive(webhook)) continue
        webhook.payloads.push({ at: now(), table, changes: found })
        void ping(webhook)
      }
    },

    /** From now on pings are not sent, as if the network lost them. */
    losePings(isLosing: boolean): void {
      losesPings = isLosing
    },

    /** Switches the notifications off, as after many failed pings. */
    disable(base: string): void {
      for (const webhook of ofBase(base)) webhook.areNotificationsEnabled = false
    },

    /** Removes the webhooks of a base, as their owner can. */
    forget(base: string): void {
      for (const { id } of ofBase(base)) all.delete(id)
    },

    close(): void {
      for (const timer of timers) clearTimeout(timer)
      all.clear()
    },
  }
}

function shown({ created, changed, destroyed }: TableChanges): object {
  const byId = (ids: string[]) => Object.fromEntries(ids.map((id) => [id, {}]))
  return {
    ...(created.length > 0 && { createdRecordsById: byId(created) }),
    ...(changed.length > 0 && { changedRecordsById: byId(changed) }),
    ...(destroyed.length > 0 && { destroyedRecordIds: destroyed }),
  }
}
