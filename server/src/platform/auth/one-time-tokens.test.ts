import { describe, expect, it } from 'vitest'
import {
  codeHash,
  kindsOfType,
  linkHash,
  newCode,
  newLinkToken,
  sameHash,
  TokenKind,
  typeOfKind,
} from './one-time-tokens.ts'

const key = Buffer.alloc(32, 7)
const link = linkHash('a link')

describe('the token of a link', () => {
  it.each([
    ['plain', false, /^[A-Za-z0-9_-]{43}$/],
    ['of who will prove that they asked', true, /^pkce_[A-Za-z0-9_-]{43}$/],
  ])('is 32 bytes, %s', (_what, pkce, shape) => {
    expect(newLinkToken(pkce)).toMatch(shape)
  })

  it('is another each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => newLinkToken(false))).size).toBe(100)
  })

  it('is kept as SHA-256', () => {
    expect(linkHash('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})

describe('a code', () => {
  it('has six digits, the first ones often zero', () => {
    const codes = Array.from({ length: 1000 }, newCode)
    expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([])
    for (const digit of '0123456789') {
      expect(codes.some((code) => code.startsWith(digit))).toBe(true)
    }
    expect(new Set(codes).size).toBeGreaterThan(900)
  })

  it('is kept as 32 bytes of its own link and of the server', () => {
    const kept = codeHash(key, link, '012345')
    expect(kept).toHaveLength(32)
    expect(codeHash(key, link, '012345')).toEqual(kept)
    const others = [
      codeHash(key, link, '012346'),
      codeHash(key, linkHash('another link'), '012345'),
      codeHash(Buffer.alloc(32, 8), link, '012345'),
    ]
    expect(new Set([kept, ...others].map(String)).size).toBe(4)
  })
})

describe('two hashes', () => {
  it.each([
    ['the same', Buffer.from('abc'), Buffer.from('abc'), true],
    ['of another last byte', Buffer.from('abc'), Buffer.from('abd'), false],
    ['of another length', Buffer.from('abc'), Buffer.from('ab'), false],
    ['one of them empty', Buffer.from('abc'), Buffer.alloc(0), false],
  ])('%s', (_what, one, other, same) => {
    expect(sameHash(one, other)).toBe(same)
  })
})

describe('a kind', () => {
  it.each(TokenKind.options.filter((kind) => kind !== 'reauthentication'))(
    '%s is found by the type that its link names',
    (kind) => {
      expect(kindsOfType[typeOfKind(kind)]).toContain(kind)
    },
  )

  it('is found by no type that says less, reauthentication by none: its code is no sign-in', () => {
    expect(kindsOfType).toEqual({
      signup: ['signup'],
      invite: ['invite'],
      magiclink: ['magiclink'],
      recovery: ['recovery'],
      email_change: ['email_change_current', 'email_change_new'],
      email: ['magiclink', 'signup'],
    })
  })
})
