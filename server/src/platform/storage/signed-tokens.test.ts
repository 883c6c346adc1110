import { decodeJwt, SignJWT } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { createSecrets } from '../secrets.ts'
import { createSignedTokens, MAX_SIGNED_URL_SECONDS } from './signed-urls.ts'
import type { StorageError } from './storage-error.ts'

const secrets = createSecrets('a secret of the tests, long enough for them')
const key = secrets.key('storage links')
const url = 'pictures/0b6d9d2e/pack.png'
const owner = 'c0ffee00-0000-4000-8000-000000000001'

let now = 0
const tokens = createSignedTokens(key, { now: () => now })

/** The code of the error of a reading. */
const refusal = (reading: Promise<unknown>) =>
  reading.then(
    () => undefined,
    (error: StorageError) => error.code,
  )

beforeEach(() => {
  now = Date.UTC(2026, 0, 1)
})

describe('a token', () => {
  it('opens for a download what it was signed for, until it ends', async () => {
    const token = await tokens.download(url, 60, { owner, transform: 'width:10' })
    const times = { iat: now / 1000, exp: now / 1000 + 60 }
    const claims = { url, scope: 'download', owner, transform: 'width:10', ...times }
    expect(await tokens.readDownload(token, url)).toEqual(claims)
    now += 59_000
    expect(await tokens.readDownload(token, url)).toEqual(claims)
    now += 1_000
    expect(await refusal(tokens.readDownload(token, url))).toBe('ExpiredToken')
  })

  it('opens for an upload what it was signed for, for two hours', async () => {
    const token = await tokens.upload(url, { owner: null, upsert: true })
    now += 2 * 60 * 60_000 - 1_000
    expect(await tokens.readUpload(token, url)).toMatchObject({ owner: null, upsert: true })
    now += 1_000
    expect(await refusal(tokens.readUpload(token, url))).toBe('ExpiredToken')
  })

  it('is for one purpose', async () => {
    const down = await tokens.download(url, 60, { owner })
    const up = await tokens.upload(url, { owner, upsert: true })
    expect(await refusal(tokens.readUpload(down, url))).toBe('InvalidSignature')
    expect(await refusal(tokens.readDownload(up, url))).toBe('InvalidSignature')
    const times = { iat: now / 1000, exp: now / 1000 + 60 }
    const both = { url, scope: 'download', owner, upsert: true, ...times }
    const token = await new SignJWT(both).setProtectedHeader({ alg: 'HS256' }).sign(key)
    expect(await tokens.readDownload(token, url)).toMatchObject({ url })
    expect(await refusal(tokens.readUpload(token, url))).toBe('InvalidSignature')
  })

  it.each([
    'pictures/0b6d9d2e/pack.PNG',
    'pictures/0b6d9d2e/pack.png/',
    'pictures/0b6d9d2e',
    'others/0b6d9d2e/pack.png',
    '',
  ])('is for one object, not for %s', async (other) => {
    expect(
      await refusal(tokens.readDownload(await tokens.download(url, 60, { owner }), other)),
    ).toBe('InvalidSignature')
    expect(
      await refusal(tokens.readUpload(await tokens.upload(url, { owner, upsert: false }), other)),
    ).toBe('InvalidSignature')
  })
})

describe('what is no token of ours', () => {
  const signed = (with_: Uint8Array, claims: object, alg = 'HS256') =>
    new SignJWT({ url, scope: 'download', owner, ...claims })
      .setProtectedHeader({ alg })
      .sign(with_)
  const seconds = () => now / 1000

  it('is one that was changed', async () => {
    const token = await tokens.download(url, 60, { owner })
    const [head, body, signature] = token.split('.')
    const longer = { ...decodeJwt(token), exp: seconds() + 600 }
    const changed = Buffer.from(JSON.stringify(longer)).toString('base64url')
    expect(await refusal(tokens.readDownload(`${head}.${changed}.${signature}`, url))).toBe(
      'InvalidJWT',
    )
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    expect(await refusal(tokens.readDownload(`${none}.${body}.`, url))).toBe('InvalidJWT')
    expect(await refusal(tokens.readDownload(`${none}.${changed}.${signature}`, url))).toBe(
      'InvalidJWT',
    )
    const alike = [`${token}x`, `${token} `, `${token}=`, token.slice(0, -4)]
    for (const text of ['', '.', '..', 'a.b.c', '\0', ...alike]) {
      expect(await refusal(tokens.readDownload(text, url))).toBe('InvalidJWT')
    }
  })

  it('is signed with a key for something else, or in another way', async () => {
    const ours = { iat: seconds(), exp: seconds() + 60 }
    expect(await tokens.readDownload(await signed(key, ours), url)).toMatchObject({ url })
    const other = secrets.key('order images')
    expect(await refusal(tokens.readDownload(await signed(other, ours), url))).toBe('InvalidJWT')
    const wide = Buffer.concat([key, key])
    expect(await refusal(tokens.readDownload(await signed(wide, ours, 'HS512'), url))).toBe(
      'InvalidJWT',
    )
  })

  it('lives longer than any that we sign, or for ever', async () => {
    const read = async (claims: object) => tokens.readDownload(await signed(key, claims), url)
    const week = seconds() + MAX_SIGNED_URL_SECONDS
    expect(await read({ iat: seconds(), exp: week })).toMatchObject({ url })
    expect(await refusal(read({ iat: seconds(), exp: week + 1 }))).toBe('InvalidJWT')
    expect(await refusal(read({ exp: seconds() + 60 }))).toBe('InvalidSignature')
    expect(await refusal(read({ iat: seconds() }))).toBe('InvalidSignature')
  })
})
