import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Time limit for a request body that is a file, in milliseconds. */
    bodyTimeoutMs?: number
  }
}

/** Time limit for uploads, in milliseconds: enough for 5 MB over a slow mobile connection. */
export const FILE_BODY_TIMEOUT_MS = 5 * 60_000

/** The largest `bodyTimeoutMs` of any route, in milliseconds. */
export const MAX_BODY_TIMEOUT_MS = 15 * 60_000

export type BodyTimeouts = {
  /** Time limit for request bodies, in milliseconds, unless the route sets another one. */
  defaultMs: number
  /** The minimum rate of an upload: `minBytes` in every `ms` milliseconds. */
  window: { ms: number; minBytes: number }
}

const defaults: BodyTimeouts = { defaultMs: 30_000, window: { ms: 30_000, minBytes: 32 * 1024 } }

/**
 * Ends requests whose bodies arrive too slowly. Node's `requestTimeout` is the same for all requests and must be long
 * enough for uploads, so alone it would let slow clients hold connections just as long.
 */
export function enforceBodyTimeout(app: FastifyInstance, { defaultMs, window } = defaults) {
  app.addHook('onRequest', (request, reply, done) => {
    done()
    const { raw } = request
    if (!hasBody(raw)) return
    const end = () => {
      // A response that has begun cannot be replaced.
      if (reply.raw.headersSent) raw.destroy()
      // The same event as after Node's own `requestTimeout`.
      else app.server.emit('clientError', tooSlow(), raw.socket)
    }
    const { bodyTimeoutMs } = request.routeOptions.config
    const timers = [setTimeout(end, bodyTimeoutMs ?? defaultMs)]
    if (bodyTimeoutMs !== undefined) {
      let before = raw.socket.bytesRead
      const look = () => {
        if (raw.socket.bytesRead - before < window.minBytes) return end()
        before = raw.socket.bytesRead
      }
      timers.push(setInterval(look, window.ms))
    }
    const clear = () => {
      for (const timer of timers) clearTimeout(timer)
    }
    // 'close' as well, since a response may be sent before the body ends.
    for (const over of ['end', 'close']) raw.once(over, clear)
  })
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0
}

function tooSlow(): Error {
  return Object.assign(new Error('the body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}
