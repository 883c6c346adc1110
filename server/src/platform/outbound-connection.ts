import { lookup } from 'node:dns/promises'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import { OutboundError } from '../ports/outbound.ts'
import { isPrivateLiteral, isPublicAddress } from './public-addresses.ts'

/** Resolves a host name to IP addresses, in the order in which they are tried. */
export type Resolve = (name: string) => Promise<{ address: string; family: number }[]>

const resolveName: Resolve = (name) => lookup(name, { all: true })

/** Time limit for DNS, TCP and TLS together, in milliseconds. */
const CONNECT_MS = 10_000
export const CONNECT_TIMEOUT = 'ERR_CONNECT_TIMEOUT'

/** The servers are untrusted: none may use many connections, keep one open for long or send long headers. */
const MAX_CONNECTIONS = 8
const IDLE_MS = 4_000
const MAX_HEADER_BYTES = 16 * 1024

type Options = {
  allowed: ReadonlySet<string>
  /** How many connections an origin may have at once. */
  connections?: number | undefined
  /** Resolves host names; the system's resolver by default, replaced in tests. */
  resolve?: Resolve | undefined
}

type Sent = {
  method: string
  headers: Record<string, string>
  body: Uint8Array | null
  signal: AbortSignal
}

/**
 * The connections for outbound requests. They lead only to public addresses, except for the allowed origins. The check is
 * part of the name resolution for the connection, so that the name cannot resolve differently afterwards (DNS rebinding).
 * The remote address of the established connection is checked as well.
 */
export function openConnections(options: Options) {
  const { allowed, connections: maxSockets = MAX_CONNECTIONS, resolve = resolveName } = options
  const kept = { keepAlive: true, maxSockets, timeout: IDLE_MS }
  const agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) }
  const publicAddresses = publicLookup(resolve)

  return {
    /** Sends a request, and resolves with the beginning of the response. */
    send(url: URL, { method, headers, body, signal }: Sent): Promise<IncomingMessage> {
      const isAllowed = allowed.has(url.origin)
      return new Promise((answer, fail) => {
        signal.throwIfAborted()
        // Node does not call `lookup` for IP addresses.
        if (!isAllowed && isPrivateLiteral(url.hostname)) throw notPublic()
        const isSecure = url.protocol === 'https:'
        const request = (isSecure ? https : http).request(url, {
          method,
          headers: { 'accept-encoding': 'gzip', ...headers },
          agent: isSecure ? agents['https:'] : agents['http:'],
          maxHeaderSize: MAX_HEADER_BYTES,
          signal,
          ...(isAllowed ? {} : { lookup: publicAddresses }),
        })
        request.on('socket', (socket) => {
          if (!socket.connecting) return
          limitConnecting(socket, isSecure ? 'secureConnect' : 'connect')
          socket.once('connect', () => {
            const { remoteAddress } = socket
            if (isAllowed || isPublicAddress(remoteAddress ?? '')) return
            // There is no remote address if the connection has already ended.
            socket.destroy(remoteAddress === undefined ? noResponse() : notPublic())
          })
        })
        // Node does not tell a request that waits for a connection.
        const giveUp = () => fail(noResponse())
        signal.addEventListener('abort', giveUp, { once: true })
        request.on('error', fail).on('response', answer)
        request.on('close', () => {
          signal.removeEventListener('abort', giveUp)
          // Nothing else tells of a response that switches to another protocol.
          fail(noResponse())
        })
        request.end(body)
      })
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** @param done the event after which the connection is made */
function limitConnecting(socket: Socket, done: 'connect' | 'secureConnect') {
  const giveUp = () => socket.destroy(coded('no connection in time', CONNECT_TIMEOUT))
  const timer = setTimeout(giveUp, CONNECT_MS)
  for (const event of [done, 'close']) socket.once(event, () => clearTimeout(timer))
}

/** The body of a response, decompressed. Only gzip is asked for. */
export function bodyOf(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase()
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return response
  // Also a response without a body, such as one to HEAD, may say that it is compressed.
  const decoder = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
  // Its errors are those of the decoder, which the reader sees.
  return pipeline(response, decoder, () => {})
}

function publicLookup(resolve: Resolve): LookupFunction {
  return (name, options, callback) => {
    resolve(name)
      .then((found) => {
        const [first] = found
        // All addresses must be public: a private one among them is an attack or a mistake.
        if (!first || !found.every(({ address }) => isPublicAddress(address))) throw notPublic()
        return options.all ? callback(null, found) : callback(null, first.address, first.family)
      })
      .catch((error: Error) => callback(error, []))
  }
}

function notPublic(): OutboundError {
  return new OutboundError('forbidden', 'not a public address')
}

const noResponse = () => coded('no response', 'ECONNRESET')

function coded(message: string, code: string): Error {
  return Object.assign(new Error(message), { code })
}
