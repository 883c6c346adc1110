import { setTimeout as pause } from 'node:timers/promises'
import type * as Sdk from '@aws-sdk/client-s3'
import { z } from 'zod'
import { FileStoreError } from '../../ports/file-store.ts'

export type S3ClientOptions = {
  /** Undefined: Amazon S3. */
  endpoint: string | undefined
  region: string
  /** Undefined: the default credential chain of AWS. */
  keys: { id: string; secret: string } | undefined
  /** Time limit of one attempt, in milliseconds. */
  timeLimitMs?: number
  /** Socket idle time-out, in milliseconds. */
  silenceLimitMs?: number
  /** Milliseconds before the first retry; doubled with each further one. */
  retryMs?: number
}

/** One attempt, which `limit` aborts. The attempt may also abort it itself, to prevent retries. */
type Try<T> = (s3: { client: Sdk.S3Client; sdk: typeof Sdk; limit: AbortController }) => Promise<T>

const Answered = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) })

const MAX_TRIES = 3

const agent = { keepAlive: true, maxSockets: 250 }

/** Transient error codes, besides every 5xx. */
const passing = new Set([408, 429])

/** Error codes for a missing file. */
const absent = new Set(['NoSuchKey', 'NotFound'])

/** A client for S3 and compatible services, with time limits and retries. */
export function createS3Client(options: S3ClientOptions) {
  const { timeLimitMs = 60_000, silenceLimitMs = 15_000, retryMs = 200 } = options
  let opening: Promise<{ client: Sdk.S3Client; sdk: typeof Sdk }> | undefined

  async function open() {
    // Imported dynamically: the library is large and not needed for local files.
    const sdk = await import('@aws-sdk/client-s3')
    const { keys, endpoint, region } = options
    const config: Sdk.S3ClientConfig = {
      region,
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...(keys && { credentials: { accessKeyId: keys.id, secretAccessKey: keys.secret } }),
      // Retried here: the library does not retry streamed uploads.
      maxAttempts: 1,
      // Only Amazon supports these checksums. Uploads are signed with their hash, which every service verifies.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      expectContinueHeader: false,
      requestHandler: {
        connectionTimeout: 5_000,
        socketTimeout: silenceLimitMs,
        // One socket for each file that is being sent to a client, possibly at the speed of a mobile connection.
        httpAgent: agent,
        httpsAgent: agent,
      },
      logger: silent,
    }
    return { client: withoutWarning(() => new sdk.S3Client(config)), sdk }
  }

  async function once<T>(attempt: Try<T>): Promise<T> {
    opening ??= open()
    const { client, sdk } = await opening
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), timeLimitMs)
    try {
      return await attempt({ client, sdk, limit })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    /**
     * Runs an idempotent operation and retries it after transient errors.
     *
     * @returns undefined when the file does not exist
     * @throws FileStoreError
     */
    async send<T>(attempt: Try<T>): Promise<T | undefined> {
      for (let tries = 1; ; tries += 1) {
        try {
          return await once(attempt)
        } catch (error) {
          const { status, name } = refusalOf(error)
          if (absent.has(name)) return undefined
          const passes = status === undefined || status >= 500 || passing.has(status)
          if (!passes || tries === MAX_TRIES) throw asFailure(error, status, name)
        }
        await pause(retryMs * 2 ** (tries - 1) * (0.5 + Math.random()))
      }
    },
    close() {
      opening?.then(
        ({ client }) => client.destroy(),
        () => {},
      )
    },
  }
}

/** Suppresses the library's warning about Node 20. */
const NO_WARNING = 'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'

/** The warning can only be disabled by an environment variable, which is restored at once. */
function withoutWarning<T>(make: () => T): T {
  const { env } = process
  const before = env[NO_WARNING]
  env[NO_WARNING] = 'true'
  try {
    return make()
  } finally {
    if (before === undefined) delete env[NO_WARNING]
    else env[NO_WARNING] = before
  }
}

function refusalOf(error: unknown): { status: number | undefined; name: string } {
  const name = error instanceof Error ? error.name : 'unknown'
  return { status: Answered.safeParse(error).data?.$metadata.httpStatusCode, name }
}

/** Without the error as cause: error responses of S3 quote the access key and the signed request. */
function asFailure(error: unknown, status: number | undefined, name: string): FileStoreError {
  if (error instanceof FileStoreError) return error
  if (status === undefined) return new FileStoreError(`no answer from S3 (${name})`)
  return new FileStoreError(`S3 answered ${status} (${name})`)
}

/** The library's own log is not needed: failures are reported as errors. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
