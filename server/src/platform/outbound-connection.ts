import { lookup } from 'node:dns/promises'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { OutboundError } from './outbound-error.ts'
import { isPublicAddress } from './public-addresses.ts'

/** The IP addresses of a name, in the order in which they are tried. */
export type Resolve = (name: string) => Promise<{ address: string; family: number }[]>

export const resolveName: Resolve = (name) => lookup(name, { all: true })

/** Milliseconds for the name, the connection and TLS. */
const CONNECT_MS = 10_000

type Options = { allowed: ReadonlySet<string>; resolve: Resolve }

/**
 * Connects to public addresses alone, but for the allowed origins. The check is where the name is
 * resolved for the connection, so that between the two nothing can change (DNS rebinding); and once
 * more on what the connection then is of, whichever way it came to be.
 */
export function connectorTo({ allowed, resolve }: Options): buildConnector.connector {
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

/** Whether the host of a URL is an address itself, and not a public one. */
export function isPrivateLiteral(hostname: string): boolean {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(literal) !== 0 && !isPublicAddress(literal)
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
