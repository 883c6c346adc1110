import { lookup } from 'node:dns/promises'
import { isIPv6, type LookupFunction } from 'node:net'
import { Agent, buildConnector, fetch } from 'undici'
import { OutboundError } from '../ports/outbound.ts'
import { isPrivateLiteral, isPublicAddress } from './public-addresses.ts'

/** Resolves a host name to IP addresses, in the order in which they are tried. */
export type Resolve = (name: string) => Promise<{ address: string; family: number }[]>

const resolveName: Resolve = (name) => lookup(name, { all: true })

/** Time limit for DNS, TCP and TLS together, in milliseconds. */
const CONNECT_MS = 10_000

type Options = {
  allowed: ReadonlySet<string>
  /** Resolves host names; the system's resolver by default, replaced in tests. */
  resolve?: Resolve | undefined
}

export type Connections = ReturnType<typeof openConnections>

/** The connections for outbound requests. The module is loaded with the first request, since many servers send none. */
export function openConnections(options: Options) {
  const dispatcher = new Agent({
    connect: connectorTo(options),
    // The servers are untrusted: none may use many connections or keep one open for long.
    connections: 8,
    keepAliveTimeout: 4_000,
    maxHeaderSize: 16 * 1024,
  })
  return {
    fetch: (url: URL, init: NonNullable<Parameters<typeof fetch>[1]>) =>
      fetch(url, { ...init, dispatcher }),
    close: () => dispatcher.destroy(),
  }
}

/**
 * Connects only to public addresses, except for the allowed origins. The check is part of the name resolution for the
 * connection, so that the name cannot resolve differently afterwards (DNS rebinding). The remote address of the
 * established connection is checked as well.
 */
function connectorTo({ allowed, resolve = resolveName }: Options): buildConnector.connector {
  const anywhere = buildConnector({ timeout: CONNECT_MS })
  const guarded = buildConnector({ timeout: CONNECT_MS, lookup: publicLookup(resolve) })

  return (options, callback) => {
    const { protocol, hostname, port } = options
    // undici passes IPv6 addresses without brackets.
    const host = isIPv6(hostname) ? `[${hostname}]` : hostname
    const { origin } = new URL(`${protocol}//${host}${port ? `:${port}` : ''}`)
    if (allowed.has(origin)) return anywhere(options, callback)
    // Node does not call `lookup` for IP addresses.
    if (isPrivateLiteral(hostname)) return callback(notPublic(), null)
    return guarded(options, (...result) => {
      const [error, socket] = result
      if (error || isPublicAddress(socket.remoteAddress ?? '')) return callback(...result)
      // There is no remote address if the connection has already ended.
      const reason = socket.remoteAddress ? notPublic() : new Error('the connection ended')
      socket.destroy()
      callback(reason, null)
    })
  }
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
