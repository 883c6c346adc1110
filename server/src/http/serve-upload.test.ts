import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoint } from '@bancone/contract/endpoint'
import Fastify from 'fastify'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { noSessions } from '../../test/no-sessions.ts'
import { rawConnection } from '../../test/raw-connection.ts'
import { createTemporaryFiles } from '../platform/temporary-files.ts'
import { handleErrors } from './error-handler.ts'
import { createServeUpload, type ReceivedFile } from './serve-upload.ts'

const MAX_BYTES = 1_000_000

const guarded = endpoint({
  method: 'POST',
  path: '/api/files',
  summary: 'Takes a file',
  audit: { none: 'a test' },
  access: 'pharmacy',
  upload: { maxBytes: MAX_BYTES, tooLargeCode: 'images.too_large' },
  response: z.object({ bytes: z.number() }),
  errors: ['images.too_large'],
})
const open = { ...guarded, path: '/api/open-files', access: 'public' } as const

let port: number
let url: string
let folder: string
/** What the handler does with a received file. */
let use: (file: ReceivedFile) => Promise<void>
let beforeReceiving: () => Promise<void>
/** The outcome of each upload. */
let outcomes: unknown[]

beforeEach(async () => {
  use = async () => {}
  beforeReceiving = async () => {}
  outcomes = []
  folder = await mkdtemp(join(tmpdir(), 'bancone-uploads-'))
  const app = Fastify()
  handleErrors(app)
  const serveUpload = createServeUpload(app, noSessions(), createTemporaryFiles(folder))
  for (const each of [guarded, open]) {
    serveUpload(each, async (_input, _session, upload) => {
      await beforeReceiving()
      try {
        const file = await upload.receive()
        await use(file)
        outcomes.push(file.bytes)
        return { bytes: file.bytes }
      } catch (error) {
        outcomes.push(error)
        throw error
      }
    })
  }
  app.post('/json', async (request) => request.body)
  onTestFinished(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  port = Number(new URL(url).port)
})

const line = () => rawConnection(port)

const head = (path: string, ...lines: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: here', ...lines, '', ''].join('\r\n')

async function post(
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = {},
  path: string = open.path,
) {
  const stream = body instanceof ReadableStream ? { duplex: 'half' as const } : {}
  const reply = await fetch(url + path, { method: 'POST', body, headers, ...stream })
  return [reply.status, await reply.json()]
}

/** A body without Content-Length. */
function streamOf(bytes: number) {
  const piece = new Uint8Array(100_000)
  let left = bytes
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(piece.subarray(0, Math.min(left, piece.length)))
      left -= piece.length
      if (left <= 0) controller.close()
    },
  })
}

describe('a file that is sent', () => {
  it('is complete until the request is answered, and is then removed', async () => {
    const content = Buffer.from('a\0b\r\n'.repeat(50_000))
    let found = Buffer.alloc(0)
    use = async ({ path }) => {
      found = await readFile(path)
    }
    expect(await post(content)).toEqual([200, { bytes: content.byteLength }])
    expect(found.equals(content)).toBe(true)
    expect(await readdir(folder)).toEqual([])
  })

  it.each(['', 'text/plain', 'application/json', 'multipart/form-data', 'image/png; x=y'])(
    'may be said to be of any type (%j)',
    async (type) => {
      const { socket, received } = await line()
      const lines = type === '' ? [] : [`Content-Type: ${type}`]
      socket.write(`${head(open.path, 'Content-Length: 3', ...lines)}{"a`)
      await vi.waitUntil(() => received().includes('{"bytes":3}'))
    },
  )

  it('may be empty, or not there at all', async () => {
    expect(await post('')).toEqual([200, { bytes: 0 }])
    const { socket, received } = await line()
    socket.write(head(open.path))
    await vi.waitUntil(() => received().includes('{"bytes":0}'))
  })

  it('may come again when the disk was full', async () => {
    use = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    const [status, said] = await post('x')
    expect([status, said]).toMatchObject([503, { code: 'service.unavailable' }])
  })

  it('changes nothing for what is no file', async () => {
    expect(await post('{"a":1}', { 'content-type': 'application/json' }, '/json')).toEqual([
      200,
      { a: 1 },
    ])
    const [status] = await post('x', { 'content-type': 'image/png' }, '/json')
    expect(status).toBe(400)
  })
})

