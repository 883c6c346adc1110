import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type S3Sandbox, startS3 } from '@bancone/sandbox/s3'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { failureOf as errorOf } from '../../../test/failure-of.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { FileStoreError } from '../../ports/file-store.ts'
import { createS3Files, type S3FilesOptions } from './s3-files.ts'

let s3: S3Sandbox

beforeEach(async () => {
  s3 = await startS3()
  onTestFinished(() => s3.close())
})

function filesWith(options: Partial<S3FilesOptions> = {}) {
  const { url: endpoint, bucket, region, keys } = s3
  const usual = { endpoint, bucket, region, keys, folder: 'pictures', retryMs: 1 }
  const files = createS3Files({ ...usual, ...options })
  onTestFinished(() => files.close())
  return files
}

const bytes = Buffer.from('0123456789')

const source = async () => {
  const path = join(await temporaryFolder(), 'source')
  await writeFile(path, bytes)
  return { path }
}

const failureOf = (work: Promise<unknown>) => errorOf(work, FileStoreError)

describe('files in S3', () => {
  // Must be the first test: the warning is printed only once.
  it('are kept without a word about the version of Node', async () => {
    const before = { ...process.env }
    const warn = vi.spyOn(process, 'emitWarning')
    onTestFinished(() => warn.mockRestore())
    await filesWith().put('a/one', bytes, 'image/webp')
    expect(warn).not.toHaveBeenCalled()
    expect(process.env).toEqual(before)
  })

  it('are objects of a folder of the bucket, with their type', async () => {
    const files = filesWith()
    await files.put('a/one', bytes, 'image/webp')
    await files.put('a/two', await source(), 'image/avif')
    expect(s3.names()).toEqual(['pictures/a/one', 'pictures/a/two'])
    expect(s3.object('pictures/a/one')?.headers['content-type']).toBe('image/webp')
    expect(s3.object('pictures/a/two')?.headers['content-type']).toBe('image/avif')
  })

  it('are refused when they are not what they were when they began to be put', async () => {
    const file = await source()
    s3.fail({ mode: '500', times: 1 })
    const putting = failureOf(filesWith({ retryMs: 1_000 }).put('a/one', file, 'image/webp'))
    await vi.waitUntil(() => s3.requests() === 1, { interval: 1 })
    await writeFile(file.path, '9876543210')
    expect((await putting).message).toBe('S3 answered 400 (XAmzContentSHA256Mismatch)')
    expect(s3.names()).toEqual([])
  })

  it('are asked for when they are needed, and not before', async () => {
    const files = filesWith()
    files.close()
    expect(s3.requests()).toBe(0)
    await files.open('a/one')
    expect(s3.requests()).toBe(1)
  })
})

describe('a failure of S3 that may pass', () => {
  const modes = ['500', 'slow-down', 'hang-up', 'lost-reply'] as const

  it.each(modes)('is met by trying again: %s', async (mode) => {
    const files = filesWith()
    s3.fail({ mode, times: 2 })
    await files.put('a/bytes', bytes, 'image/webp')
    s3.fail({ mode, times: 2 })
    await files.put('a/file', await source(), 'image/webp')
    expect(s3.object('pictures/a/file')?.content).toEqual(bytes)
    s3.fail({ mode, times: 2 })
    const file = await files.open('a/bytes')
    expect(file && (await text(file.stream))).toBe('0123456789')
    s3.fail({ mode, times: 2 })
    await files.remove('a/bytes')
    expect(s3.names()).toEqual(['pictures/a/file'])
    expect(s3.requests()).toBe(12)
  })

  it.each(modes)('is told after three tries: %s', async (mode) => {
    const files = filesWith()
    s3.fail({ mode })
    await failureOf(files.put('a/bytes', bytes, 'image/webp'))
    await failureOf(files.put('a/file', await source(), 'image/webp'))
    await failureOf(files.open('a/bytes'))
    await failureOf(files.remove('a/bytes'))
    expect(s3.requests()).toBe(12)
  })

  it.each<[string, Partial<S3FilesOptions>]>([
    ['no answer in time', { timeLimitMs: 50 }],
    ['silence', { silenceLimitMs: 50 }],
  ])('such as %s has an end', async (_what, options) => {
    const files = filesWith(options)
    s3.fail({ mode: 'slow' })
    await failureOf(files.put('a/bytes', bytes, 'image/webp'))
    await failureOf(files.put('a/file', await source(), 'image/webp'))
    await failureOf(files.open('a/bytes'))
    await failureOf(files.remove('a/bytes'))
  })

  it('is told when S3 is not there', async () => {
    const files = filesWith({ endpoint: 'http://127.0.0.1:1' })
    const { message } = await failureOf(files.open('a/one'))
    expect(message).toMatch(/^no answer from S3 \(\w+\)$/)
  })

  it.each(['truncated', 'stalled'] as const)(
    'in the middle of a file ends the stream with an error: %s',
    async (mode) => {
      await filesWith().put('a/one', bytes, 'image/webp')
      s3.fail({ mode })
      const file = await filesWith({ silenceLimitMs: 100 }).open('a/one')
      expect(file?.bytes).toBe(10)
      await expect(file && text(file.stream)).rejects.toThrow()
    },
  )

  it('is not a slow reader of a body that has begun to arrive', async () => {
    const timeLimitMs = 250
    await filesWith().put('a/one', bytes, 'image/webp')
    const file = await filesWith({ timeLimitMs }).open('a/one')
    await pause(timeLimitMs + 50)
    expect(file && (await text(file.stream))).toBe('0123456789')
  })
})

describe('a refusal of S3', () => {
  it.each<[string, Partial<S3FilesOptions>, string]>([
    [
      'of our key',
      { keys: { id: 'AKIAOTHER', secret: 'x' } },
      'S3 answered 403 (InvalidAccessKeyId)',
    ],
    [
      'of our signature',
      { keys: { id: 'AKIASANDBOX', secret: 'top-secret' } },
      'S3 answered 403 (SignatureDoesNotMatch)',
    ],
    ['of our bucket', { bucket: 'missing' }, 'S3 answered 404 (NoSuchBucket)'],
  ])('%s is told once, without what it quotes', async (_what, options, message) => {
    const files = filesWith(options)
    for (const work of [
      () => files.put('a/one', bytes, 'image/webp'),
      () => files.open('a/one'),
      () => files.remove('a/one'),
    ]) {
      const error = await failureOf(work())
      expect(error.message).toBe(message)
      expect(error.cause).toBeUndefined()
    }
    expect(s3.requests()).toBe(3)
  })
})
