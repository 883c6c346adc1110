import { describe, expect, it } from 'vitest'
import { createSecrets } from '../../../platform/secrets.ts'
import { createImageLinks } from './order-image-links.ts'

const HOUR = 60 * 60_000
const secrets = createSecrets('a secret of the tests, long enough for them')

function links(now = Date.UTC(2026, 5, 1, 7), by = secrets) {
  let time = now
  const made = createImageLinks(by, { now: () => time })
  return {
    ...made,
    token: (orderId: string) => made.path(orderId).slice('/api/order-images/'.length),
    pass(hours: number) {
      time += hours * HOUR
    },
  }
}

describe("a picture's address", () => {
  it.each(['1', '4711', '9223372036854775807'])('leads to its order: %s', (orderId) => {
    const { token, read } = links()
    expect(read(token(orderId))).toBe(orderId)
  })

  it('stays the same for a while, and lasts half a day at least', () => {
    const { path, pass } = links()
    const first = path('1')
    expect(path('2')).not.toBe(first)
    pass(4)
    expect(path('1')).toBe(first)
    pass(2)
    expect(path('1')).not.toBe(first)
  })

  it.each([
    ['just made before a new step', 5.99, 12],
    ['made at its beginning', 0.01, 17.9],
  ])('ends: %s', (_when, hour, lasts) => {
    const { token, read, pass } = links(Date.UTC(2026, 5, 1, 0) + hour * HOUR)
    const given = token('1')
    pass(lasts)
    expect(read(given)).toBe('1')
    pass(6.1)
    expect(read(given)).toBeUndefined()
  })

  it('that was tampered with leads nowhere, wherever it was', () => {
    const { token, read } = links()
    const bytes = Buffer.from(token('1'), 'base64url')
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
      expect(read(changed.toString('base64url'))).toBeUndefined()
    }
  })

  it('of another secret leads nowhere', () => {
    const stranger = createSecrets('another secret of the tests, long enough too')
    expect(links().read(links(undefined, stranger).token('1'))).toBeUndefined()
  })

  it.each(['', 'x', '../../etc/passwd', 'A'.repeat(38), 'A'.repeat(39), 'ä'.repeat(38)])(
    'is not %j',
    (token) => {
      expect(links().read(token)).toBeUndefined()
    },
  )
})
