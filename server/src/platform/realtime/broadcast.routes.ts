import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { isFromBrowser } from '../browser-call.ts'
import { networkOf } from '../rate-limits.ts'
import { looksLikeToken } from './access.ts'
import { createPace, type Pace, weightOf } from './bounds.ts'
import { type Message, Name } from './frames.ts'
import type { Realtime } from './realtime.service.ts'
import { Refused } from './refused.ts'

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

const Where = z.object({ topic: Name, event: Name })
const Query = z.object({ private: z.enum(['true', 'false']).optional() })

/** Telling topics something without a socket: for other servers with their key, and for users. */
export function broadcastRoutes(app: FastifyInstance, realtime: Realtime) {
  const paces = new LRUCache<string, Pace>({ max: 10_000 })

  function isTooMuch(request: FastifyRequest, messages: number): boolean {
    const network = networkOf(request.ip)
    const most = realtime.limits.messagesPerSecond
    const pace = paces.get(network) ?? createPace(most, 3 * most)
    paces.set(network, pace)
    // Of one that does not say how long it is, the longest.
    const bytes = Number(request.headers['content-length'] ?? realtime.limits.frameBytes)
    return !pace.take(messages - 1 + weightOf(bytes))
  }

  async function check(request: FastifyRequest, messages: readonly Message[]): Promise<void> {
    const token = tokenOf(request)
    if (realtime.isAdminKey(token)) {
      // The key is for servers: where a browser can send it, anybody can read it.
      if (isFromBrowser(request)) throw new Refused(403, 'The key is for servers')
      return
    }
    if (isTooMuch(request, messages.length)) throw new Refused(429, 'Too many messages per second')
    if (!looksLikeToken(token)) throw new Refused(401, 'A token or the key is needed')
    for (const topic of new Set(messages.map((message) => message.topic))) {
      const verdict = await realtime.authorize(token, topic)
      if ('refused' in verdict) {
        throw new Refused(
          verdict.refused === 'token' ? 401 : 403,
          `Unauthorized: ${verdict.reason}`,
        )
      }
      if (!verdict.write) throw new Refused(403, 'Unauthorized: This topic may only be read')
    }
  }

  async function tell(request: FastifyRequest, isPrivate: boolean, messages: Message[]) {
    if (!isPrivate) throw new Refused(403, 'PrivateOnly: This project only allows private channels')
    await check(request, messages)
    for (const message of messages) await realtime.publish(message)
  }

  app.post('/api/broadcast', async (request, reply) => {
    const { messages } = parse(Messages, request.body)
    const areAllPrivate = messages.every((message) => message.private === true)
    const told = messages.map(({ topic, event, payload = {} }) => ({ topic, event, payload }))
    await tell(request, areAllPrivate, told)
    return reply.code(202).send()
  })

  app.post('/api/broadcast/:topic/events/:event', async (request, reply) => {
    const isPrivate = parse(Query, request.query).private === 'true'
    const message = { ...parse(Where, request.params), payload: request.body ?? {} }
    await tell(request, isPrivate, [message])
    return reply.code(202).send()
  })
}

/** Clients that have no token of a user give their key, some in the one place and some in the other. */
function tokenOf({ headers }: FastifyRequest): string {
  const [, token] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  return token ?? z.string().catch('').parse(headers['apikey'])
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (!result.success) throw new Refused(400, 'The request is not valid')
  return result.data
}
