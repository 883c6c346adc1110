import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { isFromBrowser } from '../browser-call.ts'
import { networkOf } from '../rate-limits.ts'
import { looksLikeToken } from './access.ts'
import { type Message, Name } from './frames.ts'
import { HttpError } from './http-error.ts'
import { createTokenBucket, messageCost, type TokenBucket } from './limits.ts'
import type { Realtime } from './realtime.service.ts'

const Messages = z.object({
  messages: z
    .array(
      z.object({
        topic: Name,
        event: Name,
        payload: z.unknown(),
        private: z.boolean().nullish(),
      }),
    )
    .min(1)
    .max(100),
})

const TopicParams = z.object({ topic: Name, event: Name })
const Query = z.object({ private: z.enum(['true', 'false']).optional() })

/** Broadcasts over HTTP: by other servers with the admin key, and by users. */
export function broadcastRoutes(app: FastifyInstance, realtime: Realtime) {
  const buckets = new LRUCache<string, TokenBucket>({ max: 10_000 })

  function take(request: FastifyRequest, cost: number): void {
    const network = networkOf(request.ip)
    const most = realtime.limits.messagesPerSecond
    const bucket = buckets.get(network) ?? createTokenBucket(most, 3 * most)
    buckets.set(network, bucket)
    if (!bucket.take(cost)) throw new HttpError(429, 'Too many messages per second')
  }

  const options = {
    bodyLimit: realtime.limits.frameBytes,
    /** Before the body is read. */
    async onRequest(request: FastifyRequest): Promise<void> {
      const token = tokenOf(request)
      if (realtime.isAdminKey(token)) {
        // The key is for servers: one that a browser can send is readable by its user.
        if (isFromBrowser(request)) throw new HttpError(403, 'The key is for servers')
        return
      }
      // Without a stated length, the maximum is counted.
      const bytes = request.headers['content-length'] ?? realtime.limits.frameBytes
      take(request, messageCost(Number(bytes)))
      if (!looksLikeToken(token)) throw new HttpError(401, 'A token or the key is needed')
    },
  }

  async function check(request: FastifyRequest, messages: readonly Message[]): Promise<void> {
    const token = tokenOf(request)
    if (realtime.isAdminKey(token)) return
    if (messages.length > 1) take(request, messages.length - 1)
    for (const topic of new Set(messages.map((message) => message.topic))) {
      const verdict = await realtime.authorize(token, topic)
      if ('refused' in verdict) {
        throw new HttpError(
          verdict.refused === 'token' ? 401 : 403,
          `Unauthorized: ${verdict.reason}`,
        )
      }
      if (!verdict.write) throw new HttpError(403, 'Unauthorized: This topic may only be read')
    }
  }

  async function broadcast(request: FastifyRequest, isPrivate: boolean, messages: Message[]) {
    if (!isPrivate) {
      throw new HttpError(403, 'PrivateOnly: This project only allows private channels')
    }
    await check(request, messages)
    for (const message of messages) await realtime.publish(message)
  }

  app.post('/api/broadcast', options, async (request, reply) => {
    const { messages } = parse(Messages, request.body)
    const areAllPrivate = messages.every((message) => message.private === true)
    const told = messages.map(({ topic, event, payload = {} }) => ({ topic, event, payload }))
    await broadcast(request, areAllPrivate, told)
    return reply.code(202).send()
  })

  app.post('/api/broadcast/:topic/events/:event', options, async (request, reply) => {
    const isPrivate = parse(Query, request.query).private === 'true'
    const message = { ...parse(TopicParams, request.params), payload: request.body ?? {} }
    await broadcast(request, isPrivate, [message])
    return reply.code(202).send()
  })
}

/** Clients without a user's token send the admin key, either as a bearer token or in `apikey`. */
function tokenOf({ headers }: FastifyRequest): string {
  const [, token] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  return token ?? z.string().catch('').parse(headers['apikey'])
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (!result.success) throw new HttpError(400, 'The request is not valid')
  return result.data
}
