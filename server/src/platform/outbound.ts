import type { IncomingMessage } from 'node:http'
import {
  type Outbound,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
} from '../ports/outbound.ts'
import { bodyOf, CONNECT_TIMEOUT, openConnections, type Resolve } from './outbound-connection.ts'
import { isPrivateLiteral } from './public-addresses.ts'

export type OutboundOptions = {
  /** Origins configured by the operator that may be private, without TLS and on any port. */
  allow?: readonly string[]
  /** How many connections an origin may have at once; few by default, because the servers are untrusted. */
  connections?: number
  /** Resolves host names; the system's resolver by default, replaced in tests. */
  resolve?: Resolve
}

/** The request headers that are kept on a redirect to another origin. */
const SAFE_HEADERS = new Set(['accept', 'user-agent'])

/**
 * The HTTP client for URLs that come from data, such as order pictures and push services (a protection against SSRF).
 * Only public addresses over https are allowed, except for the origins of `allow`. A host name is resolved once, all its
 * addresses must be public, and the connection goes to one of them. Redirects are checked in the same way. Proxies from
 * the environment are not used.
 */
export function createOutbound({ allow = [], ...options }: OutboundOptions): Outbound {
  const allowed = new Set(allow)
  const connections = openConnections({ allowed, ...options })

  async function send(url: URL, request: OutboundRequest, signal: AbortSignal, left: number) {
    const { method = 'GET', headers = {}, body = null } = request
    const reply = await connections.send(url, {
      method,
      headers: { 'user-agent': 'Bancone', ...headers },
      body,
      signal,
    })
    const { statusCode: status = 0, headers: received } = reply
    if (status < 300 || status >= 400 || received.location === undefined) return { reply }
    reply.destroy()
    if (left === 0 || !(method === 'GET' || method === 'HEAD')) {
      throw new OutboundError('status', `a redirect (${status}) that is not followed`, { status })
    }
    return { next: checkedUrl(received.location, allowed, url) }
  }

  return {
    allows(address) {
      try {
        const { origin, hostname } = checkedUrl(address, allowed)
        return allowed.has(origin) || !isPrivateLiteral(hostname)
      } catch {
        return false
      }
    },
    async fetch(address, request) {
      // Also aborts a response in progress when something else has failed.
      const ending = new AbortController()
      let status: number | undefined
      const late = () =>
        new OutboundError('timeout', `took more than ${request.timeLimitMs} ms`, { status })
      const timer = setTimeout(() => ending.abort(late()), request.timeLimitMs)
      const signal = request.signal
        ? AbortSignal.any([ending.signal, request.signal])
        : ending.signal
      try {
        let url = checkedUrl(address, allowed)
        let sent = request
        for (let left = request.redirects ?? 0; ; left -= 1) {
          const { reply, next } = await send(url, sent, signal, left)
          status = reply?.statusCode
          if (reply) return await answer(reply, request.sizeLimit)
          if (next.origin !== url.origin) sent = { ...sent, headers: safeHeaders(sent.headers) }
          url = next
        }
      } catch (error) {
        const cause: unknown = ending.signal.aborted ? ending.signal.reason : error
        const failure = asOutboundError(cause, request.signal, status)
        ending.abort(failure)
        throw failure
      } finally {
        clearTimeout(timer)
      }
    },
    close: connections.close,
  }
}

function safeHeaders(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => SAFE_HEADERS.has(name.toLowerCase())),
  )
}

/** Checks the parsed URL: parsing turns `0x7f.1` and `2130706433` into 127.0.0.1, which the connection refuses. */
function checkedUrl(text: string, allowed: ReadonlySet<string>, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new OutboundError('forbidden', 'not an address')
  const url = new URL(text, base)
  if (url.username || url.password) throw new OutboundError('forbidden', 'credentials in it')
  // A `blob:` URL has the origin of its content.
  if (url.protocol.startsWith('http') && allowed.has(url.origin)) return url
  if (url.protocol !== 'https:') throw new OutboundError('forbidden', 'not https')
  if (url.port !== '') throw new OutboundError('forbidden', 'a port of its own')
  return url
}

async function answer(reply: IncomingMessage, sizeLimit: number): Promise<OutboundResponse> {
  const { statusCode: status = 0, headers } = reply
  const tooLarge = () => new OutboundError('too_large', `more than ${sizeLimit} bytes`, { status })
  // Avoids reading a response whose Content-Length is too large. The length of a compressed body says nothing.
  const packed = headers['content-encoding'] !== undefined
  if (!packed && Number(headers['content-length']) > sizeLimit) throw tooLarge()
  const body: AsyncIterable<Uint8Array> = bodyOf(reply)
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.byteLength
    if (bytes > sizeLimit) throw tooLarge()
    pieces.push(piece)
  }
  const texts: Record<string, string> = {}
  for (const [name, values = []] of Object.entries(reply.headersDistinct))
    texts[name] = values.join(', ')
  return { status, headers: texts, body: Buffer.concat(pieces) }
}

/** Converts any error into an OutboundError. The message omits the URL, whose path and query may be secret. */
function asOutboundError(
  error: unknown,
  given: AbortSignal | undefined,
  status: number | undefined,
): OutboundError {
  if (given?.aborted) return new OutboundError('unreachable', 'given up')
  if (error instanceof OutboundError) return error
  const code = codeOf(error)
  const isUnsent = CONNECTION_ERRORS.has(code)
  return new OutboundError('unreachable', `no answer (${code})`, { status, isUnsent })
}

/** The errors of a connection that was not made. */
const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  CONNECT_TIMEOUT,
])

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  return 'code' in error ? String(error.code) : error.name
}
