import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Clock } from '../../../ports/clock.ts'
import { hasEnded, lastStep } from './order-images.rules.ts'

/** Order (8 bytes), end (4 bytes) and signature (16 bytes), in base64url. */
const TOKEN = /^[\w-]{38}$/
const SIGNED = 12
const SIGNATURE = 16

export type ImageLinks = ReturnType<typeof createImageLinks>

/**
 * Addresses of copied pictures: they open in a tab of their own, which has no session to show. Whoever
 * has one sees that picture, for eighteen hours at most.
 */
export function createImageLinks(secrets: Secrets, clock: Clock) {
  const key = secrets.key('order images')
  const sign = (signed: Uint8Array) =>
    createHmac('sha256', key).update(signed).digest().subarray(0, SIGNATURE)

  return {
    /** The path of an order's picture on this server. */
    path(orderId: string): string {
      const signed = Buffer.alloc(SIGNED)
      signed.writeBigUInt64BE(BigInt(orderId))
      signed.writeUInt32BE(lastStep(clock.now()), 8)
      return `/api/order-images/${Buffer.concat([signed, sign(signed)]).toString('base64url')}`
    },

    /** The order of an address that we made and that has not ended. */
    read(token: string): string | undefined {
      if (!TOKEN.test(token)) return undefined
      const bytes = Buffer.from(token, 'base64url')
      const signed = bytes.subarray(0, SIGNED)
      if (!timingSafeEqual(sign(signed), bytes.subarray(SIGNED))) return undefined
      if (hasEnded(signed.readUInt32BE(8), clock.now())) return undefined
      return String(signed.readBigUInt64BE())
    },
  }
}
