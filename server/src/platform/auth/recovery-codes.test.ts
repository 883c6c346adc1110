import { describe, expect, it } from 'vitest'
import { newRecoveryCode, parseRecoveryCode, recoveryCodeHash } from './recovery-codes.service.ts'

describe('a recovery code', () => {
  it('has ten signs in two halves, none of which looks like another', () => {
    const codes = Array.from({ length: 500 }, newRecoveryCode)
    for (const code of codes) expect(code).toMatch(/^[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{5}$/)
    expect(new Set(codes).size).toBe(500)
    // Each of the 31 characters occurs, about 160 times.
    expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(31)
  })

  it.each([
    ['k7w2m-9qhtx', 'k7w2m9qhtx'],
    ['K7W2M9QHTX', 'k7w2m9qhtx'],
    [' k7w2m – 9qhtx\n', 'k7w2m9qhtx'],
    ['k7w2m-9qht', null],
    ['k7w2m-9qhtxx', null],
    ['k7w2m-9qht0', null],
    ['k7w2m-9qhti', null],
    ['', null],
  ])('typed as %j is read as %j', (typed, read) => {
    expect(parseRecoveryCode(typed)).toBe(read)
  })

  it('is kept as another hash for every user, code and key', () => {
    const key = Buffer.alloc(32, 1)
    const hashes = [
      recoveryCodeHash(key, 'a', 'k7w2m9qhtx'),
      recoveryCodeHash(key, 'b', 'k7w2m9qhtx'),
      recoveryCodeHash(key, 'a', 'k7w2m9qhtz'),
      recoveryCodeHash(Buffer.alloc(32, 2), 'a', 'k7w2m9qhtx'),
    ]
    expect(recoveryCodeHash(key, 'a', 'k7w2m9qhtx')).toEqual(hashes[0])
    expect(new Set(hashes.map((hash) => hash.toString('hex'))).size).toBe(4)
  })
})
