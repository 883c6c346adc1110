import { createECDH, randomBytes } from 'node:crypto'
import { decrypt } from 'http_ece'
import { z } from 'zod'
import { createFailureQueue } from '../failure-queue.ts'
import { Refusal } from './refusal.ts'

/** The behaviour of the next `times` pushes; without it, of all. */
const DeviceFailure = z.object({
  mode: z.enum(['ok', 'refuse', 'slow', 'hang-up']),
  /** For `refuse`: 404 and 410 for an expired subscription, 429 for a rate limit, 500, … */
  status: z.number().int().min(300).max(599).default(500),
  /** In seconds; sent as Retry-After. */
  retryAfter: z.number().int().min(0).optional(),
  /** For `slow`. */
  delayMs: z.number().int().min(0).default(30_000),
  times: z.number().int().min(1).optional(),
})

export type PushedMessage = {
  /** The decrypted message. */
  text: string
  ttl: number
  urgency: string
  topic: string | null
  /** The sender's VAPID subject, and its key. */
  subject: string
  key: string
}

/** The result of `PushManager.subscribe`. */
export type SandboxSubscription = { endpoint: string; keys: { p256dh: string; auth: string } }

export type Device = ReturnType<typeof createDevice>

/** @param serverKey the only application server that may send to it; null for any */
export function createDevice(endpointOf: (id: string) => string, serverKey: string | null) {
  const id = randomBytes(24).toString('base64url')
  const pair = createECDH('prime256v1')
  const p256dh = pair.generateKeys('base64url', 'uncompressed')
  const authSecret = randomBytes(16).toString('base64url')
  const messages: PushedMessage[] = []
  const failures = createFailureQueue(DeviceFailure, { mode: 'ok' })
  let requests = 0

  const subscription: SandboxSubscription = {
    endpoint: endpointOf(id),
    keys: { p256dh, auth: authSecret },
  }
  return {
    id,
    subscription,
    serverKey,
    messages,
    /** The messages that an offline device would receive later: of each topic the newest only. */
    waiting: () =>
      messages.filter(
        ({ topic }, index) =>
          topic === null || !messages.slice(index + 1).some((later) => later.topic === topic),
      ),
    /** The number of pushes, whatever the response. */
    requests: () => requests,
    fail: failures.set,
    /** The behaviour of the next push. */
    next() {
      requests += 1
      return failures.next()
    },
    /** @throws Refusal 400. A real service cannot decrypt; the device would drop the message. */
    open(sealed: Buffer): string {
      try {
        const how = { version: 'aes128gcm', privateKey: pair, authSecret } as const
        return decrypt(sealed, how).toString()
      } catch {
        throw new Refusal(400, 'the device cannot decrypt it')
      }
    },
  }
}
