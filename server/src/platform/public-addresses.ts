import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The range of global unicast IPv6 addresses; all others have special purposes. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** IPv4 addresses embedded by NAT64 (RFC 6052, the well-known prefix). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Whether an IP address is public: not loopback, private, link-local (such as a cloud's metadata service), and without
 * such an address embedded in it. Returns false for a text that is not an IP address.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast'
  if (address.match(NAT64)) return isPublicAddress(address.toByteArray().slice(12).join('.'))
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast'
}

/** Whether the host of a URL is a literal IP address that is not public. */
export function isPrivateLiteral(hostname: string): boolean {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(literal) !== 0 && !isPublicAddress(literal)
}
