import { readdir, stat } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { storageServer } from '../../../test/conformance/storage/storage-server.ts'
import { testFileFolder } from '../../../test/temporary-folder.ts'

let count = 0

const folder = await testFileFolder()
const server = await storageServer({ files: { folder, s3: undefined } })

function freshName(): string {
  count += 1
  return `${server.own}/file-${count}`
}

async function left(place: string): Promise<string[]> {
  return readdir(join(folder, place)).catch(() => [])
}

const info = async (name: string) => {
  const reply = await fetch(`${server.url}/object/info/pharmacies/${name}`, {
    headers: server.as.own,
  })
  return (await reply.json()) as Record<string, unknown>
}

async function send(
  name: string,
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = {},
) {
  const reply = await fetch(`${server.url}/object/pharmacies/${name}`, {
    method: 'POST',
    headers: { ...server.as.own, ...headers },
    body,
    duplex: 'half',
  })
  return { status: reply.status, ...((await reply.json()) as { code?: string; message?: string }) }
}

/** A request whose body the test writes itself. */
function begin(name: string, headers: Record<string, string> = {}) {
  const url = `${server.url}/object/pharmacies/${name}`
  const all = { ...server.as.own, 'content-type': 'application/zip', ...headers }
  const request = httpRequest(url, { method: 'POST', headers: all })
  const answer = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      let text = ''
      response.on('data', (piece: Buffer) => {
        text += piece.toString()
      })
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
  })
  return { request, answer }
}

describe('a form', () => {
  it('says of its file what there is to say, before it or after it', async () => {
    for (const isBefore of [true, false]) {
      const form = new FormData()
      const file = new File(['ciao'], 'nome.txt', { type: 'text/plain' })
      if (!isBefore) form.append('qualunque', file)
      form.append('cacheControl', '60')
      form.append('metadata', JSON.stringify({ ordine: 7 }))
      if (isBefore) form.append('', file)
      const name = freshName()
      expect((await send(name, form)).status).toBe(200)
      expect(await info(name)).toMatchObject({
        size: 4,
        content_type: 'text/plain',
        cache_control: 'max-age=60',
        metadata: { ordine: 7 },
      })
    }
  })

  it.each([
    ['without a file', (form: FormData) => form.append('cacheControl', '60')],
    [
      'with two',
      (form: FormData) => {
        form.append('', new Blob(['a']))
        form.append('', new Blob(['b']))
      },
    ],
    [
      'with a field that is too long',
      (form: FormData) => {
        form.append('metadata', JSON.stringify({ a: 'a'.repeat(9_000) }))
        form.append('', new Blob(['a']))
      },
    ],
    [
      'with too many fields',
      (form: FormData) => {
        for (let field = 0; field < 11; field += 1) form.append(`f${field}`, 'x')
        form.append('', new Blob(['a']))
      },
    ],
    [
      'with metadata that are none',
      (form: FormData) => {
        form.append('metadata', '[1')
        form.append('', new Blob(['a']))
      },
    ],
  ])('%s is refused', async (_what, fill) => {
    const form = new FormData()
    fill(form)
    const name = freshName()
    expect(await send(name, form)).toMatchObject({ status: 400, code: 'InvalidRequest' })
    expect(await info(name)).toMatchObject({ code: 'NoSuchKey' })
    expect(await left('scratch')).toEqual([])
  })

  it.each([
    ['multipart/form-data', 'nothing of a form'],
    ['multipart/form-data; boundary=x', 'nothing of a form'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name=""; filename="a"\r\n\r\nbroken off',
    ],
    ['multipart/form-data; boundary=x', '--x\r\n: : :\r\n\r\na\r\n--x--'],
  ])('said to be %s that is none is refused', async (type, body) => {
    const reply = await send(freshName(), body, { 'content-type': type })
    expect(reply).toMatchObject({ status: 400, code: 'InvalidRequest' })
    expect(await left('scratch')).toEqual([])
  })
})

describe('a body', () => {
  it.each(['not base64 of JSON', btoa('[1]'), btoa('"a"'), btoa('{"a":"\\u0000"}')])(
    'with metadata %j is refused',
    async (metadata) => {
      const headers = { 'content-type': 'text/plain', 'x-metadata': metadata }
      const name = freshName()
      expect(await send(name, 'a', headers)).toMatchObject({ status: 400, code: 'InvalidRequest' })
      expect(await info(name)).toMatchObject({ code: 'NoSuchKey' })
    },
  )

  it.each([
    ['application/zip', ''],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name=""; filename="a"\r\n\r\n',
    ],
  ])('of type %s goes to the disk as it comes', async (type, before) => {
    const name = freshName()
    const { request, answer } = begin(name, { 'content-type': type })
    request.write(before)
    const pieces = 80
    const piece = Buffer.alloc(256 * 1024, 'x')
    for (let sent = 0; sent < pieces; sent += 1) {
      if (!request.write(piece)) await new Promise((resolve) => request.once('drain', resolve))
    }
    await vi.waitFor(async () => {
      const [file = ''] = await left('scratch')
      const { size } = await stat(join(folder, 'scratch', file))
      // Except for what the form parser buffers to detect a boundary.
      expect(size).toBeGreaterThan((pieces - 1) * piece.byteLength)
    })
    request.end(before === '' ? '' : '\r\n--x--')
    expect((await answer).status).toBe(200)
    expect(await info(name)).toMatchObject({ size: pieces * piece.byteLength })
    expect(await left('scratch')).toEqual([])
  })

  it.each([
    ['application/zip', 'half of'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name=""; filename="a"\r\n\r\nhalf of',
    ],
  ])('of type %s that breaks off leaves nothing', async (type, half) => {
    const name = freshName()
    const { request, answer } = begin(name, { 'content-type': type, 'content-length': '1000' })
    answer.catch(() => {})
    request.write(half)
    await vi.waitFor(async () => expect(await left('scratch')).toHaveLength(1))
    request.destroy()
    await vi.waitFor(async () => expect(await left('scratch')).toEqual([]))
    expect(await info(name)).toMatchObject({ code: 'NoSuchKey' })
    const { rows } = await server.database.pool.query(
      'select 1 from stored_files where unused_since is not null',
    )
    expect(rows).toEqual([])
  })

  it('by a link does not take the turns of who signed it', async () => {
    const name = freshName()
    const signed = await fetch(`${server.url}/object/upload/sign/pharmacies/${name}`, {
      method: 'POST',
      headers: server.as.own,
    })
    const { url } = (await signed.json()) as { url: string }
    const slow = Array.from({ length: 6 }, () => {
      const headers = { 'content-type': 'application/zip', 'content-length': '1000' }
      const request = httpRequest(`${server.url}${url}`, { method: 'PUT', headers })
      request.on('error', () => {})
      request.write('half of')
      return request
    })
    await vi.waitFor(async () => expect(await left('scratch')).toHaveLength(6))
    expect((await send(freshName(), 'a')).status).toBe(200)
    for (const request of slow) request.destroy()
    await vi.waitFor(async () => expect(await left('scratch')).toEqual([]))
  })

  it('is not read for who may not send it', async () => {
    const name = `${server.other}/file`
    const { request, answer } = begin(name, { 'content-length': '1000' })
    request.flushHeaders()
    // The response arrives although no body was sent.
    const { status, text } = await answer
    expect([status, JSON.parse(text)]).toMatchObject([403, { code: 'AccessDenied' }])
    request.destroy()
  })
})
