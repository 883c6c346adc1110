import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { confirmsKey, newKeyText, readKeys, textOfKey } from './backup-key.ts'
import { seal, unseal } from './sealed.ts'

const MIB = 1024 * 1024
const keys = readKeys(newKeyText())

async function sealed(content: Buffer, name = 'one'): Promise<Buffer> {
  return buffer(seal(pieces(content), keys[0], name))
}

async function* pieces(content: Buffer, size = 100_000) {
  for (let start = 0; start < content.length; start += size) {
    yield content.subarray(start, start + size)
  }
}

const opened = (bytes: Buffer, { ring = keys, name = 'one' } = {}) =>
  buffer(unseal(pieces(bytes), ring, name))

const content = Buffer.alloc(2 * MIB + 5, 'Maria Rossi ')

describe('a sealed stream', () => {
  it.each([0, 1, MIB - 1, MIB, MIB + 1, 2 * MIB])('is opened again: %d bytes', async (bytes) => {
    const part = content.subarray(0, bytes)
    expect((await opened(await sealed(part))).equals(part)).toBe(true)
  })

  it('shows nothing of its content, nor that two are the same', async () => {
    const [one, other] = [await sealed(content), await sealed(content)]
    expect(one.includes('Rossi')).toBe(false)
    expect(one.subarray(24, 100).equals(other.subarray(24, 100))).toBe(false)
  })

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['a byte differs', (bytes) => flipped(bytes, bytes.length - 3)],
    ['a byte of the header differs', (bytes) => flipped(bytes, 12)],
    ['the end is missing', (bytes) => bytes.subarray(0, bytes.length - 1)],
    ['the last chunk is missing', (bytes) => bytes.subarray(0, 24 + 2 * (MIB + 16))],
    ['something follows', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])],
    ['chunks have changed places', swapped],
    ['there is nothing', () => Buffer.alloc(0)],
  ])('is refused where %s', async (_what, change) => {
    const bytes = change(Buffer.from(await sealed(content)))
    await expect(opened(bytes)).rejects.toMatchObject({ kind: 'damaged' })
  })

  it('is refused under another name, and with another key', async () => {
    const bytes = await sealed(content)
    await expect(opened(bytes, { name: 'two' })).rejects.toMatchObject({ kind: 'damaged' })
    const ring = readKeys(newKeyText())
    await expect(opened(bytes, { ring })).rejects.toMatchObject({ kind: 'key_unusable' })
    const rotated = readKeys(`${newKeyText()}\n${textOfKey(keys[0])}`)
    expect((await opened(bytes, { ring: rotated })).length).toBe(content.length)
  })
})

describe('a key', () => {
  it('is read as it was printed, whatever was made of spaces and letters', () => {
    const text = textOfKey(keys[0])
    const typed = text.toLowerCase().replaceAll('-', ' ')
    expect(readKeys(typed)[0]).toEqual(keys[0])
    expect(confirmsKey(keys[0], typed.slice(-9))).toBe(true)
    expect(confirmsKey(keys[0], typed.slice(-8))).toBe(false)
  })

  it.each(['', 'ABCD-EFGH', `${newKeyText()}A`, newKeyText().replace(/.$/, 'B'), '1'.repeat(52)])(
    'is refused when it is not whole: %s',
    (text) => {
      expect(() => readKeys(text)).toThrow()
    },
  )
})

function flipped(bytes: Buffer, at: number): Buffer {
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  return bytes
}

function swapped(bytes: Buffer): Buffer {
  const [header, one, two] = [
    bytes.subarray(0, 24),
    bytes.subarray(24, 24 + MIB + 16),
    bytes.subarray(24 + MIB + 16, 24 + 2 * (MIB + 16)),
  ]
  return Buffer.concat([header, two, one, bytes.subarray(24 + 2 * (MIB + 16))])
}
