import { ECDH } from 'node:crypto'
import type { PushMessage, PushSubscription } from '@bancone/contract/notifications'
import type { Outbound, OutboundResponse } from '../../ports/outbound.ts'
import { OutboundError } from '../../ports/outbound.ts'
import { type Outcome, outcomeOf } from './notifications.rules.ts'
import { type PushKeys, webPush } from './push-keys.store.ts'

/** Timeout of a push service in milliseconds, and maximum bytes of its answer. */
const TIME_LIMIT_MS = 5_000
const SIZE_LIMIT = 16 * 1024

/** Seconds for which a push service stores an undelivered message; older ones are of no use. */
const LIFETIME: Record<PushMessage['kind'], number> = {
  'new-orders': 24 * 3600,
  arrivals: 30 * 60,
  test: 60,
}

type Dependencies = {
  keys: PushKeys
  outbound: Pick<Outbound, 'fetch'>
  /** See `vapidSubject`. */
  subject: string
  log: { warn(details: object, message: string): void }
}

export type PushSender = ReturnType<typeof createPushSender>

/** Sends one push message, encrypted for the device (RFC 8291) and signed with VAPID (RFC 8292). */
export function createPushSender({ keys, outbound, subject, log }: Dependencies) {
  async function request(device: PushSubscription, message: PushMessage) {
    const { publicKey, privateKey } = await keys.load()
    const { encrypt, getVapidHeaders } = await webPush()
    const { p256dh, auth } = device.keys
    const { cipherText } = encrypt(p256dh, auth, JSON.stringify(message), 'aes128gcm')
    const { origin } = new URL(device.endpoint)
    const { Authorization } = getVapidHeaders(origin, subject, publicKey, privateKey, 'aes128gcm')
    return {
      method: 'POST' as const,
      headers: {
        Authorization,
        'Content-Encoding': 'aes128gcm',
        'Content-Type': 'application/octet-stream',
        TTL: String(LIFETIME[message.kind]),
        Urgency: 'high',
        // Of the messages that wait for an offline device, the newest of a kind replaces the others.
        Topic: message.kind,
      },
      body: cipherText,
      timeLimitMs: TIME_LIMIT_MS,
      sizeLimit: SIZE_LIMIT,
    }
  }

  return {
    async send(device: PushSubscription, message: PushMessage): Promise<Outcome> {
      // Only the origin is logged: the path of an endpoint is a secret.
      const service = { pushService: new URL(device.endpoint).origin }
      let reply: OutboundResponse
      try {
        reply = await outbound.fetch(device.endpoint, await request(device, message))
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error
        const passes = error.kind === 'unreachable' || error.kind === 'timeout'
        log.warn({ ...service, why: error.kind }, 'a push service could not be used')
        return passes ? { kind: 'later', after: null } : { kind: 'refused' }
      }
      const outcome = outcomeOf(reply.status, reply.headers['retry-after'])
      if (outcome.kind === 'refused' || outcome.kind === 'later') {
        log.warn({ ...service, status: reply.status }, 'a push service took no notification')
      }
      return outcome
    },
  }
}

/** Whether the keys are valid for encryption: a point of the curve P-256, and 16 bytes. */
export function areDeviceKeys({ p256dh, auth }: PushSubscription['keys']): boolean {
  if (Buffer.from(auth, 'base64url').length !== 16) return false
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== 65) return false
  try {
    return ECDH.convertKey(point, 'prime256v1').length > 0
  } catch {
    return false
  }
}
