import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { describe, expect, it } from 'vitest'
import { officialS3, startS3Sandbox } from '../test/start-s3.ts'
import type { S3Sandbox } from './s3.ts'

const Bucket = 'bancone'
const Key = 'a folder/città & "co".txt'

async function start() {
  const s3 = await startS3Sandbox()
  return { s3, client: officialS3(s3) }
}

const put = (client: S3Client, input: Partial<PutObjectCommandInput> = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body: 'hello', ...input }))

async function textOf(client: S3Client, Range?: string) {
  const reply = await client.send(new GetObjectCommand({ Bucket, Key, ...(Range && { Range }) }))
  return reply.Body?.transformToString()
}

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof S3ServiceException)) throw new Error('not a refusal of S3')
  return [error.$metadata.httpStatusCode, error.name]
}

describe('objects', () => {
  it('are put, looked at, replaced, and removed', async () => {
    const { client } = await start()
    await client.send(new HeadBucketCommand({ Bucket }))
    await put(client, { Body: 'old' })
    await put(client, { ContentType: 'text/plain', Metadata: { note: 'n' }, CacheControl: 'x' })
    const head = await client.send(new HeadObjectCommand({ Bucket, Key }))
    expect(head).toMatchObject({
      ContentLength: 5,
      ContentType: 'text/plain',
      CacheControl: 'x',
      Metadata: { note: 'n' },
      ETag: `"${createHash('md5').update('hello').digest('hex')}"`,
    })
    expect(await textOf(client)).toBe('hello')
    await client.send(new DeleteObjectCommand({ Bucket, Key }))
    await client.send(new DeleteObjectCommand({ Bucket, Key }))
    expect(await refusalOf(textOf(client))).toEqual([404, 'NoSuchKey'])
    const gone = client.send(new HeadObjectCommand({ Bucket, Key }))
    expect(await refusalOf(gone)).toEqual([404, 'NotFound'])
  })

  it('are given in part', async () => {
    const { client } = await start()
    await put(client)
    for (const [Range, text, ContentRange] of [
      ['bytes=0-0', 'h', 'bytes 0-0/5'],
      ['bytes=3-', 'lo', 'bytes 3-4/5'],
      ['bytes=-9', 'hello', 'bytes 0-4/5'],
      ['bytes=1-99', 'ello', 'bytes 1-4/5'],
      ['lines=1-2', 'hello', undefined],
    ]) {
      const reply = await client.send(new GetObjectCommand({ Bucket, Key, Range }))
      expect(await reply.Body?.transformToString(), Range).toBe(text)
      expect(reply.ContentRange, Range).toBe(ContentRange)
    }
    expect(await refusalOf(textOf(client, 'bytes=5-9'))).toEqual([416, 'InvalidRange'])
  })

  it('are given on conditions', async () => {
    const { client } = await start()
    const { ETag } = await put(client)
    const get = (conditions: object) =>
      client.send(new GetObjectCommand({ Bucket, Key, ...conditions }))
    expect(await refusalOf(get({ IfNoneMatch: ETag }))).toEqual([304, 'Unknown'])
    expect(await refusalOf(get({ IfMatch: '"x"' }))).toEqual([412, 'PreconditionFailed'])
    expect((await get({ IfMatch: ETag })).ContentLength).toBe(5)
  })
})

describe('a body', () => {
  const content = Buffer.alloc(300_000, 'é')
  const body = () => Readable.from([content.subarray(0, 100_000), content.subarray(100_000)])

  it('may come in parts, with its checksum after them', async () => {
    const { s3, client } = await start()
    await put(client, { Body: body(), ContentLength: content.length, ChecksumAlgorithm: 'SHA256' })
    await put(client, { Key: 'other', Body: body(), ContentLength: content.length })
    expect(s3.object(Key)?.content.equals(content)).toBe(true)
    expect(s3.object('other')?.content.equals(content)).toBe(true)
    expect(s3.object(Key)?.headers['content-encoding']).toBeUndefined()
  })

  it.each<[string, Partial<PutObjectCommandInput>, string]>([
    ['SHA-256', { ChecksumSHA256: 'A'.repeat(43) + '=' }, 'BadDigest'],
    ['CRC-32', { ChecksumCRC32: 'AAAAAA==' }, 'BadDigest'],
    ['MD5', { ContentMD5: 'A'.repeat(22) + '==' }, 'BadDigest'],
  ])('that is not what its %s says is refused', async (_name, said, code) => {
    const { s3, client } = await start()
    expect(await refusalOf(put(client, said))).toEqual([400, code])
    expect(s3.names()).toEqual([])
  })

  it('that was changed on the way is refused', async () => {
    const { s3, client } = await start()
    const command = new PutObjectCommand({ Bucket, Key, Body: 'hello' })
    command.middlewareStack.add(
      (next) => (args) => {
        Object.assign(args.request ?? {}, { body: 'hullo' })
        return next(args)
      },
      { step: 'finalizeRequest', priority: 'low' },
    )
    expect(await refusalOf(client.send(command))).toEqual([400, 'XAmzContentSHA256Mismatch'])
    expect(s3.names()).toEqual([])
  })
})

