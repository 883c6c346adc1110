import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

const HEADER = /^sha256=([0-9a-f]{64})$/i

/** Whether a header has the form of a signature. */
export const isSignature = (header: unknown): boolean =>
  typeof header === 'string' && HEADER.test(header)

/** Whether Meta has signed exactly these bytes. @param header `X-Hub-Signature-256` */
export function isSigned(appSecret: string, body: Uint8Array, header: unknown): boolean {
  const [, hex] = HEADER.exec(typeof header === 'string' ? header : '') ?? []
  if (hex === undefined) return false
  const expected = createHmac('sha256', appSecret).update(body).digest()
  return timingSafeEqual(Buffer.from(hex, 'hex'), expected)
}

/** Whether two texts are equal, in a time that does not depend on where they differ. */
export function isSameSecret(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false
  const hash = (text: string) => createHmac('sha256', 'same secret').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}

const Payload = z.object({ user_id: z.coerce.string().regex(/^\d{1,40}$/) })

/**
 * The user of a `signed_request`: the signature and the payload, both base64url, with a dot between them.
 * @returns undefined when the signature is wrong or the payload unreadable
 */
export function signedUser(appSecret: string, signedRequest: string): string | undefined {
  const [signature = '', payload = '', ...others] = signedRequest.split('.')
  if (others.length > 0 || !/^[\w-]+$/.test(signature) || !/^[\w-]+$/.test(payload))
    return undefined
  const given = Buffer.from(signature, 'base64url')
  const expected = createHmac('sha256', appSecret).update(payload).digest()
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  try {
    const json: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return Payload.safeParse(json).data?.user_id
  } catch {
    return undefined
  }
}
