import { encode } from 'uqr'
import { describe, expect, it } from 'vitest'
import { createTotpEnrolment, newTotpSecret, stepOfCode } from './totp.ts'

/** The secret of the test vectors in RFC 6238. */
const secret = Buffer.from('12345678901234567890')

describe('a code', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
  ])('at second %i is the one of RFC 6238', async (second, code) => {
    expect(await stepOfCode(secret, code, second * 1000, null)).toBe(Math.floor(second / 30))
  })

  const step = 41_152_263
  const now = step * 30_000
  const code = '005924'
  it.each([
    ['two steps early', -2, null],
    ['a step early', -1, step],
    ['a step late', 1, step],
    ['at the end of the step after it', 1.999, step],
    ['two steps late', 2, null],
  ])('%s', async (_when, steps, expected) => {
    expect(await stepOfCode(secret, code, now + steps * 30_000, null)).toBe(expected)
  })

  it.each([
    ['of a step after the last that was taken', step - 1, step],
    ['of that step', step, null],
    ['of one before it', step + 1, null],
  ])('%s', async (_what, last, expected) => {
    expect(await stepOfCode(secret, code, now, last)).toBe(expected)
  })

  it.each(['', '5924', '0059245', '00592a', '５０５９２４', '-05924', '005 24'])(
    'that is none: %j',
    async (wrong) => {
      expect(await stepOfCode(secret, wrong, now, null)).toBeNull()
    },
  )
})

describe('what is shown', () => {
  it('is another secret each time, as long as the hash', () => {
    expect(newTotpSecret()).toHaveLength(20)
    expect(newTotpSecret().equals(newTotpSecret())).toBe(false)
  })

  it('says the same as text, as address and as picture', async () => {
    const shown = await createTotpEnrolment(secret, {
      issuer: 'Farmacia: Rossi',
      label: 'a+b@example.it',
    })
    expect(shown.secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    expect(shown.uri).toBe(
      'otpauth://totp/Farmacia%20%20Rossi:a%2Bb%40example.it?issuer=Farmacia%20%20Rossi' +
        `&secret=${shown.secret}&algorithm=SHA1&digits=6&period=30`,
    )
    expect(modulesOf(shown.qr_code)).toEqual(encode(shown.uri, { ecc: 'M', border: 4 }).data)
  })

  it('is a picture with white around it, that fits into an address and runs nothing', async () => {
    const { qr_code: picture } = await createTotpEnrolment(secret, {
      issuer: 'Bancone',
      label: 'a@example.it',
    })
    expect(picture).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^#%]*<\/svg>$/)
    expect(picture).not.toMatch(/<script|href|style/)
    const modules = modulesOf(picture)
    const rows = [...modules.slice(0, 4), ...modules.slice(-4)]
    expect(rows.flat().some(Boolean)).toBe(false)
    // The upper edge of a finder pattern.
    const edge = modules[4]?.slice(0, 12).map((isBlack) => (isBlack ? 'x' : '.'))
    expect(edge?.join('')).toBe('....xxxxxxx.')
  })
})

/** Which modules of the QR code are black. */
function modulesOf(picture: string): boolean[][] {
  const [, side] = /viewBox="0 0 (\d+) \1"/.exec(picture) ?? []
  const squares = [...picture.matchAll(/M(\d+),(\d+)h(\d+)v\3h-\3z/g)]
  expect(squares.length).toBeGreaterThan(200)
  const size = Number(squares[0]?.[3])
  const black = new Set(squares.map(([, x, y]) => `${Number(x) / size} ${Number(y) / size}`))
  const places = Array.from({ length: Number(side) / size }, (_, n) => n)
  return places.map((y) => places.map((x) => black.has(`${x} ${y}`)))
}
