import { describe, expect, it, onTestFinished } from 'vitest'
import { createPushKey, sealFor } from '../test/push-sender.ts'
import { createClock } from '../test/start.ts'
import { type PushServiceSandbox, startPushService } from './push-service.ts'

const clock = createClock()
const server = createPushKey()
const HOUR = 3600

async function start(): Promise<PushServiceSandbox> {
  const service = await startPushService({ now: clock.now })
  onTestFinished(() => service.close())
  return service
}

const inSeconds = (seconds: number) => Math.floor(clock.now() / 1000) + seconds

function headersFor(origin: string, claims: object = {}): Record<string, string> {
  const token = server.token({
    aud: origin,
    exp: inSeconds(12 * HOUR),
    sub: 'mailto:bancone@example.it',
    ...claims,
  })
  return {
    authorization: `vapid t=${token}, k=${server.key}`,
    'content-encoding': 'aes128gcm',
    ttl: '60',
  }
}

type Sent = { headers?: Record<string, string>; text?: string; body?: Buffer; without?: string }

/** Pushes to a device; valid except for what the test overrides. @returns the status */
async function send(service: PushServiceSandbox, device: Device, sent: Sent = {}): Promise<number> {
  const headers = { ...headersFor(service.url), ...sent.headers }
  if (sent.without) delete headers[sent.without]
  const body = sent.body ?? sealFor(device.subscription, sent.text ?? '{}')
  const reply = await fetch(device.subscription.endpoint, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  })
  return reply.status
}

type Device = ReturnType<PushServiceSandbox['addDevice']>

describe('the push service', () => {
  it('takes a message, and the device decrypts it', async () => {
    const service = await start()
    const device = service.addDevice(server.key)
    const headers = { urgency: 'high', topic: 'new-orders', ttl: '86400' }
    expect(await send(service, device, { text: '{"count":2}', headers })).toBe(201)
    expect(device.messages).toEqual([
      {
        text: '{"count":2}',
        ttl: 86_400,
        urgency: 'high',
        topic: 'new-orders',
        subject: 'mailto:bancone@example.it',
        key: server.key,
      },
    ])
  })

  it.each<[string, number, Sent]>([
    ['without a TTL', 400, { without: 'ttl' }],
    ['with an urgency that there is not', 400, { headers: { urgency: 'now' } }],
    ['with a topic that is too long', 400, { headers: { topic: 'x'.repeat(33) } }],
    ['in the older encoding', 415, { headers: { 'content-encoding': 'aesgcm' } }],
    ['that is too large', 413, { text: 'x'.repeat(4096) }],
    ['that is not encrypted', 400, { body: Buffer.from('{"count":2}') }],
    ['without authorization', 401, { without: 'authorization' }],
  ])('refuses one %s', async (_what, status, sent) => {
    const service = await start()
    const device = service.addDevice()
    expect(await send(service, device, sent)).toBe(status)
    expect(device.messages).toEqual([])
  })

  it.each<[string, object]>([
    ['for another service', { aud: 'https://push.example.org' }],
    ['for more than a day', { exp: inSeconds(25 * HOUR) }],
    ['that has expired', { exp: inSeconds(-1) }],
    ['without a contact address', { sub: 'Bancone' }],
  ])('refuses a token %s', async (_what, claims) => {
    const service = await start()
    const device = service.addDevice()
    const headers = headersFor(service.url, claims)
    expect(await send(service, device, { headers })).toBe(401)
  })

  it('refuses a token of another key than it says', async () => {
    const service = await start()
    const claims = { aud: service.url, exp: inSeconds(HOUR), sub: 'mailto:bancone@example.it' }
    const token = createPushKey().token(claims)
    const headers = { authorization: `vapid t=${token}, k=${server.key}` }
    expect(await send(service, service.addDevice(), { headers })).toBe(401)
  })

  it('refuses who is not the server that the device subscribed to', async () => {
    const service = await start()
    expect(await send(service, service.addDevice(createPushKey().key))).toBe(403)
  })
})
