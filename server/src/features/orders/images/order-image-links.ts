import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Clock } from '../../../ports/clock.ts'
import { expiryStep, isExpired } from './order-images.rules.ts'

/** Order id (8 bytes), expiry (4 bytes) and signature (16 bytes), in base64url. */
const TOKEN = /^[\w-]{38}$/
const SIGNED = 12
const SIGNATURE = 16

export type ImageLinks = ReturnType<typeof createImageLinks>

/**
 * Signed URLs of attachments. They open in a new tab, which cannot send the session's token. A token grants access to the
 * attachments of one order for at most eighteen hours.
 */
export function createImageLinks(secrets: Secrets, clock: Clock) {
  const key = secrets.key('order images')
  const sign = (signed: Uint8Array) =>
    createHmac('sha256', key).update(signed).digest().subarray(0, SIGNATURE)

  return {
    /** The URL path of an order's attachment. @param place counted from 1 */
    path(orderId: string, place = 1): string {
      const signed = Buffer.alloc(SIGNED)
      signed.writeBigUInt64BE(BigInt(orderId))
      signed.writeUInt32BE(expiryStep(clock.now()), 8)
      const token = Buffer.concat([signed, sign(signed)]).toString('base64url')
      return `/api/order-images/${token}${place > 1 ? `/${place}` : ''}`
    },

    /** Changes when the paths do: each is the same for six hours. */
    period: () => expiryStep(clock.now()),

    /** The order id of a valid, unexpired token. */
    read(token: string): string | undefined {
      if (!TOKEN.test(token)) return undefined
      const bytes = Buffer.from(token, 'base64url')
      const signed = bytes.subarray(0, SIGNED)
      if (!timingSafeEqual(sign(signed), bytes.subarray(SIGNED))) return undefined
      if (isExpired(signed.readUInt32BE(8), clock.now())) return undefined
      return String(signed.readBigUInt64BE())
    },
  }
}
