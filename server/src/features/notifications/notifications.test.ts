import { randomUUID } from 'node:crypto'
import { getPushKey } from '@bancone/contract/notifications'
import { beforeAll, describe, expect, it } from 'vitest'
import { type PushServer, pushServer, seenBy } from '../../../test/push-server.ts'
import { createPushDevicesStore } from './push-devices.store.ts'

let server: PushServer
/** Of a pharmacy that several tests share, which subscribes nothing. */
let anybody: { authorization: string }

beforeAll(async () => {
  server = await pushServer()
  anybody = (await server.newPharmacy()).headers
})

const done = { status: 200, body: {} }
const failed = (status: number, code: string) => ({
  status,
  body: { code },
})

describe('subscribing', () => {
  it('needs a key, which is the same for everybody', async () => {
    const [one, two] = [await server.newPharmacy(), await server.newPharmacy()]
    const reply = await server.call('GET', 'key', one.headers)
    expect(getPushKey.response.parse(reply.body).publicKey).toMatch(/^B[\w-]{86}$/)
    expect(await server.call('GET', 'key', two.headers)).toEqual(reply)
  })

  it('again replaces what was known of the device, and the session it goes with', async () => {
    const { id, email, headers } = await server.newPharmacy()
    const device = await server.newDevice(headers)
    // A browser that renews its keys; the endpoint of the other is where both are sent to.
    const renewed = server.pushService.addDevice()
    const { keys } = renewed.subscription
    await server.call('POST', 'devices', headers, { ...device.subscription, keys })
    const later = await server.signIn(email)
    expect(await server.call('POST', 'devices', later, device.subscription)).toEqual(done)
    await server.app.inject({ method: 'POST', url: '/auth/v1/logout?scope=local', headers })
    const { rows } = await server.database.pool.query<{ p256dh: string }>(
      'select p256dh from push_subscriptions where pharmacy_id = $1',
      [id],
    )
    expect(rows).toEqual([{ p256dh: device.subscription.keys.p256dh }])
  })

  it('is done until there are fifty devices, also of many at the same time', async () => {
    const { id, headers } = await server.newPharmacy()
    const first = await server.newDevice(headers)
    const subscribe = () =>
      server.call('POST', 'devices', headers, server.pushService.addDevice().subscription)
    const replies = await Promise.all(Array.from({ length: 59 }, subscribe))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(49)
    expect(await subscribe()).toMatchObject(failed(429, 'notifications.too_many'))
    const { rows } = await server.database.pool.query<{ devices: number }>(
      'select count(*)::int as devices from push_subscriptions where pharmacy_id = $1',
      [id],
    )
    expect(rows).toEqual([{ devices: 50 }])
    expect(await server.call('POST', 'devices', headers, first.subscription)).toEqual(done)
  })

  it('fails when the session has just ended', async () => {
    const { id } = await server.newPharmacy()
    const { subscription } = server.pushService.addDevice()
    const devices = createPushDevicesStore(server.database.db)
    await expect(devices.subscribe(id, randomUUID(), subscription)).rejects.toThrow(
      'session.missing',
    )
  })

  it.each([
    'https://127.0.0.1/x',
    'https://push.example.org/è',
    `https://push.example.org/${'x'.repeat(2000)}`,
  ])('is refused for %s', async (endpoint) => {
    const { keys } = server.pushService.addDevice().subscription
    expect(await server.call('POST', 'devices', anybody, { endpoint, keys })).toMatchObject(
      failed(400, 'request.invalid'),
    )
  })

  it('is refused with keys that nothing can be encrypted for', async () => {
    const { endpoint, keys } = server.pushService.addDevice().subscription
    const broken = { ...keys, p256dh: `${keys.p256dh.slice(0, -4)}AAAA` }
    expect(await server.call('POST', 'devices', anybody, { endpoint, keys: broken })).toMatchObject(
      failed(400, 'request.invalid'),
    )
  })
})

