import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  AIRTABLE_WEBHOOK_PATH,
  checkAirtableAccess,
  getAirtableLoad,
  getPharmacyAirtable,
  removeAirtableToken,
  setAirtableToken,
} from '@bancone/contract/airtable'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import type { AppModule } from '../../http/app-module.ts'
import type { Context } from '../../platform/context.ts'
import { enqueue, type Tasks } from '../../platform/jobs.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { SourceError } from '../../ports/order-source.ts'
import type { SourceWebhooks } from '../../ports/source-webhooks.ts'
import { createAirtableLoad } from './airtable-load.store.ts'
import { createAirtableTokens } from './airtable-tokens.service.ts'
import { type AirtableTokensStore, fingerprintOf } from './airtable-tokens.store.ts'
import {
  type AirtableWebhooksStore,
  createAirtableWebhooksStore,
} from './airtable-webhooks.store.ts'
import { createWebhookCheck } from './webhook-check.ts'

type Dependencies = Context & {
  sealing: Sealing
  tokens: AirtableTokensStore
  /** Undefined: the application has no Airtable. */
  airtable:
    | {
        source: SourceWebhooks
        apiUrl: string
        token: string | undefined
        /** Whose a token is, if Airtable says it. */
        userOf(token: string): Promise<string | undefined>
      }
    | undefined
  publicUrl: string
  /** The base has changed, or may have. */
  onChanged(baseId: string, tx?: Database): Promise<void>
  /** The base has another token. */
  onToken(tx: Database, baseId: string): Promise<void>
  onRemoved(
    baseId: string,
    records: readonly { tableId: string; recordId: string }[],
  ): Promise<void>
}

/** Wires the tokens of Airtable bases, and the webhooks by which they report changes. */
export function wireAirtableBases(dependencies: Dependencies): AppModule {
  const { db, sealing, tokens, airtable, publicUrl, onChanged, onToken, onRemoved, clock, log } =
    dependencies
  const webhooks = createAirtableWebhooksStore(db, sealing)
  const isSandbox = airtable !== undefined && isOnThisMachine(airtable.apiUrl)
  // Airtable takes https only. A stand-in on this machine reaches the server without.
  const canReceive = airtable !== undefined && (publicUrl.startsWith('https:') || isSandbox)
  const check =
    airtable && canReceive
      ? createWebhookCheck({
          source: airtable.source,
          webhooks,
          hasToken: async (baseId) =>
            airtable.token !== undefined || (await tokens.find(baseId)) !== undefined,
          publicUrl,
          onUnsure: onChanged,
          clock,
          log,
        })
      : undefined
  const service = createAirtableTokens({
    db,
    tokens,
    webhooks,
    source: airtable?.source,
    onToken,
    hasServerToken: airtable?.token !== undefined,
    canReceive,
  })
  const load = createAirtableLoad(db, {
    keyId: sealing.keyId,
    serverFingerprint: airtable?.token === undefined ? undefined : fingerprintOf(airtable.token),
    async userOf(baseId) {
      const token = (await tokens.find(baseId)) ?? airtable?.token
      return token === undefined ? undefined : airtable?.userOf(token)
    },
  })

  async function receive(baseId: string, time: string): Promise<void> {
    await db.transaction().execute(async (tx) => {
      if (!(await webhooks.pinged(tx, baseId, time))) return
      await onChanged(baseId, tx)
      await enqueueRemovals(tx, baseId)
    })
  }

  return {
    async routes({ app, serve }) {
      serve(getPharmacyAirtable, ({ params }) => service.get(params.pharmacyId))

      serve(setAirtableToken, ({ params, body }, _session, { signal }) =>
        service.set(params.pharmacyId, body.token, signal),
      )

      serve(removeAirtableToken, ({ params }) => service.remove(params.pharmacyId))

      serve(checkAirtableAccess, ({ params }, _session, { signal }) =>
        service.check(params.pharmacyId, signal),
      )

      serve(getAirtableLoad, load)

      await pingRoutes(app, { secretOf: webhooks.secretOf, receive })
    },
    tasks: airtable
      ? airtableTasks({ db, source: airtable.source, tokens, webhooks, check, onRemoved })
      : {},
    start() {
      if (!airtable) return
      // A stand-in that was started with the server has no webhooks yet.
      const prepared = isSandbox ? webhooks.checkSoon(db) : Promise.resolve()
      prepared
        .then(() => enqueueWebhookChecks(db))
        .catch((error: unknown) =>
          log.warn({ err: error }, 'the webhooks of Airtable are not looked after'),
        )
    },
  }
}

