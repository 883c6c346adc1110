import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const base64url = /^[A-Za-z0-9_-]+$/

/** What a browser gives for a device that wants to be told (W3C Push API): all of it is opaque to us. */
export const PushSubscription = z.object({
  /** Plain text, as browsers give it. */
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .regex(/^[!-~]+$/),
  keys: z.object({
    /** The device's public key (P-256, uncompressed), base64url. */
    p256dh: z.string().regex(base64url).min(80).max(100),
    /** Its authentication secret (16 bytes), base64url. */
    auth: z.string().regex(base64url).min(20).max(30),
  }),
})
export type PushSubscription = z.infer<typeof PushSubscription>

/**
 * What a push message holds: how many orders are new, and nothing of what was ordered. `test` is one that
 * somebody asked for.
 */
export const PushMessage = z.object({
  kind: z.enum(['new-orders', 'test']),
  count: z.number().int().min(0),
})
export type PushMessage = z.infer<typeof PushMessage>

export const getPushKey = endpoint({
  method: 'GET',
  path: '/api/notifications/key',
  summary: 'The public key a device needs to be told of new orders (VAPID)',
  access: 'pharmacy',
  response: z.object({ publicKey: z.string() }),
  errors: [],
})

/** Once a device; asked again it replaces what was known of that device. */
export const subscribeDevice = endpoint({
  method: 'POST',
  path: '/api/notifications/devices',
  summary: 'This device wants to be told of new orders, until its session ends',
  access: 'pharmacy',
  body: PushSubscription,
  response: z.object({}),
  errors: ['notifications.too_many'],
})

const Device = z.strictObject({ endpoint: PushSubscription.shape.endpoint })

export const unsubscribeDevice = endpoint({
  method: 'DELETE',
  path: '/api/notifications/devices',
  summary: 'This device wants to be told no more',
  access: 'pharmacy',
  body: Device,
  response: z.object({}),
  errors: [],
})

export const testDevice = endpoint({
  method: 'POST',
  path: '/api/notifications/test',
  summary: 'Sends a test to this device',
  access: 'pharmacy',
  body: Device,
  response: z.object({}),
  errors: ['notifications.not_subscribed', 'notifications.undeliverable', 'notifications.too_many'],
})
