import { createHmac } from 'node:crypto'
import ipaddr from 'ipaddr.js'

/** 132 bits: collisions among the visitors of a day are ruled out. */
const LENGTH = 22

/**
 * Pseudonym of a visitor, instead of an IP address. Without the salt it can neither be traced to the visitor nor be
 * linked with their other pseudonyms; the salt is deleted after its day.
 */
export function visitorHash(salt: Buffer, ...parts: string[]): string {
  // JSON, so that different lists never give the same text.
  const text = JSON.stringify(parts)
  return createHmac('sha256', salt).update(text).digest('base64url').slice(0, LENGTH)
}

/** The network of an address without what leads to a household: the first 24 bits of IPv4, 48 of IPv6. */
export function visitorNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return ''
  const parsed = ipaddr.process(address)
  const bytes = parsed.toByteArray().slice(0, parsed.kind() === 'ipv4' ? 3 : 6)
  return bytes.join('.')
}