function isOnThisMachine(address: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname)
}

/** A ping has less than 200 bytes. */
const MAX_BYTES = 4 * 1024

const MAC = 'x-airtable-content-mac'
const Params = z.object({ id: z.uuid() })
const Ping = z.object({
  base: z.object({ id: z.string() }),
  webhook: z.object({ id: z.string() }),
  timestamp: z.iso.datetime(),
})

type Known = { baseId: string; webhookId: string | null; secret: Buffer }

type PingDependencies = {
  /** What verifies the pings of an address; undefined where there is no such webhook. */
  secretOf(id: string): Promise<Known | undefined>
  receive(baseId: string, time: string): Promise<void>
}

/**
 * The addresses that Airtable pings. Nothing is parsed before its MAC has been verified. A ping has no contents: the worst
 * that a repeated one can do is nothing.
 */
function pingRoutes(app: FastifyInstance, { secretOf, receive }: PingDependencies) {
  return app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(
      `${AIRTABLE_WEBHOOK_PATH}/:id`,
      {
        bodyLimit: MAX_BYTES,
        onRequest: async ({ headers }) => {
          if (headers[MAC] === undefined) throw new AppError('airtable.bad_signature')
        },
      },
      async ({ params, headers, body }, reply) => {
        const { data } = Params.safeParse(params)
        // An unknown address is answered like a wrong signature.
        const known = data && (await secretOf(data.id))
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        if (!known || !isSigned(known.secret, bytes, headers[MAC])) {
          throw new AppError('airtable.bad_signature')
        }
        const time = timeOf(bytes, known)
        // Of a webhook that this one has replaced.
        if (time !== undefined) await receive(known.baseId, time)
        return reply.code(204).send()
      },
    )
  })
}

const HEADER = /^hmac-sha256=([0-9a-f]{64})$/i

/** Whether Airtable has signed exactly these bytes. */
function isSigned(secret: Buffer, body: Buffer, header: unknown): boolean {
  const [, hex] = HEADER.exec(typeof header === 'string' ? header : '') ?? []
  if (hex === undefined) return false
  const expected = createHmac('sha256', secret).update(body).digest()
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected)
}

/** When the ping was sent; undefined where it is not one of that webhook. */
function timeOf(body: Buffer, { baseId, webhookId }: Known): string | undefined {
  try {
    const json: unknown = JSON.parse(body.toString())
    const ping = Ping.parse(json)
    return ping.base.id === baseId && ping.webhook.id === webhookId ? ping.timestamp : undefined
  } catch {
    return undefined
  }
}

export const WEBHOOKS_TASK = 'airtable.webhooks'
const REMOVALS_TASK = 'airtable.removals'

/** Between two looks for webhooks that are due. */
const INTERVAL_SECONDS = 60

/** Webhooks that are checked at once, and in one job. */
const AT_ONCE = 5
const PER_JOB = 1_000

const OfBase = z.object({ baseId: z.string() })

type TaskDependencies = {
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
function enqueueWebhookChecks(db: Database, delaySeconds = 0): Promise<void> {
  return enqueue(db, WEBHOOKS_TASK, {}, { key: WEBHOOKS_TASK, delaySeconds })
}

/** Looks for what was removed from the base. Calls while a job of the base is running become one more job. */
export function enqueueRemovals(db: Database, baseId: string): Promise<void> {
  const key = `${REMOVALS_TASK}:${baseId}`
  return enqueue(db, REMOVALS_TASK, { baseId }, { key, queue: key })
}

function airtableTasks(dependencies: TaskDependencies): Tasks {
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
