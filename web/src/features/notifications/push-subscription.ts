import { HOUR_MS } from '@bancone/contract/dates'
import {
  getPushKey,
  PushSubscription as SentSubscription,
  subscribeDevice,
  unsubscribeDevice,
} from '@bancone/contract/notifications'
import { z } from 'zod/mini'
import { call } from '../../lib/api.ts'
import { browserStorage } from '../../lib/browser-storage.ts'
import { pharmacySession } from '../../lib/session.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { runningServiceWorker, startServiceWorker } from './service-worker.ts'

/** A browser behind a firewall may wait for its push service forever. */
const PUSH_SERVICE_LIMIT_MS = 20_000

let last: Promise<unknown> = Promise.resolve()
/** The running subscription, if nothing else was requested since. */
let subscribing: Promise<string | null> | null = null

/** Serialized: signing out and in again must not interleave. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work)
  last = turn.catch(() => undefined)
  subscribing = null
  return turn
}

export function pushSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window
}

/**
 * Subscribes this device to push notifications, also without an open page. Idempotent; repeating it renews the
 * subscription at the server with the current session.
 *
 * @returns the endpoint; null when the browser does not support push
 * @throws ApiError, or the browser's error
 */
export function subscribeThisDevice(): Promise<string | null> {
  if (subscribing) return subscribing
  const mine = inTurn(async () => {
    const worker = pushSupported() ? await startServiceWorker() : null
    return worker && subscribe(worker.pushManager)
  })
  subscribing = mine
  const over = () => {
    if (subscribing === mine) subscribing = null
  }
  mine.then(over, over)
  return mine
}

/**
 * The same without a user's request: not on each page, since a browser that refuses, as in a private window, logs an
 * error each time.
 */
export function renewDeviceSubscription(): Promise<void> {
  return inTurn(async () => {
    const worker = await startServiceWorker()
    if (!worker || !pushSupported()) return
    const remembered = rememberedPush()
    if (remembered === 'refused') return
    if (remembered === 'subscribed' && (await worker.pushManager.getSubscription())) return
    await subscribe(worker.pushManager)
  })
}

async function subscribe(manager: PushManager): Promise<string> {
  const { publicKey } = await call(getPushKey, {})
  const subscription = await subscribed(manager, bytesOf(publicKey)).catch((error: unknown) => {
    rememberPush('refused')
    throw error
  })
  const { endpoint, keys } = SentSubscription.parse(subscription.toJSON())
  await call(subscribeDevice, { body: { endpoint, keys } })
  rememberPush('subscribed')
  return endpoint
}

/** The existing subscription, unless it was made for another server key. */
async function subscribed(manager: PushManager, key: Uint8Array<ArrayBuffer>) {
  const existing = await manager.getSubscription()
  if (existing && isSameKey(existing.options.applicationServerKey, key)) return existing
  await existing?.unsubscribe()
  const made = manager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  // A late subscription is found by the next attempt.
  const subscription = await withTimeout(PUSH_SERVICE_LIMIT_MS, made)
  if (subscription === null) throw new Error('No answer of the push service')
  return subscription
}

/** Ends the subscription of this device. */
export function unsubscribeThisDevice(): Promise<void> {
  return inTurn(async () => {
    forgetPush()
    const subscription = await existingSubscription()
    if (!subscription) return
    const { endpoint } = subscription
    // If the server cannot be reached, it learns of the end from the push service.
    await call(unsubscribeDevice, { body: { endpoint } }).catch(() => undefined)
    await subscription.unsubscribe()
  })
}

/** The session has ended, and with it the server's part: ends the browser's subscription. */
export function forgetSubscription(): Promise<void> {
  return inTurn(async () => {
    forgetPush()
    await (await existingSubscription())?.unsubscribe()
  })
}

async function existingSubscription(): Promise<PushSubscription | null> {
  const worker = pushSupported() ? await runningServiceWorker() : null
  return worker ? worker.pushManager.getSubscription() : null
}

/** Not all browsers accept the key as base64url text. */
function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

function isSameKey(one: ArrayBuffer | null, other: Uint8Array): boolean {
  if (one === null || one.byteLength !== other.length) return false
  const bytes = new Uint8Array(one)
  return other.every((byte, index) => byte === bytes[index])
}

const KEY = 'bancone-push'
/** The server may forget a device; a browser that refuses will hardly change soon. */
const KEPT_MS = { subscribed: HOUR_MS, refused: 24 * HOUR_MS }

const Memory = z.object({
  session: z.string(),
  outcome: z.enum(['subscribed', 'refused']),
  at: z.number(),
})
type Outcome = z.infer<typeof Memory>['outcome']

/** The outcome of subscribing this device in this session; null when it is to be attempted again. */
function rememberedPush(): Outcome | null {
  try {
    const { session, outcome, at } = Memory.parse(JSON.parse(browserStorage.getItem(KEY) ?? ''))
    const old = Math.abs(Date.now() - at) > KEPT_MS[outcome]
    return old || session !== pharmacySession.current()?.id ? null : outcome
  } catch {
    return null
  }
}

function rememberPush(outcome: Outcome) {
  const session = pharmacySession.current()?.id
  if (session) browserStorage.setItem(KEY, JSON.stringify({ session, outcome, at: Date.now() }))
}

function forgetPush() {
  browserStorage.removeItem(KEY)
}
