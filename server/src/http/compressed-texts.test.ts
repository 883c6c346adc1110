import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compressText, encodingFor } from './compressed-texts.ts'

describe('what a browser takes', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.1', 'br'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['gzip;q=0, *;q=0', 'identity'],
    ['deflate', 'identity'],
    ['brotli', 'identity'],
  ])('by %j is %s', (accepted, encoding) => expect(encodingFor(accepted)).toBe(encoding))
})

describe('a text', () => {
  const text = '<p>Più di 10 €</p>'.repeat(500)

  it('is the same in every encoding, and smaller', async () => {
    const finished = await compressText(text)
    expect(brotliDecompressSync(finished.br).toString()).toBe(text)
    expect(gunzipSync(finished.gzip).toString()).toBe(text)
    expect(finished.br.byteLength).toBeLessThan(text.length / 10)
  })

  it('has the name of its content', async () => {
    const { tag } = await compressText(text)
    expect(tag).toMatch(/^"[\w-]{22}"$/)
    expect((await compressText(text)).tag).toBe(tag)
    expect((await compressText(`${text} `)).tag).not.toBe(tag)
  })
})
