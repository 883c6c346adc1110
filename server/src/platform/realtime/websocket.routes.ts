import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import { networkOf } from '../rate-limits.ts'
import { looksLikeToken } from './access.ts'
import { Version } from './frames.ts'
import type { Realtime } from './realtime.service.ts'
import { Refused } from './refused.ts'

type Upgrade = { socket: Socket; head: Buffer; response: ServerResponse }

/** An absent version is the oldest. */
const Query = z.object({
  apikey: z.string().regex(/^[!-~]{1,8000}$/),
  vsn: Version.default('1.0.0'),
})

/** A key that is no token opens nothing: a long one is a mistake. */
const MOST_KEY = 200

/** `GET /websocket`: an ordinary request, with all that guards those, until the socket is handed over. */
export function websocketRoute(app: FastifyInstance, realtime: Realtime) {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  const path = `${app.prefix}/websocket`
  const handshakes = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Frames are small, and what compresses costs 300 kB a socket.
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
      // An answer to what was asked before is still under way on it: no client of ours does not wait.
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
    // What else a client would like to speak it need not: it is answered as if it had not asked.
    app.routing(request, response)
  })

  app.get('/websocket', async (request, reply) => {
    const upgrade = upgrades.get(request.raw)
    if (!upgrade) throw new Refused(426, 'This is for web sockets')
    const network = networkOf(request.ip)
    if (!isOwnPage(request, realtime)) throw new Refused(403, 'This origin is not allowed')
    if (!realtime.hasRoom(network)) throw new Refused(429, 'Too many connections')
    const { key, version, token } = await admit(request, realtime)
    if (!realtime.hasRoom(network)) throw new Refused(429, 'Too many connections')

    reply.hijack()
    const { socket, head, response } = upgrade
    // Its end is not the end of a request that took hours.
    response.detachSocket(socket)
    handshakes.handleUpgrade(request.raw, socket, head, (opened) =>
      realtime.connect({ socket: opened, version, key, token, network }),
    )
    return reply
  })

  app.addHook('preClose', realtime.closeSockets)
}

async function admit(request: FastifyRequest, realtime: Realtime) {
  const query = Query.safeParse(request.query)
  if (!query.success) {
    const isVersion = query.error.issues.every(({ path: [name] }) => name === 'vsn')
    throw isVersion
      ? new Refused(400, 'This version is not known')
      : new Refused(401, 'A key is needed')
  }
  const { apikey: key, vsn: version } = query.data
  if (!looksLikeToken(key)) {
    if (key.length > MOST_KEY) throw new Refused(401, 'The key is not valid')
    return { key, version, token: null }
  }
  if (!(await realtime.isToken(key))) throw new Refused(401, 'The token is not valid')
  return { key, version, token: key }
}

/** Programs name no origin; a page's is our own, or one of those that may. */
function isOwnPage({ headers }: FastifyRequest, { publicUrl, origins }: Realtime): boolean {
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
