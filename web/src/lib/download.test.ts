import { downloadOrderExport } from '@bancone/contract/order-exports'
import { expect, test } from 'vitest'
import { serverWith, storeSession } from '../../test/render-app.tsx'
import { failure, rawReply } from '../../test/stub-api.ts'
import { download } from './download.ts'

const params = { exportId: '3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d41' }
const bytes = (text: string) => new TextEncoder().encode(text)

/** Asks a server for a file that comes as this stream does. */
function take(
  source: UnderlyingDefaultSource<Uint8Array>,
  options: { idleTimeoutMs?: number } = {},
) {
  const api = serverWith([]).on(downloadOrderExport, () =>
    rawReply(new ReadableStream(source) as ReadableStream<Uint8Array<ArrayBuffer>>, 200),
  )
  api.install()
  storeSession()
  const own = new AbortController()
  return {
    own,
    file: download(downloadOrderExport, { params }, { signal: own.signal, ...options }),
  }
}

test('a file is what came, to the last byte', async () => {
  const { file } = take({
    start(stream) {
      stream.enqueue(bytes('uno;'))
      stream.enqueue(bytes('due'))
      stream.close()
    },
  })
  expect(await (await file).text()).toBe('uno;due')
})

test('what the server refuses is its error', async () => {
  const api = serverWith([]).on(downloadOrderExport, () => failure('exports.taken'))
  api.install()
  storeSession()
  const { signal } = new AbortController()
  await expect(download(downloadOrderExport, { params }, { signal })).rejects.toMatchObject({
    name: 'ApiError',
    code: 'exports.taken',
  })
})

test('a connection that breaks leaves no file', async () => {
  const { file } = take({
    start: (stream) => stream.enqueue(bytes('uno;')),
    pull: (stream) => stream.error(new TypeError('terminated')),
  })
  await expect(file).rejects.toMatchObject({ name: 'IncompleteDownloadError' })
})

test('so does one that goes silent', async () => {
  const { file } = take({ start: (stream) => stream.enqueue(bytes('uno;')) }, { idleTimeoutMs: 30 })
  await expect(file).rejects.toMatchObject({ name: 'IncompleteDownloadError' })
})

test('one that is given up ends at once, and not as a failure', async () => {
  const { own, file } = take({ start: (stream) => stream.enqueue(bytes('uno;')) })
  setTimeout(() => own.abort(), 10)
  await expect(file).rejects.toMatchObject({ name: 'AbortError' })
})
