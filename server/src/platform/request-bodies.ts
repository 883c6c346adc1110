import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import secureJson from 'secure-json-parse'
import { networkOf } from './rate-limits.ts'

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

type BodyTimeouts = {
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

function hasBody({ headers }: IncomingMessage): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0
}

function tooSlow(): Error {
  return Object.assign(new Error('the body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
}

/** How many bytes are read and discarded after the response, and for how many milliseconds. */
const DRAINED = { bytes: 64 * 1024 * 1024, ms: 10_000 }

/**
 * Reads and discards the rest of a request body, within limits, and then closes the connection. Many clients read the
 * response only after they have sent the body; if the connection were closed earlier, they would not get it.
 */
export function drainBody(body: IncomingMessage): void {
  if (body.readableEnded) return
  // This closes the connection too.
  const end = () => void body.destroy()
  const timer = setTimeout(end, DRAINED.ms)
  let bytes = 0
  body.on('data', (piece: Uint8Array) => {
    bytes += piece.byteLength
    if (bytes > DRAINED.bytes) end()
  })
  for (const over of ['end', 'close']) body.once(over, () => clearTimeout(timer))
  body.resume()
}

/** Bytes held at the same time: of all networks, and of one. The largest body without a session is a webhook of 3 MB. */
const MAX_BYTES = { ofAll: 32 * 1024 * 1024, ofNetwork: 4 * 1024 * 1024 }

const REFUSAL =
  'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Bounds the memory that bodies of strangers take together. A body that does not fit is refused at once, and its
 * connection is closed. What has arrived is counted, not what was announced, so that announcing takes no room.
 *
 * @param isAuthenticated whether access was granted before the body is read; such bodies are not counted
 */
export function limitPublicBodies(
  app: FastifyInstance,
  isAuthenticated: (request: FastifyRequest) => boolean,
  max = MAX_BYTES,
): void {
  let ofAll = 0
  const ofNetworks = new Map<string, number>()

  function add(network: string, bytes: number) {
    ofAll += bytes
    const held = (ofNetworks.get(network) ?? 0) + bytes
    if (held === 0) ofNetworks.delete(network)
    else ofNetworks.set(network, held)
  }

  const fits = (network: string, bytes: number) =>
    ofAll + bytes <= max.ofAll && (ofNetworks.get(network) ?? 0) + bytes <= max.ofNetwork

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw, routeOptions } = request
    // Files are streamed to the disk, after access has been checked.
    const isFile = routeOptions.config.bodyTimeoutMs !== undefined
    if (!hasBody(raw) || isFile || isAuthenticated(request)) return done()
    const network = networkOf(request.ip)
    const refuse = () => {
      raw.socket.write(REFUSAL)
      raw.socket.destroySoon()
    }
    const announced = Number(raw.headers['content-length'] ?? 0)
    // Fastify refuses what is too large for the route.
    if (announced <= routeOptions.bodyLimit && !fits(network, announced)) refuse()
    let held = 0
    const count = ({ byteLength }: Uint8Array) => {
      if (!fits(network, byteLength)) {
        raw.off('data', count)
        return refuse()
      }
      held += byteLength
      add(network, byteLength)
    }
    raw.on('data', count)
    // After the response, or when the client has disconnected.
    reply.raw.once('close', () => {
      raw.off('data', count)
      add(network, -held)
    })
    done()
  })
}

/** Bytes of a JSON body, unless the route allows more. */
export const MAX_JSON_BYTES = 16 * 1024

/** Levels of nested arrays and objects in a JSON body. */
const MAX_JSON_DEPTH = 64

/**
 * Parses a JSON text from outside. Texts that nest too deeply are refused before they are parsed, because both parsing
 * and validation of them are slow, and recursive code would overflow the stack. So are keys that change prototypes.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  if (nestsTooDeeply(text)) throw new SyntaxError('JSON nests too deeply')
  return secureJson.parse(text)
}

/** Whether brackets outside strings are nested deeper than allowed. Stops at the first that is. */
function nestsTooDeeply(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (isInString) {
      if (char === '\\') at += 1
      else if (char === '"') isInString = false
    } else if (char === '"') isInString = true
    else if (char === '[' || char === '{') {
      depth += 1
      if (depth > MAX_JSON_DEPTH) return true
    } else if (char === ']' || char === '}') depth -= 1
  }
  return false
}

/**
 * Parses bodies of `application/json` with `parseJson`.
 *
 * @param onInvalid creates the error of a body that is not JSON
 * @param empty what an empty body means; undefined for a body that is not JSON
 * @param repair changes the text before it is parsed
 */
export function acceptJson(
  app: FastifyInstance,
  {
    onInvalid,
    empty,
    repair = (text) => text,
  }: {
    onInvalid: (cause: unknown) => Error
    empty?: unknown
    repair?: (text: string) => string
  },
): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body)
    try {
      done(null, text === '' && empty !== undefined ? empty : parseJson(repair(text)))
    } catch (error) {
      done(onInvalid(error))
    }
  })
}
