import { setTimeout as pause } from 'node:timers/promises'
import type * as Sdk from '@aws-sdk/client-s3'
import { z } from 'zod'
import { FileStoreError } from '../../ports/file-store.ts'

export type S3ClientOptions = {
  /** Undefined: Amazon's own. */
  endpoint: string | undefined
  region: string
  /** Undefined: the environment's own way of AWS. */
  keys: { id: string; secret: string } | undefined
  /** Milliseconds for one try. */
  timeLimitMs?: number
  /** Milliseconds in which nothing comes or goes. */
  silenceLimitMs?: number
  /** Milliseconds before the first repetition; they double. */
  retryMs?: number
}

/** One try of something, which `limit` ends; who finds that it makes no sense ends it so as well. */
type Try<T> = (s3: { client: Sdk.S3Client; sdk: typeof Sdk; limit: AbortController }) => Promise<T>

const Answered = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) })

const MOST_TRIES = 3

const agent = { keepAlive: true, maxSockets: 250 }

/** Refusals that may pass, besides every 5xx. */
const passing = new Set([408, 429])

/** Names of refusals that say that there is no such file. */
const absent = new Set(['NoSuchKey', 'NotFound'])

/** Requests to S3, or what speaks as it does, each with its limits and a few repetitions. */
export function createS3Client(options: S3ClientOptions) {
  const { timeLimitMs = 60_000, silenceLimitMs = 15_000, retryMs = 200 } = options
  let opening: Promise<{ client: Sdk.S3Client; sdk: typeof Sdk }> | undefined

  async function open() {
    // Large, and not needed by who keeps files on its own disk.
    const sdk = await import('@aws-sdk/client-s3')
    const { keys, endpoint, region } = options
    const config: Sdk.S3ClientConfig = {
      region,
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...(keys && { credentials: { accessKeyId: keys.id, secretAccessKey: keys.secret } }),
      // Repeated here: it would not repeat what is sent from a file.
      maxAttempts: 1,
      // Checksums that only Amazon knows. What is sent is signed with its hash, which all check.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      expectContinueHeader: false,
      requestHandler: {
        connectionTimeout: 5_000,
        socketTimeout: silenceLimitMs,
        // One for everybody who is being sent a file, at the pace of a phone.
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
     * Tries it until it does not fail with what may pass: so it must be the same done twice.
     *
     * @returns undefined when there is no such file
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
          if (!passes || tries === MOST_TRIES) throw asFailure(error, status, name)
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

/** On Node 20 its maker says, to whoever starts this, when later versions will not run there. */
const NO_WARNING = 'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'

/** The only switch is in the environment: it is as it was before anybody else looks. */
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

/** Its name and not itself as the cause: what S3 says of a refusal quotes the keys and what was signed. */
function asFailure(error: unknown, status: number | undefined, name: string): FileStoreError {
  if (error instanceof FileStoreError) return error
  if (status === undefined) return new FileStoreError(`no answer from S3 (${name})`)
  return new FileStoreError(`S3 answered ${status} (${name})`)
}

/** What it has to say is said by our errors. */
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
