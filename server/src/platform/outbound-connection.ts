import { lookup } from 'node:dns/promises'
import { isIPv6, type LookupFunction } from 'node:net'
import { Agent, buildConnector, fetch } from 'undici'
import { OutboundError } from '../ports/outbound.ts'
import { isPrivateLiteral, isPublicAddress } from './public-addresses.ts'

/** The IP addresses of a name, in the order in which they are tried. */
export type Resolve = (name: string) => Promise<{ address: string; family: number }[]>

const resolveName: Resolve = (name) => lookup(name, { all: true })

/** Milliseconds for the name, the connection and TLS. */
const CONNECT_MS = 10_000

type Options = {
  allowed: ReadonlySet<string>
  /** Finds the addresses of a name; the system's way unless a test has another. */
  resolve?: Resolve | undefined
}

export type Connections = ReturnType<typeof openConnections>

/** What requests leave by. Loaded with the first of them: most servers send none for a long time. */
export function openConnections(options: Options) {
  const dispatcher = new Agent({
    connect: connectorTo(options),
    // Answers come from strangers: none may take many connections, or keep one for long.
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
 * Connects to public addresses alone, but for the allowed origins. The check is where the name is
 * resolved for the connection, so that between the two nothing can change (DNS rebinding); and once
 * more on what the connection then is of, whichever way it came to be.
 */
function connectorTo({ allowed, resolve = resolveName }: Options): buildConnector.connector {
  const anywhere = buildConnector({ timeout: CONNECT_MS })
  const guarded = buildConnector({ timeout: CONNECT_MS, lookup: publicLookup(resolve) })

  return (options, callback) => {
    const { protocol, hostname, port } = options
    // It gives an address of IPv6 without its brackets.
    const host = isIPv6(hostname) ? `[${hostname}]` : hostname
    const { origin } = new URL(`${protocol}//${host}${port ? `:${port}` : ''}`)
    if (allowed.has(origin)) return anywhere(options, callback)
    // Node does not look up what is an address already.
    if (isPrivateLiteral(hostname)) return callback(notPublic(), null)
    return guarded(options, (...result) => {
      const [error, socket] = result
      if (error || isPublicAddress(socket.remoteAddress ?? '')) return callback(...result)
      // None when it has ended already.
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
        // All of them: one private address among public ones is somebody's trick, or a mistake.
        if (!first || !found.every(({ address }) => isPublicAddress(address))) throw notPublic()
        return options.all ? callback(null, found) : callback(null, first.address, first.family)
      })
      .catch((error: Error) => callback(error, []))
  }
}

function notPublic(): OutboundError {
  return new OutboundError('forbidden', 'not a public address')
}
