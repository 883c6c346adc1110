import {
  getPushKey,
  PushSubscription as SentSubscription,
  subscribeDevice,
  unsubscribeDevice,
} from '@bancone/contract/notifications'
import { call } from '../../lib/api.ts'
import { runningServiceWorker, startServiceWorker } from './service-worker.ts'

let last: Promise<unknown> = Promise.resolve()

/** One after the other: who leaves and another who comes in at once must not cross. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work)
  last = turn.catch(() => undefined)
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
  return inTurn(async () => {
    const worker = pushSupported() ? await startServiceWorker() : null
    if (!worker) return null
    const { publicKey } = await call(getPushKey, {})
    const subscription = await subscribed(worker.pushManager, bytesOf(publicKey))
    const { endpoint, keys } = SentSubscription.parse(subscription.toJSON())
    await call(subscribeDevice, { body: { endpoint, keys } })
    return endpoint
  })
}

/** The one there is, unless it was made for another key of the server. */
async function subscribed(manager: PushManager, key: Uint8Array<ArrayBuffer>) {
  const existing = await manager.getSubscription()
  if (existing && isSameKey(existing.options.applicationServerKey, key)) return existing
  await existing?.unsubscribe()
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

/** This device wants to be told no more. */
export function unsubscribeThisDevice(): Promise<void> {
  return inTurn(async () => {
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
