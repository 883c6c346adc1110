import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { onTestFinished } from 'vitest'
import { type S3Options, type S3Sandbox, startS3 } from '../src/s3.ts'

/** The sandbox, for one test. */
export async function startS3Sandbox(options: S3Options = {}): Promise<S3Sandbox> {
  const s3 = await startS3(options)
  onTestFinished(() => s3.close())
  return s3
}

/** The official AWS client, without retries. */
export function officialS3(s3: S3Sandbox, config: S3ClientConfig = {}): S3Client {
  const client = new S3Client({
    endpoint: s3.url,
    forcePathStyle: true,
    region: s3.region,
    credentials: { accessKeyId: s3.keys.id, secretAccessKey: s3.keys.secret },
    maxAttempts: 1,
    ...config,
  })
  onTestFinished(() => client.destroy())
  return client
}