describe('a signature', () => {
  it.each<[string, (s3: S3Sandbox) => S3Client, [number, string]]>([
    [
      'of another secret',
      (s3) => officialS3(s3, { credentials: { accessKeyId: s3.keys.id, secretAccessKey: 'x' } }),
      [403, 'SignatureDoesNotMatch'],
    ],
    [
      'of an unknown key',
      (s3) => officialS3(s3, { credentials: { accessKeyId: 'x', secretAccessKey: 'x' } }),
      [403, 'InvalidAccessKeyId'],
    ],
    [
      'for another region',
      (s3) => officialS3(s3, { region: 'us-west-2', followRegionRedirects: false }),
      [400, 'AuthorizationHeaderMalformed'],
    ],
    [
      'of another day',
      (s3) => officialS3(s3, { systemClockOffset: 24 * 3_600_000 }),
      [403, 'RequestTimeTooSkewed'],
    ],
  ])('%s is refused', async (_what, clientOf, refusal) => {
    const s3 = await startS3Sandbox()
    expect(await refusalOf(put(clientOf(s3)))).toEqual(refusal)
    expect(s3.names()).toEqual([])
  })

  it('is needed', async () => {
    const { s3 } = await start()
    const reply = await fetch(`${s3.url}/${Bucket}/one`)
    expect(reply.status).toBe(403)
    expect(await reply.text()).toContain('<Code>AccessDenied</Code>')
  })

  it('is for one path, one method and the headers as they were', async () => {
    const { s3, client } = await start()
    await put(client)
    const command = new GetObjectCommand({ Bucket, Key: 'one' })
    let headers: Record<string, string> = {}
    command.middlewareStack.add(
      (next) => (args) => {
        headers = { ...(args.request as { headers: Record<string, string> }).headers }
        return next(args)
      },
      { step: 'finalizeRequest', priority: 'low' },
    )
    await refusalOf(client.send(command))
    const ask = async (path: string, method = 'GET', changed = {}) =>
      (await fetch(s3.url + path, { method, headers: { ...headers, ...changed } })).status
    expect(await ask(`/${Bucket}/one?x-id=GetObject`)).toBe(404)
    expect(await ask(`/${Bucket}/two?x-id=GetObject`)).toBe(403)
    expect(await ask(`/${Bucket}/one`)).toBe(403)
    expect(await ask(`/${Bucket}/one?x-id=GetObject`, 'DELETE')).toBe(403)
    const hash = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }
    expect(await ask(`/${Bucket}/one?x-id=GetObject`, 'GET', hash)).toBe(403)
    expect(await ask(`/${Bucket}/one?x-id=GetObject`, 'GET', { 'x-amz-acl': 'a' })).toBe(403)
  })
})

describe('a listing', () => {
  async function filled() {
    const { client } = await start()
    for (const key of ['b/2', 'a', 'b/1', 'c/1/x', 'b/3', 'd&<']) await put(client, { Key: key })
    return async (input: object) => {
      const reply = await client.send(new ListObjectsV2Command({ Bucket, ...input }))
      return {
        keys: reply.Contents?.map((each) => each.Key) ?? [],
        prefixes: reply.CommonPrefixes?.map((each) => each.Prefix) ?? [],
        next: reply.NextContinuationToken,
      }
    }
  }

  it.each([undefined, '/'])('comes in pages, with the delimiter %s', async (Delimiter) => {
    const list = await filled()
    const whole = await list({ Delimiter })
    const keys: unknown[] = []
    const prefixes: unknown[] = []
    let token: string | undefined
    do {
      const page = await list({ MaxKeys: 1, Delimiter, ContinuationToken: token })
      expect(page.keys.length + page.prefixes.length).toBe(1)
      keys.push(...page.keys)
      prefixes.push(...page.prefixes)
      token = page.next
    } while (token !== undefined)
    expect({ keys, prefixes }).toEqual({ keys: whole.keys, prefixes: whole.prefixes })
  })
})