describe('unsubscribing', () => {
  it('is done, also of a device that is not known', async () => {
    const { headers } = await server.newPharmacy()
    const { endpoint } = (await server.newDevice(headers)).subscription
    for (let time = 0; time < 2; time += 1) {
      expect(await server.call('DELETE', 'devices', headers, { endpoint })).toEqual(done)
    }
    expect(await server.call('POST', 'test', headers, { endpoint })).toMatchObject(
      failed(404, 'notifications.not_subscribed'),
    )
  })

  it('does nothing to a device of another pharmacy', async () => {
    const [one, two] = [await server.newPharmacy(), await server.newPharmacy()]
    const { endpoint } = (await server.newDevice(one.headers)).subscription
    await server.call('DELETE', 'devices', two.headers, { endpoint })
    expect(await server.call('POST', 'test', one.headers, { endpoint })).toEqual(done)
  })
})

describe('the test', () => {
  it('arrives at a device that subscribed with our key, and there alone', async () => {
    const { id, headers } = await server.newPharmacy()
    const { body } = await server.call('GET', 'key', headers)
    const { publicKey } = getPushKey.response.parse(body)
    const device = server.pushService.addDevice(publicKey)
    await server.call('POST', 'devices', headers, device.subscription)
    const other = await server.newDevice(headers)
    const { endpoint } = device.subscription
    expect(await server.call('POST', 'test', headers, { endpoint })).toEqual(done)
    expect([seenBy(device), seenBy(other)]).toEqual([[{ kind: 'test', count: 0 }], []])
    expect(device.messages[0]).toMatchObject({ ttl: 60, topic: 'test', key: publicKey })
    await server.ordersCome(id, 2)
    await server.jobsAreDone()
    await server.call('POST', 'test', headers, { endpoint })
    expect(seenBy(device).at(-1)).toEqual({ kind: 'test', count: 2 })
  })

  it('does not reach a device of another pharmacy', async () => {
    const [one, two] = [await server.newPharmacy(), await server.newPharmacy()]
    const device = await server.newDevice(one.headers)
    const { endpoint } = device.subscription
    expect(await server.call('POST', 'test', two.headers, { endpoint })).toMatchObject(
      failed(404, 'notifications.not_subscribed'),
    )
    expect(device.requests()).toBe(0)
  })

  it('says that it could not be delivered', async () => {
    const { headers } = await server.newPharmacy()
    const device = await server.newDevice(headers)
    const { endpoint } = device.subscription
    device.fail({ mode: 'refuse', status: 500, times: 1 })
    expect(await server.call('POST', 'test', headers, { endpoint })).toMatchObject(
      failed(502, 'notifications.undeliverable'),
    )
    expect(await server.call('POST', 'test', headers, { endpoint })).toEqual(done)
  })

  it('finds out that the device is gone, and forgets it', async () => {
    const { headers } = await server.newPharmacy()
    const device = await server.newDevice(headers)
    const { endpoint } = device.subscription
    device.fail({ mode: 'refuse', status: 410 })
    for (let time = 0; time < 2; time += 1) {
      expect(await server.call('POST', 'test', headers, { endpoint })).toMatchObject(
        failed(404, 'notifications.not_subscribed'),
      )
    }
    expect(device.requests()).toBe(1)
  })

  it('does not go where a name leads into our own network', async () => {
    const { headers } = await server.newPharmacy()
    const { keys } = server.pushService.addDevice().subscription
    const endpoint = 'https://localhost/x'
    expect(await server.call('POST', 'devices', headers, { endpoint, keys })).toEqual(done)
    expect(await server.call('POST', 'test', headers, { endpoint })).toMatchObject(
      failed(502, 'notifications.undeliverable'),
    )
  })

  it('may be asked for ten times a minute, of each pharmacy', async () => {
    const [one, two] = [await server.newPharmacy(), await server.newPharmacy()]
    const endpoint = 'https://push.example.org/x'
    const test = async (headers: { authorization: string }) =>
      (await server.call('POST', 'test', headers, { endpoint })).status
    for (let time = 0; time < 10; time += 1) expect(await test(one.headers)).toBe(404)
    expect(await test(one.headers)).toBe(429)
    expect(await test(two.headers)).toBe(404)
  })
})
