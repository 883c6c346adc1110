import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Milliseconds in which the whole body must have come, where that is a file. */
    bodyTimeMs?: number
  }
}

/** Milliseconds in which the body of a file must have come: 5 MB from a phone on a slow line. */
export const FILE_BODY_MS = 5 * 60_000

/** The longest that any body may take; a route may say so much and no more. */
export const LONGEST_BODY_MS = 15 * 60_000

export type BodyTime = {
  /** Milliseconds in which a body must have come, unless its route says otherwise. */
  usualMs: number
  /** A file must come at so many bytes in so many milliseconds at least. */
  window: { ms: number; leastBytes: number }
}

const usual: BodyTime = { usualMs: 30_000, window: { ms: 30_000, leastBytes: 32 * 1024 } }

/**
 * Ends requests whose bodies come too slowly. The server's own limit is for all of them alike, and so must be
 * long enough for a file: what holds a connection with a byte now and then would hold it as long.
 */
export function limitBodyTime(app: FastifyInstance, { usualMs, window } = usual) {
  app.addHook('onRequest', (request, reply, done) => {
    done()
    const { raw } = request
    if (!hasBody(raw)) return
    const end = () => {
      // What has begun to be answered cannot be answered otherwise.
      if (reply.raw.headersSent) raw.destroy()
      // As Node does by itself after the limit of the server.
      else app.server.emit('clientError', tooSlow(), raw.socket)
    }
    const { bodyTimeMs } = request.routeOptions.config
    const timers = [setTimeout(end, bodyTimeMs ?? usualMs)]
    if (bodyTimeMs !== undefined) {
      let before = raw.socket.bytesRead
      const look = () => {
        if (raw.socket.bytesRead - before < window.leastBytes) return end()
        before = raw.socket.bytesRead
      }
      timers.push(setInterval(look, window.ms))
    }
    const clear = () => {
      for (const timer of timers) clearTimeout(timer)
    }
    // Also when its end is not waited for with the answer.
    for (const over of ['end', 'close']) raw.once(over, clear)
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0
}

function tooSlow(): Error {
  return Object.assign(new Error('the body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}
