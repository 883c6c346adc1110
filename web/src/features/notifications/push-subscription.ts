import {
  getPushKey,
  PushSubscription as SentSubscription,
  subscribeDevice,
  unsubscribeDevice,
} from '@bancone/contract/notifications'
import { call } from '../../lib/api.ts'
import { within } from '../../lib/within.ts'
import { forgetPush, rememberedPush, rememberPush } from './push-memory.ts'
import { runningServiceWorker, startServiceWorker } from './service-worker.ts'

/** Behind a firewall that keeps the browser from its push service, it waits for ever. */
const PUSH_SERVICE_LIMIT_MS = 20_000

let last: Promise<unknown> = Promise.resolve()
/** The subscribing that is under way, if nothing else has been asked for since. */
let subscribing: Promise<string | null> | null = null

/** One after the other: who leaves and another who comes in at once must not cross. */
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
 * Makes sure that this device is told of new orders also with no page open. Asked again it repeats what
 * the server may have forgotten: the subscription goes there with its session.
 *
 * @returns the address the device is told at; null where browsers have no such thing
 * @throws ApiError, or whatever the browser refuses with
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
 * The same where nobody has asked for it just now: not on each page, since a browser that refuses, as in a
 * private window, complains in its console each time.
 */
export function keepThisDeviceSubscribed(): Promise<void> {
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

/** The one there is, unless it was made for another key of the server. */
async function subscribed(manager: PushManager, key: Uint8Array<ArrayBuffer>) {
  const existing = await manager.getSubscription()
  if (existing && isSameKey(existing.options.applicationServerKey, key)) return existing
  await existing?.unsubscribe()
  const made = manager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  // What comes later is there for the next attempt.
  const subscription = await within(PUSH_SERVICE_LIMIT_MS, made)
  if (subscription === null) throw new Error('No answer of the push service')
  return subscription
}

/** This device wants to be told no more. */
export function unsubscribeThisDevice(): Promise<void> {
  return inTurn(async () => {
    forgetPush()
    const subscription = await existingSubscription()
    if (!subscription) return
    const { endpoint } = subscription
    // Should the server not hear of it, the push service will tell it with the next message.
    await call(unsubscribeDevice, { body: { endpoint } }).catch(() => undefined)
    await subscription.unsubscribe()
  })
}

/** The session has ended, and with it what the server knew: the browser's part goes as well. */
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

/** Not all browsers take the key as the text it is sent as. */
function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

function isSameKey(one: ArrayBuffer | null, other: Uint8Array): boolean {
  if (one === null || one.byteLength !== other.length) return false
  const bytes = new Uint8Array(one)
  return other.every((byte, index) => byte === bytes[index])
}
