import { createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import { Refusal } from './refusal.ts'

const Header = z.object({ typ: z.literal('JWT'), alg: z.literal('ES256') })
const Claims = z.object({
  aud: z.string(),
  exp: z.number(),
  sub: z.string().regex(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/),
})

export type VapidSender = {
  /** The application server's public key, base64url. */
  key: string
  subject: string
}

/**
 * Authenticates the sender (RFC 8292): `vapid t=<token>, k=<key>`, the token signed with that key, for this
 * service and valid for a day at most.
 *
 * @throws Refusal 401
 */
export function checkVapid(
  authorization: string | undefined,
  origin: string,
  now: number,
): VapidSender {
  const [, token = '', key = ''] =
    /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  if (token === '') throw new Refusal(401, 'no VAPID authorization')
  if (!Header.safeParse(json(header)).success) throw new Refusal(401, 'not an ES256 token')
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65 || point[0] !== 4) throw new Refusal(401, 'k is not a key of P-256')
  if (!isSignedBy(point, `${header}.${claims}`, signature))
    throw new Refusal(401, 'not signed by k')
  const said = Claims.safeParse(json(claims))
  if (!said.success) throw new Refusal(401, 'aud, exp or sub are missing or wrong')
  const { aud, exp, sub } = said.data
  if (aud !== origin) throw new Refusal(401, 'for another push service')
  const seconds = exp - now / 1000
  if (seconds <= 0 || seconds > 24 * 3600) throw new Refusal(401, 'expired, or for more than a day')
  return { key, subject: sub }
}

function isSignedBy(point: Buffer, text: string, signature: string): boolean {
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  try {
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const how = { key, dsaEncoding: 'ieee-p1363' } as const
    return verify('sha256', Buffer.from(text), how, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

function json(part: string): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return value
  } catch {
    return undefined
  }
}
