import { describe, expect, it } from 'vitest'
import { OutboundError, type OutboundErrorKind } from '../../ports/outbound.ts'
import { areDeviceKeys, createPushSender } from './push-sender.ts'

const p256dh =
  'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
const auth = 'BTBZMqHH6r4Tts7J_aSIgg'
const device = { endpoint: 'https://push.example.org/secret-of-the-device', keys: { p256dh, auth } }
const privateKey = 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'

/** One whose way out gives or throws that. */
function senderOver(answer: () => Promise<{ status: number }>) {
  const logged: unknown[] = []
  const sender = createPushSender({
    keys: { load: async () => ({ publicKey: p256dh, privateKey }) },
    outbound: {
      fetch: async () => ({ ...(await answer()), headers: {}, body: new Uint8Array() }),
    },
    subject: 'mailto:bancone@example.it',
    log: { warn: (...line) => logged.push(line) },
  })
  return { send: () => sender.send(device, { kind: 'test', count: 0 }), logged }
}

describe('sending', () => {
  it.each<[OutboundErrorKind, string]>([
    ['unreachable', 'later'],
    ['timeout', 'later'],
    ['forbidden', 'refused'],
    ['too_large', 'refused'],
    ['status', 'refused'],
  ])('that ends as %s came to: %s', async (kind, outcome) => {
    const { send } = senderOver(() => Promise.reject(new OutboundError(kind, 'as the test wants')))
    expect((await send()).kind).toBe(outcome)
  })

  it('that fails by a mistake of ours is no outcome', async () => {
    const { send } = senderOver(() => Promise.reject(new TypeError('a mistake')))
    await expect(send()).rejects.toThrow('a mistake')
  })

  it.each([
    () => Promise.resolve({ status: 403 }),
    () => Promise.resolve({ status: 500 }),
    () => Promise.reject(new OutboundError('timeout', 'took too long')),
  ])('that fails is logged without the secret in the address', async (answer) => {
    const { send, logged } = senderOver(answer)
    await send()
    const text = JSON.stringify(logged)
    expect(text).toContain('https://push.example.org')
    expect(text).not.toContain('secret')
    expect(text).not.toContain(auth)
  })
})

describe("a device's keys", () => {
  it.each([
    ['right ones', { p256dh, auth }, true],
    ['a secret that is too short', { p256dh, auth: 'BTBZMqHH6r4Tts7J_aSI' }, false],
    ['a key that is too short', { p256dh: p256dh.slice(0, 80), auth }, false],
    ['a point that is not on the curve', { p256dh: `${p256dh.slice(0, -2)}AA`, auth }, false],
  ])('%s', (_what, keys, right) => {
    expect(areDeviceKeys(keys)).toBe(right)
  })
})
