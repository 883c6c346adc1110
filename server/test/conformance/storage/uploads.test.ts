import { Readable } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawn } from '../../pictures.ts'
import { textLike } from '../matchers.ts'
import { type Client, clientOf, ok, refusal } from './clients.ts'
import { storageServer } from './storage-server.ts'

let made = 0
/** An unused name in the pharmacy's folder. */
const newName = () => `${server.own}/file ${(made += 1)}.txt`

const server = await storageServer()
const admin = clientOf(server, server.as.admin)
await ok(
  admin.createBucket('pictures', {
    public: false,
    fileSizeLimit: '10KB',
    allowedMimeTypes: ['image/*', 'text/csv'],
  }),
)

const text = 'Ricetta di prova, perché no: àèìòù'
const bytes = new TextEncoder().encode(text)
const csv = { contentType: 'text/csv' }

function form(field: string): FormData {
  const data = new FormData()
  data.append(field, new Blob([text], { type: 'text/csv' }))
  return data
}

/** The bodies that clients accept, and the resulting types. */
const bodies: Record<string, [() => Parameters<BucketFiles['upload']>[1], object, string]> = {
  'a Blob': [() => new Blob([text], { type: 'text/csv' }), {}, 'text/csv'],
  'a File': [() => new File([text], 'conti.csv', { type: 'text/csv' }), {}, 'text/csv'],
  'a form without a name': [() => form(''), {}, 'text/csv'],
  'a form with a name': [() => form('file'), {}, 'text/csv'],
  'a Buffer': [() => Buffer.from(text), csv, 'text/csv'],
  'an ArrayBuffer': [() => bytes.slice().buffer, csv, 'text/csv'],
  'an array of bytes': [() => bytes, csv, 'text/csv'],
  'a text': [() => text, {}, 'text/plain;charset=UTF-8'],
  'a stream of Node': [
    () => Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]),
    { ...csv, duplex: 'half' },
    'text/csv',
  ],
  'a stream of browsers': [() => new Blob([text]).stream(), { ...csv, duplex: 'half' }, 'text/csv'],
  'a query': [() => new URLSearchParams(`a=${text}`), csv, 'text/csv'],
}

type BucketFiles = ReturnType<Client['from']>

describe('uploads', () => {
  let files: BucketFiles
  let pictures: BucketFiles

  beforeAll(() => {
    const client = clientOf(server, server.as.own)
    files = client.from('pharmacies')
    pictures = client.from('pictures')
  })

  const read = async (name: string) => (await ok(files.download(name))).text()

  it.each(Object.entries(bodies))('of %s are kept as they are', async (kind, given) => {
    const [body, options, type] = given
    const sent = kind === 'a query' ? new URLSearchParams(`a=${text}`).toString() : text
    const name = newName()
    const done = await ok(files.upload(name, body(), options))
    const id = textLike(/^[0-9a-f-]{36}$/)
    expect(done).toEqual({ id, path: name, fullPath: `pharmacies/${name}` })
    const found = await ok(files.download(name))
    expect(await found.text()).toBe(sent)
    expect(found.type.replaceAll(' ', '').toLowerCase()).toBe(type.toLowerCase())
    expect(await ok(files.info(name))).toMatchObject({
      id: done.id,
      size: Buffer.byteLength(sent),
      cacheControl: 'max-age=3600',
    })
    const { token } = await ok(files.createSignedUploadUrl(`${name}.2`))
    const anonymous = clientOf(server).from('pharmacies')
    await ok(anonymous.uploadToSignedUrl(`${name}.2`, token, body(), options))
    expect(await read(`${name}.2`)).toBe(sent)
  })

  it('take the place of what was there', async () => {
    const name = newName()
    const { id } = await ok(files.upload(name, 'the old one'))
    const before = await ok(files.info(name))
    const done = await ok(files.update(name, text))
    expect(done).toEqual({ id, path: name, fullPath: `pharmacies/${name}` })
    expect(await read(name)).toBe(text)
    const after = await ok(files.info(name))
    expect(after.version).not.toBe(before.version)
    expect(after.etag).not.toBe(before.etag)
  })

  it('keep what is said of them', async () => {
    const metadata = { cliente: 'Rossi', parti: [1, 2], è: 'così' }
    for (const body of [new Blob([text]), text]) {
      const name = newName()
      await ok(files.upload(name, body, { cacheControl: '60', metadata }))
      expect(await ok(files.info(name))).toMatchObject({ cacheControl: 'max-age=60', metadata })
    }
  })

  it('are refused where something is, unless they may take its place', async () => {
    const name = newName()
    await ok(files.upload(name, 'first'))
    expect(await refusal(files.upload(name, 'second'))).toEqual({
      status: 409,
      message: 'The resource already exists',
    })
    expect(await read(name)).toBe('first')
    await ok(files.upload(name, 'third', { upsert: true }))
    expect(await read(name)).toBe('third')
    await ok(files.upload(newName(), 'new', { upsert: true }))
  })

  it('may change what is not there yet', async () => {
    const name = newName()
    await ok(files.update(name, text))
    expect(await read(name)).toBe(text)
  })

  it('have the types and the size that the bucket takes', async () => {
    const png = await drawn().png().toBuffer()
    await ok(pictures.upload(`${newName()}.png`, png, { contentType: 'image/png' }))
    await ok(pictures.upload(`${newName()}.csv`, 'a;b', csv))
    expect(await refusal(pictures.upload(newName(), text))).toMatchObject({
      status: 415,
      message: textLike(/^mime type text\/plain.* is not supported$/),
    })
    const large = Buffer.alloc(10_001, 'a')
    expect(await refusal(pictures.upload(newName(), large, csv))).toEqual({
      status: 413,
      message: 'The object exceeded the maximum allowed size',
    })
    const blob = new Blob([large], { type: 'text/csv' })
    expect((await refusal(pictures.upload(newName(), blob))).status).toBe(413)
    await ok(pictures.upload(newName(), large.subarray(1), csv))
  })

  it('of nothing are kept', async () => {
    for (const body of ['', Buffer.alloc(0), new Blob([])]) {
      const name = newName()
      await ok(files.upload(name, body))
      expect((await ok(files.download(name))).size).toBe(0)
    }
  })

  it('keep every sign that names may have, and have no others', async () => {
    const end = "a-_ !.*'()&$@=;:+,x.txt"
    const name = `${server.own}/${end}`
    const bad = `${server.own}/${encodeURIComponent('a\\b')}`
    expect((await refusal(files.upload(bad, text))).status).toBe(400)
    await files.remove([name])
    await ok(files.upload(name, text))
    expect(await read(name)).toBe(text)
    expect((await ok(files.list(server.own, { limit: 1000 }))).map((file) => file.name)).toContain(
      end,
    )
  })

  it('are not taken from others', async () => {
    const name = newName()
    await ok(files.upload(name, 'mine'))
    for (const who of ['other', 'closed', 'stranger', 'anonymous'] as const) {
      const theirs = clientOf(server, server.as[who]).from('pharmacies')
      for (const call of [
        theirs.upload(newName(), text),
        theirs.upload(name, text, { upsert: true }),
        theirs.update(name, text),
      ]) {
        expect((await refusal(call)).status).toBe(403)
      }
    }
    expect(await read(name)).toBe('mine')
  })
})