describe('a caller who may not send', () => {
  it('is refused before anything is read', async () => {
    const { socket, received } = await line()
    socket.write(head(guarded.path, `Content-Length: ${MAX_BYTES}`))
    await vi.waitUntil(() => received().includes('session.missing'))
    expect(received()).toMatch(/^HTTP\/1.1 401 /)
    expect([outcomes, await readdir(folder)]).toEqual([[], []])
  })

  it('is refused also after the whole body was sent, on a connection that stays open', async () => {
    const body = new Uint8Array(MAX_BYTES)
    const [status] = await post(body, { authorization: 'Bearer x' }, guarded.path)
    expect(status).toBe(401)
    const { socket, received } = await line()
    socket.write(head(guarded.path, `Content-Length: ${MAX_BYTES}`))
    socket.write(body)
    socket.write(`${head(open.path, 'Content-Length: 1')}x`)
    await vi.waitUntil(() => received().includes('{"bytes":1}'))
    expect(received()).toMatch(/^HTTP\/1.1 401 /)
  })
})

describe('too much', () => {
  const tooLarge = [413, expect.objectContaining({ code: 'images.too_large' })]

  it('is a byte more than there may be', async () => {
    expect(await post(new Uint8Array(MAX_BYTES))).toEqual([200, { bytes: MAX_BYTES }])
    expect(await post(streamOf(MAX_BYTES))).toEqual([200, { bytes: MAX_BYTES }])
    expect(await post(new Uint8Array(MAX_BYTES + 1))).toEqual(tooLarge)
    expect(await post(streamOf(MAX_BYTES + 1))).toEqual(tooLarge)
    expect(await readdir(folder)).toEqual([])
  })

  it('is refused before it comes when its length is said', async () => {
    const { socket, received } = await line()
    socket.write(head(open.path, `Content-Length: ${MAX_BYTES + 1}`))
    await vi.waitUntil(() => received().includes('images.too_large'))
    expect(outcomes).toEqual([])
  })

  it('is not read without end: the connection is closed', async () => {
    const { socket, received } = await line()
    socket.write(head(open.path, 'Transfer-Encoding: chunked'))
    const piece = `40000\r\n${'x'.repeat(0x4_0000)}\r\n`
    let sent = 0
    while (!socket.destroyed && sent < 200 * 1024 * 1024) {
      sent += 0x4_0000
      if (socket.write(piece)) continue
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
    }
    expect(socket.destroyed).toBe(true)
    expect(sent).toBeGreaterThan(10 * 1024 * 1024)
    expect(received()).toMatch(/^HTTP\/1.1 413 /)
    expect(await readdir(folder)).toEqual([])
  })
})

describe('a client that disconnects', () => {
  it('in the middle leaves nothing', async () => {
    const { socket } = await line()
    socket.write(`${head(open.path, 'Content-Length: 1000')}the beginning`)
    await vi.waitUntil(async () => (await readdir(folder)).length === 1)
    socket.destroy()
    await vi.waitUntil(() => outcomes.length === 1)
    expect(outcomes).toMatchObject([{ code: 'request.invalid' }])
    await vi.waitUntil(async () => (await readdir(folder)).length === 0)
  })

  it('before it is received leaves nothing', async () => {
    let gone = () => {}
    const waiting = new Promise<void>((resolve) => {
      gone = resolve
    })
    beforeReceiving = () => waiting
    const { socket } = await line()
    socket.write(head(open.path, 'Content-Length: 1000'))
    socket.destroy()
    await once(socket, 'close')
    setTimeout(gone, 100)
    await vi.waitUntil(() => outcomes.length === 1)
    expect(outcomes).toMatchObject([{ code: 'request.invalid' }])
    await vi.waitUntil(async () => (await readdir(folder)).length === 0)
  })
})
