import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import { networkOf } from '../rate-limits.ts'
import { looksLikeToken } from './access.ts'
import { Version } from './frames.ts'
import { HttpError } from './http-error.ts'
import type { Realtime } from './realtime.service.ts'

type Upgrade = { socket: Socket; head: Buffer; response: ServerResponse }

/** An absent `vsn` is the oldest version. */
const Query = z.object({
  apikey: z.string().regex(/^[!-~]{1,8000}$/),
  vsn: Version.default('1.0.0'),
})

/** The maximum length of a key that is no token. Such a key grants no access. */
const MAX_KEY = 200

/** `GET /websocket`: handled as an ordinary request, with all hooks, until the socket is handed over. */
export function websocketRoute(app: FastifyInstance, realtime: Realtime) {
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
  const query = Query.safeParse(request.query)
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
