import { getPushKey, subscribeDevice, unsubscribeDevice } from '@bancone/contract/notifications'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fakePush, publicKey } from '../../../test/fake-push.ts'
import { signedIn } from '../../../test/render-part.tsx'
import { deferred, failure, StubApi } from '../../../test/stub-api.ts'
import {
  forgetSubscription,
  subscribeThisDevice,
  unsubscribeThisDevice,
} from './push-subscription.ts'

/** A server that knows these devices. */
function server(key = publicKey(1)) {
  const devices = new Set<string>()
  const api = new StubApi()
    .on(getPushKey, () => ({ publicKey: key }))
    .on(subscribeDevice, ({ body }) => {
      devices.add(body.endpoint)
      return {}
    })
    .on(unsubscribeDevice, ({ body }) => {
      devices.delete(body.endpoint)
      return {}
    })
  signedIn(api)
  return { api, devices }
}

test('a device is subscribed once, and the server told of it each time', async () => {
  const push = fakePush({ running: false })
  const { api, devices } = server()
  expect(await subscribeThisDevice()).toBe('https://push.example/1')
  expect(push.registered).toEqual(['/sw.js'])
  devices.clear()
  expect(await subscribeThisDevice()).toBe('https://push.example/1')
  expect(push.made).toBe(1)
  expect([...devices]).toEqual(['https://push.example/1'])
  expect(api.requests.at(-1)?.body).toEqual({
    endpoint: 'https://push.example/1',
    keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) },
  })
})

test('asked twice at once, it is one attempt', async () => {
  const push = fakePush()
  const { api } = server()
  const both = await Promise.all([subscribeThisDevice(), subscribeThisDevice()])
  expect(both).toEqual(['https://push.example/1', 'https://push.example/1'])
  expect(push.asked).toBe(1)
  expect(api.requests).toHaveLength(2)
})

test('a subscription for another key of the server is replaced', async () => {
  const push = fakePush()
  const { api, devices } = server()
  await subscribeThisDevice()
  api.on(getPushKey, () => ({ publicKey: publicKey(2) }))
  expect(await subscribeThisDevice()).toBe('https://push.example/2')
  expect(push.endpoint).toBe('https://push.example/2')
  expect(devices).toContain('https://push.example/2')
})

test('without push in the browser the server is not asked', async () => {
  const { api } = server()
  expect(await subscribeThisDevice()).toBeNull()
  expect(api.requests).toEqual([])
})

test('switched off, the server forgets the device first, then the browser', async () => {
  const push = fakePush()
  const { api, devices } = server()
  await subscribeThisDevice()
  const answer = deferred<Record<string, never>>()
  api.on(unsubscribeDevice, ({ body }) => {
    devices.delete(body.endpoint)
    return answer.promise
  })
  const done = unsubscribeThisDevice()
  await vi.waitFor(() => expect(devices.size).toBe(0))
  expect(push.endpoint).toBe('https://push.example/1')
  answer.resolve({})
  await done
  expect(push.endpoint).toBeNull()
})

test('a server that cannot be told does not keep the device subscribed', async () => {
  const push = fakePush()
  const { api } = server()
  await subscribeThisDevice()
  api.on(unsubscribeDevice, () => failure('internal'))
  await unsubscribeThisDevice()
  expect(push.endpoint).toBeNull()
})

test('at the end of the session the browser unsubscribes, without a call that would need the session', async () => {
  const push = fakePush()
  const { api } = server()
  await subscribeThisDevice()
  const before = api.requests.length
  await forgetSubscription()
  expect(push.endpoint).toBeNull()
  expect(api.requests).toHaveLength(before)
})

test('who leaves and who comes in do not cross: the last word holds', async () => {
  const push = fakePush()
  const { devices } = server()
  await Promise.all([subscribeThisDevice(), forgetSubscription(), subscribeThisDevice()])
  expect(push.endpoint).toBe('https://push.example/2')
  expect(devices).toContain('https://push.example/2')
})

test('a push service that does not answer is given up, and delays nothing', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const push = fakePush()
  const { devices } = server()
  push.silent = true
  const given = Promise.allSettled([subscribeThisDevice(), forgetSubscription()])
  await vi.advanceTimersByTimeAsync(21_000)
  expect((await given).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  push.silent = false
  expect(await subscribeThisDevice()).toBe('https://push.example/1')
  expect(devices).toContain('https://push.example/1')
})

test('a refusal is told, and does not stand in the way of the next attempt', async () => {
  const push = fakePush()
  server()
  push.refusal = new DOMException('push service error', 'AbortError')
  await expect(subscribeThisDevice()).rejects.toThrow('push service error')
  push.refusal = null
  expect(await subscribeThisDevice()).toBe('https://push.example/1')
})
