import { z } from 'zod'

/** A URL with one of these protocols. */
export function url(protocols: readonly string[], message: string) {
  return z.string().refine((value) => {
    const parsed = safeUrl(value)
    return parsed !== null && protocols.includes(parsed.protocol)
  }, message)
}

function safeUrl(value: string): URL | null {
  try {
    return new URL(value)
  } catch {
    return null
  }
}

/** Whether the user name and the password in a URL can be decoded. */
export function hasReadableLogin(value: string): boolean {
  const parsed = safeUrl(value)
  try {
    decodeURIComponent(`${parsed?.username}${parsed?.password}`)
    return true
  } catch {
    return false
  }
}

/** Fastify's `trustProxy`: `0` or `false`, the number of proxies, or their addresses. */
export const TrustProxy = z.string().transform((value, context): boolean | number | string[] => {
  if (/^(0|false)$/i.test(value)) return false
  if (/^\d{1,2}$/.test(value)) return Number(value)
  const addresses = value.split(',').map((address) => address.trim())
  if (addresses.every((address) => /^[0-9a-f.:]+(\/\d{1,3})?$/i.test(address))) return addresses
  context.addIssue({ code: 'custom', message: 'must be a number of proxies or their addresses' })
  return z.NEVER
})

/** A comma-separated list of origins, such as `https://app.example.it`. */
export const Origins = z.string().transform((value, context): string[] => {
  const origins = value.split(',').map((origin) => origin.trim())
  if (origins.every((origin) => isOrigin(origin))) return origins
  context.addIssue({
    code: 'custom',
    message: 'must be origins like https://app.example.it, with commas between them',
  })
  return z.NEVER
})

function isOrigin(text: string): boolean {
  const parsed = safeUrl(text)
  const wild = text.includes('*')
  return parsed !== null && !wild && /^https?:$/.test(parsed.protocol) && parsed.origin === text
}

export const Flag = z.enum(['0', '1'], 'must be 0 or 1')

/** Whether the responses from an address are authentic. */
export function isTrusted(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1'
}

/** Whether only programs on this machine can reach an address of the server. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** The server's URL for a browser on this machine. */
export function localAddress(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
