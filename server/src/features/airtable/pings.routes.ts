import { createHmac, timingSafeEqual } from 'node:crypto'
import { AIRTABLE_WEBHOOK_PATH } from '@bancone/contract/airtable'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../base/app-error.ts'

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

type Dependencies = {
  /** What verifies the pings of an address; undefined where there is no such webhook. */
  secretOf(id: string): Promise<Known | undefined>
  receive(baseId: string, time: string): Promise<void>
}

/**
 * The addresses that Airtable pings. Nothing is parsed before its MAC has been verified. A ping has no contents: the worst
 * that a repeated one can do is nothing.
 */
export function pingRoutes(app: FastifyInstance, { secretOf, receive }: Dependencies) {
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
