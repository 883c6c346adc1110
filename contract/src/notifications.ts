import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

const base64url = /^[A-Za-z0-9_-]+$/

/** A `PushSubscription` of the W3C Push API, as serialised by the browser. Its content is opaque to the server. */
export const PushSubscription = z.object({
  /** The URL of the push service; ASCII only. */
  endpoint: z.url({ protocol: /^https?$/ }).check(z.maxLength(2_000), z.regex(/^[!-~]+$/)),
  keys: z.object({
    /** The device's public key (P-256, uncompressed), base64url. */
    p256dh: z.string().check(z.regex(base64url), z.minLength(80), z.maxLength(100)),
    /** The device's authentication secret (16 bytes), base64url. */
    auth: z.string().check(z.regex(base64url), z.minLength(20), z.maxLength(30)),
  }),
})
export type PushSubscription = z.infer<typeof PushSubscription>

/**
 * The payload of a push message: how many orders are new or, for `arrivals`, how many customers wait; nothing of who they
 * are and what was ordered. `test` is a message that the user requested.
 */
export const PushMessage = z.object({
  kind: z.enum(['new-orders', 'arrivals', 'test']),
  count: z.int().check(z.minimum(0)),
})
export type PushMessage = z.infer<typeof PushMessage>

export const getPushKey = endpoint({
  method: 'GET',
  path: '/api/notifications/key',
  summary: 'Get the public key for push notifications (VAPID)',
  access: 'pharmacy',
  response: z.object({ publicKey: z.string() }),
  errors: [],
})

/** One subscription per device: a repeated call replaces the earlier one. */
export const subscribeDevice = endpoint({
  method: 'POST',
  path: '/api/notifications/devices',
  summary: 'Subscribe this device to push notifications until its session ends',
  access: 'pharmacy',
  audit: { none: 'a setting of one device' },
  body: PushSubscription,
  response: z.object({}),
  errors: ['notifications.too_many'],
})

const Device = z.strictObject({ endpoint: PushSubscription.shape.endpoint })

export const unsubscribeDevice = endpoint({
  method: 'DELETE',
  path: '/api/notifications/devices',
  summary: 'Unsubscribe this device from push notifications',
  access: 'pharmacy',
  audit: { none: 'a setting of one device' },
  body: Device,
  response: z.object({}),
  errors: [],
})

export const testDevice = endpoint({
  method: 'POST',
  path: '/api/notifications/test',
  summary: 'Send a test notification to this device',
  access: 'pharmacy',
  audit: { none: 'a setting of one device' },
  body: Device,
  response: z.object({}),
  errors: ['notifications.not_subscribed', 'notifications.undeliverable', 'notifications.too_many'],
})
