import {
  type Outbound,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
} from '../ports/outbound.ts'
import type { Connections, Resolve } from './outbound-connection.ts'
import { isPrivateLiteral } from './public-addresses.ts'

export type OutboundOptions = {
  /** Origins configured by the operator that may be private, without TLS and on any port. */
  allow?: readonly string[]
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
export function createOutbound({ allow = [], resolve }: OutboundOptions): Outbound {
  const allowed = new Set(allow)
  let opening: Promise<Connections> | undefined

  async function open(): Promise<Connections> {
    const { openConnections } = await import('./outbound-connection.ts')
    return openConnections({ allowed, resolve })
  }

  async function send(url: URL, request: OutboundRequest, signal: AbortSignal, left: number) {
    const { method = 'GET', headers = {}, body = null } = request
    opening ??= open()
    const connections = await opening
    const reply = await connections.fetch(url, {
      method,
      headers: { 'user-agent': 'Bancone', ...headers },
      body,
      redirect: 'manual',
      signal,
    })
    const location = reply.headers.get('location')
    if (reply.status < 300 || reply.status >= 400 || location === null) return { reply }
    if (left === 0 || !(method === 'GET' || method === 'HEAD')) {
      const { status } = reply
      throw new OutboundError('status', `a redirect (${status}) that is not followed`, { status })
    }
    await reply.body?.cancel()
    return { next: checkedUrl(location, allowed, url) }
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
      const late = new OutboundError('timeout', `took more than ${request.timeLimitMs} ms`)
      const timer = setTimeout(() => ending.abort(late), request.timeLimitMs)
      const signal = request.signal
        ? AbortSignal.any([ending.signal, request.signal])
        : ending.signal
      let isAnswered = false
      try {
        let url = checkedUrl(address, allowed)
        let sent = request
        for (let left = request.redirects ?? 0; ; left -= 1) {
          const { reply, next } = await send(url, sent, signal, left)
          isAnswered = true
          if (reply) return await answer(reply, request.sizeLimit)
          if (next.origin !== url.origin) sent = { ...sent, headers: safeHeaders(sent.headers) }
          url = next
        }
      } catch (error) {
        const failure = asOutboundError(error, request.signal, isAnswered)
        ending.abort(failure)
        throw failure
      } finally {
        clearTimeout(timer)
      }
    },
    async close() {
      await (await opening)?.close()
    },
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

async function answer(
  reply: Awaited<ReturnType<Connections['fetch']>>,
  sizeLimit: number,
): Promise<OutboundResponse> {
  const tooLarge = () => new OutboundError('too_large', `more than ${sizeLimit} bytes`)
  // Avoids reading a response whose Content-Length is too large. The length of a compressed body says nothing.
  const packed = reply.headers.has('content-encoding')
  if (!packed && Number(reply.headers.get('content-length')) > sizeLimit) throw tooLarge()
  const body: AsyncIterable<Uint8Array> | null = reply.body
  const pieces: Uint8Array[] = []
  let bytes = 0
  if (body) {
    for await (const piece of body) {
      bytes += piece.byteLength
      if (bytes > sizeLimit) throw tooLarge()
      pieces.push(piece)
    }
  }
  return {
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
    body: Buffer.concat(pieces),
  }
}

/** Converts any error into an OutboundError. The message omits the URL, whose path and query may be secret. */
function asOutboundError(
  error: unknown,
  given: AbortSignal | undefined,
  isAnswered: boolean,
): OutboundError {
  if (given?.aborted) return new OutboundError('unreachable', 'given up')
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundError) return cause
  }
  const code = codeOf(error)
  const isUnsent = CONNECTION_ERRORS.has(code)
  return new OutboundError('unreachable', `no answer (${code})`, { isAnswered, isUnsent })
}

/** The errors of a connection that was not made. */
const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}
