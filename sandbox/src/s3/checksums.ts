import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { badDigest, notImplemented } from './s3-error.ts'

/** The checksum algorithms by their S3 names; results in base64. */
const checksums: Record<string, (content: Uint8Array) => string> = {
  'x-amz-checksum-crc32': (content) => {
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(content))
    return sum.toString('base64')
  },
  'x-amz-checksum-sha1': (content) => createHash('sha1').update(content).digest('base64'),
  'x-amz-checksum-sha256': (content) => createHash('sha256').update(content).digest('base64'),
  'content-md5': (content) => createHash('md5').update(content).digest('base64'),
}

/** Compares the stated checksums with the content. @throws S3Error */
export function checkChecksums(said: Record<string, unknown>, content: Uint8Array): void {
  for (const [name, value] of Object.entries(said)) {
    const checksum = checksums[name]
    if (/^x-amz-checksum-(?:crc32c|crc64nvme)$/.test(name)) throw notImplemented()
    if (checksum && checksum(content) !== value) throw badDigest(name)
  }
}
