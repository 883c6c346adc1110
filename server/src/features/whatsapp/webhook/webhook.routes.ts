import { whatsAppPaths } from '@bancone/contract/whatsapp'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../../base/app-error.ts'
import type { MetaApplication } from '../whatsapp.context.ts'
import type { InboxStore } from './inbox.store.ts'
import { isSameSecret, isSignature, isSigned } from './signatures.ts'

/** The largest webhook of Meta is 3 MB. */
const MAX_BYTES = 3 * 1024 * 1024 + 64 * 1024

const Verification = z.object({
  'hub.mode': z.literal('subscribe'),
  'hub.verify_token': z.string(),
  // It is sent back, so it must be nothing that a browser would interpret.
  'hub.challenge': z.string().regex(/^[\w-]{1,200}$/),
})

/** The address to which Meta sends events. Nothing is parsed before its signature has been verified. */
export function webhookRoutes(
  app: FastifyInstance,
  { appSecret, verifyToken }: Pick<MetaApplication, 'appSecret' | 'verifyToken'>,
  insert: InboxStore['insert'],
) {
  const receive = createInboxReceiver(insert)
  return app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )

    scope.get(whatsAppPaths.webhook, async (request, reply) => {
      const { data } = Verification.safeParse(request.query)
      if (!data || !isSameSecret(data['hub.verify_token'], verifyToken))
        throw new AppError('access.denied')
      return reply.type('text/plain; charset=utf-8').send(data['hub.challenge'])
    })

    scope.post(
      whatsAppPaths.webhook,
      {
        bodyLimit: MAX_BYTES,
        // Before the body is read, so that strangers cannot send three megabytes.
        onRequest: async ({ headers }) => {
          if (!isSignature(headers['x-hub-signature-256']))
            throw new AppError('whatsapp.bad_signature')
        },
      },
      async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        if (!isSigned(appSecret, body, request.headers['x-hub-signature-256']))
          throw new AppError('whatsapp.bad_signature')
        await receive(body)
        return reply.send('')
      },
    )
  })
}

/** Webhooks of one transaction. */
const MAX_BATCH = 100

/** Bytes of the webhooks that wait for the database; more are refused, and Meta repeats them. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

/**
 * Stores webhooks before they are answered. Those that arrive while others are being stored become the next transaction,
 * so that a burst needs one connection to the database and few commits.
 *
 * @returns resolves when the webhook is stored; rejects with `service.unavailable` when too many wait
 */
function createInboxReceiver(insert: InboxStore['insert']) {
  const waiting: { body: Buffer; resolve(): void; reject(error: unknown): void }[] = []
  let bytes = 0
  let isWriting = false

  async function write() {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH)
      try {
        await insert(batch.map(({ body }) => body))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      for (const { body } of batch) bytes -= body.length
    }
    isWriting = false
  }

  return (body: Buffer): Promise<void> => {
    if (bytes + body.length > MAX_WAITING_BYTES) throw new AppError('service.unavailable')
    bytes += body.length
    return new Promise((resolve, reject) => {
      waiting.push({ body, resolve, reject })
      if (!isWriting) void write()
    })
  }
}
