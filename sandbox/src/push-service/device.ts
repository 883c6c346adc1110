import { createECDH, randomBytes } from 'node:crypto'
import { decrypt } from 'http_ece'
import { z } from 'zod'
import { Refusal } from './refusal.ts'

/** How sending to a device fares. `times` requests, then none; without it all of them. */
export const DeviceFailure = z.object({
  mode: z.enum(['ok', 'refuse', 'slow', 'hang-up']),
  /** For `refuse`: 404 and 410 for a device that is gone, 429 for too many, 500, … */
  status: z.number().int().min(300).max(599).default(500),
  /** Seconds, sent with the refusal as Retry-After. */
  retryAfter: z.number().int().min(0).optional(),
  /** For `slow`. */
  delayMs: z.number().int().min(0).default(30_000),
  times: z.number().int().min(1).optional(),
})
export type DeviceFailure = z.input<typeof DeviceFailure>

export type PushedMessage = {
  /** What the page's service worker gets, decrypted. */
  text: string
  ttl: number
  urgency: string
  topic: string | null
  /** Whom the sender said to be, and its key. */
  subject: string
  key: string
}

/** What `PushManager.subscribe` gives to the page. */
export type SandboxSubscription = { endpoint: string; keys: { p256dh: string; auth: string } }

export type Device = ReturnType<typeof createDevice>

/** @param serverKey the only application server that may send to it; null for any */
export function createDevice(endpointOf: (id: string) => string, serverKey: string | null) {
  const id = randomBytes(24).toString('base64url')
  const pair = createECDH('prime256v1')
  const p256dh = pair.generateKeys('base64url', 'uncompressed')
  const authSecret = randomBytes(16).toString('base64url')
  const messages: PushedMessage[] = []
  let failure = DeviceFailure.parse({ mode: 'ok' })
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
    /** Those that a device that was off all the time gets: of a topic the newest alone. */
    waiting: () =>
      messages.filter(
        ({ topic }, index) =>
          topic === null || !messages.slice(index + 1).some((later) => later.topic === topic),
      ),
    /** How many came for it, whatever the answer was. */
    requests: () => requests,
    fail(next: DeviceFailure) {
      failure = DeviceFailure.parse(next)
    },
    /** How the next request fares. */
    next() {
      requests += 1
      const current = failure
      if (current.times === 1) failure = DeviceFailure.parse({ mode: 'ok' })
      else if (current.times !== undefined) failure = { ...current, times: current.times - 1 }
      return current
    },
    /** @throws Refusal 400: a real service could not tell, the device would drop it */
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
