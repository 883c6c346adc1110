import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { compressLargeAnswers } from './compress-answers.ts'

const large = { items: Array.from({ length: 5_000 }, (_, n) => `Farmacia àèìòù ${n}`) }

function served() {
  const app = Fastify()
  compressLargeAnswers(app)
  app.get('/large', () => large)
  app.get('/small', () => ({ items: large.items.slice(0, 20) }))
  return (url: string, accepted: string) =>
    app.inject({ url, headers: { 'accept-encoding': accepted } })
}

it.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip, deflate', 'gzip', gunzipSync],
])('a large answer is compressed as %s allows', async (accepted, encoding, decompress) => {
  const { headers, rawPayload } = await served()('/large', accepted)
  expect(headers['content-encoding']).toBe(encoding)
  expect(headers['content-length']).toBe(String(rawPayload.length))
  expect(JSON.parse(decompress(rawPayload).toString())).toEqual(large)
})

it.each([
  ['/large', 'identity', 5_000],
  ['/small', 'gzip, br', 20],
])('%s for %s is sent as it is', async (url, accepted, count) => {
  const answer = await served()(url, accepted)
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(answer.json()).toEqual({ items: large.items.slice(0, count) })
})
