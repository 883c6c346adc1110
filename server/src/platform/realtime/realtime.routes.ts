import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import { allowOrigins, forbidCaching, isFromBrowser } from '../browser-call.ts'
import { networkOf } from '../rate-limits.ts'
import { acceptJson } from '../request-bodies.ts'
import { logFailure } from '../request-log.ts'
import { looksLikeToken } from './channels.ts'
import { type Message, Name, Version } from './frames.ts'
import { HttpError, messageCost } from './limits.ts'
import type { Realtime } from './realtime.service.ts'

/** `/realtime/v1`. Every error response is JSON with an `error`. */
export async function realtimeRoutes(app: FastifyInstance, { realtime }: { realtime: Realtime }) {
  const { frameBytes } = realtime.limits
  app.removeContentTypeParser('text/plain')
  acceptJson(app, { onInvalid: () => new HttpError(400, 'The request is not valid') })
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: frameBytes },
    (_request, body, done) => done(null, body),
  )
  app.setErrorHandler((error, request, reply) => {
    const refused = refusalOf(error)
    if (refused.status >= 500) logFailure(request, error)
    if (refused.status === 503 || refused.status === 429) reply.header('Retry-After', '2')
    return reply.code(refused.status).send({ error: refused.message })
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not found' }))
  forbidCaching(app)
  await allowOrigins(app, realtime.origins, {
    methods: ['POST'],
    allowedHeaders: ['authorization', 'apikey', 'content-type', 'x-client-info'],
  })
  websocketRoute(app, realtime)
  broadcastRoutes(app, realtime)
}

function refusalOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  if (isDatabaseUnavailable(error)) return new HttpError(503, 'Try again')
  if (error instanceof Error && 'statusCode' in error) {
    if (error.statusCode === 413) return new HttpError(413, 'The message is too large')
    if (error.statusCode === 415) return new HttpError(415, 'This type of content is not known')
    if (error.statusCode === 400) return new HttpError(400, 'The request is not valid')
  }
  return new HttpError(500, 'Internal error')
}

type Upgrade = { socket: Socket; head: Buffer; response: ServerResponse }

/** An absent `vsn` is the oldest version. */
const SocketQuery = z.object({
  apikey: z.string().regex(/^[!-~]{1,8000}$/),
  vsn: Version.default('1.0.0'),
})

/** The maximum length of a key that is no token. Such a key grants no access. */
const MAX_KEY = 200

/** `GET /websocket`: handled as an ordinary request, with all hooks, until the socket is handed over. */
function websocketRoute(app: FastifyInstance, realtime: Realtime) {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  const path = `${app.prefix}/websocket`
  const handshakes = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Frames are small, and compression takes 300 kB of memory per socket.
    perMessageDeflate: false,
    maxPayload: realtime.limits.frameBytes,
  })

  app.server.on('upgrade', (request, _stream, head) => {
    const { socket } = request
    socket.on('error', () => {})
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    try {
      response.assignSocket(socket)
    } catch {
      // A response to an earlier request is still being sent on this connection. Our clients do not pipeline.
      socket.destroy()
      return
    }
    response.once('finish', () => socket.destroySoon())
    const isSocket = request.headers.upgrade?.toLowerCase() === 'websocket'
    if (isSocket && request.url?.split('?', 1)[0] !== path) {
      response.writeHead(404, { 'Content-Length': 0 }).end()
      return
    }
    upgrades.set(request, { socket, head, response })
    // Other upgrades are ignored: the request is answered over HTTP.
    app.routing(request, response)
  })

  app.get('/websocket', async (request, reply) => {
    const upgrade = upgrades.get(request.raw)
    if (!upgrade) throw new HttpError(426, 'This is for web sockets')
    const network = networkOf(request.ip)
    if (!isAllowedOrigin(request, realtime)) throw new HttpError(403, 'This origin is not allowed')
    if (!realtime.hasRoom(network)) throw new HttpError(429, 'Too many connections')
    const { key, version, token } = await authenticate(request, realtime)
    if (!realtime.hasRoom(network)) throw new HttpError(429, 'Too many connections')

    reply.hijack()
    const { socket, head, response } = upgrade
    // Detached, so that the request does not count as one that lasts for hours.
    response.detachSocket(socket)
    handshakes.handleUpgrade(request.raw, socket, head, (opened) =>
      realtime.connect({ socket: opened, version, key, token, network }),
    )
    return reply
  })

  app.addHook('preClose', realtime.closeSockets)
}

async function authenticate(request: FastifyRequest, realtime: Realtime) {
  const query = SocketQuery.safeParse(request.query)
  if (!query.success) {
    const isVersion = query.error.issues.every(({ path: [name] }) => name === 'vsn')
    throw isVersion
      ? new HttpError(400, 'This version is not known')
      : new HttpError(401, 'A key is needed')
  }
  const { apikey: key, vsn: version } = query.data
  if (!looksLikeToken(key)) {
    if (key.length > MAX_KEY) throw new HttpError(401, 'The key is not valid')
    return { key, version, token: null }
  }
  if (!(await realtime.isToken(key))) throw new HttpError(401, 'The token is not valid')
  return { key, version, token: key }
}

/** Programs send no `Origin`. A page's must be the application's, or an allowed one. */
function isAllowedOrigin({ headers }: FastifyRequest, { publicUrl, origins }: Realtime): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  if (origins.includes(origin)) return true
  try {
    const asked = new URL(origin)
    return asked.origin === new URL(publicUrl).origin || asked.host === host?.toLowerCase()
  } catch {
    return false
  }
}

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
const BroadcastQuery = z.object({ private: z.enum(['true', 'false']).optional() })

/** Broadcasts over HTTP: by other servers with the admin key, and by users. */
function broadcastRoutes(app: FastifyInstance, realtime: Realtime) {
  async function take(request: FastifyRequest, cost: number): Promise<void> {
    const isAllowed = await realtime.isWithin('messages-of-network', networkOf(request.ip), cost)
    if (!isAllowed) throw new HttpError(429, 'Too many messages per second')
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
      await take(request, messageCost(Number(bytes)))
      if (!looksLikeToken(token)) throw new HttpError(401, 'A token or the key is needed')
    },
  }

  async function check(request: FastifyRequest, messages: readonly Message[]): Promise<void> {
    const token = tokenOf(request)
    if (realtime.isAdminKey(token)) return
    if (messages.length > 1) await take(request, messages.length - 1)
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
    const isPrivate = parse(BroadcastQuery, request.query).private === 'true'
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
