import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Where IPv6 addresses of the public network begin with: all others are special in some way. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** Where a network without IPv4 writes IPv4 addresses (RFC 6052); its local variant is not for us. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Whether an IP address is one of the public network: not of this machine, of a private network, of a
 * cloud's metadata, nor one that hides such an address in itself. What is no address is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast'
  if (address.match(NAT64)) return isPublicAddress(address.toByteArray().slice(12).join('.'))
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast'
}

/** Whether the host of a URL is an address itself, and not a public one. */
export function isPrivateLiteral(hostname: string): boolean {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(literal) !== 0 && !isPublicAddress(literal)
}
