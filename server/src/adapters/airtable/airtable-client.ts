import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { SourceError, type SourceLocation } from '../../ports/order-source.ts'
import { type BaseLimiter, createBaseLimiter } from './base-limiter.ts'

export type AirtableOptions = {
  /** Without `/v0`. */
  apiUrl: string
  token: string
  fetch?: typeof globalThis.fetch
  now?: () => number
  /** Milliseconds a request may take. */
  timeLimitMs?: number
  /** Bytes a reply may have. */
  sizeLimit?: number
  /** Requests a second for a base, in this process. */
  perSecond?: number
  /** Milliseconds a base is left alone after it said 429. */
  silenceMs?: number
  /** Milliseconds before the first repetition; they double. */
  retryMs?: number
}

/** A reply that is an error of Airtable's own. */
export class AirtableRefusal extends Error {
  override readonly name = 'AirtableRefusal'
  readonly status: number
  readonly type: string

  constructor(status: number, type: string) {
    super(`Airtable answered ${status} ${type}`)
    this.status = status
    this.type = type
  }
}

type Call = {
  kind: 'read' | 'write'
  location: SourceLocation
  /** A record's id, for a call about one record. */
  recordId?: string
  query?: URLSearchParams
  body?: object
}

/** Both forms of its errors: a bare type, and a type with a message. */
const ErrorReply = z.object({ error: z.union([z.string(), z.object({ type: z.string() })]) })

const MOST_TRIES = 3

export type AirtableClient = ReturnType<typeof createAirtableClient>

/** Requests to Airtable, each with its limits, and the honest kind of repetition. */
export function createAirtableClient(options: AirtableOptions) {
  const {
    fetch = globalThis.fetch,
    timeLimitMs = 8_000,
    sizeLimit = 8 * 1024 * 1024,
    retryMs = 250,
  } = options
  const limiterOptions = {
    perSecond: options.perSecond ?? 4,
    silenceMs: options.silenceMs ?? 30_000,
    now: options.now ?? Date.now,
  }
  const limiters = new Map<string, BaseLimiter>()

  function limiterOf(baseId: string): BaseLimiter {
    const limiter = limiters.get(baseId) ?? createBaseLimiter(limiterOptions)
    limiters.set(baseId, limiter)
    return limiter
  }

  async function once(call: Call, limiter: BaseLimiter): Promise<unknown> {
    const { baseId, tableId } = call.location
    const path = [baseId, tableId, call.recordId].flatMap((part) => part ?? [])
    const url = new URL(`/v0/${path.map(encodeURIComponent).join('/')}`, options.apiUrl)
    url.search = call.query?.toString() ?? ''
    const reply = await fetch(url, {
      method: call.body ? 'PATCH' : 'GET',
      headers: {
        authorization: `Bearer ${options.token}`,
        ...(call.body && { 'content-type': 'application/json' }),
      },
      ...(call.body && { body: JSON.stringify(call.body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeLimitMs),
    })
    const text = await readBounded(reply, sizeLimit)
    if (reply.status === 429) {
      limiter.beSilent()
      throw new SourceError('rate_limited', 'Airtable answered 429')
    }
    const json = parseJson(text)
    if (reply.ok) return json
    const known = ErrorReply.safeParse(json)
    if (reply.status >= 500 || !known.success) {
      throw new SourceError('unreachable', `Airtable answered ${reply.status}`)
    }
    const { error } = known.data
    throw new AirtableRefusal(reply.status, typeof error === 'string' ? error : error.type)
  }

  return {
    /**
     * One call, repeated while its failure may pass: reading changes nothing, and writing sets a value,
     * so that doing it twice does no harm.
     *
     * @throws SourceError when Airtable cannot be used now, AirtableRefusal when it says no
     */
    async send(call: Call): Promise<unknown> {
      const limiter = limiterOf(call.location.baseId)
      for (let tries = 1; ; tries += 1) {
        try {
          return await limiter.run(call.kind, () => once(call, limiter))
        } catch (error) {
          const failure = asFailure(error)
          const passes = failure instanceof SourceError && failure.kind === 'unreachable'
          if (!passes || tries >= MOST_TRIES) throw failure
          await pause(retryMs * 2 ** (tries - 1) * (0.5 + Math.random()))
        }
      }
    },
  }
}

/** What fetch throws, or the time limit, is one thing to us: no answer. */
function asFailure(error: unknown): Error {
  if (error instanceof SourceError || error instanceof AirtableRefusal) return error
  const name = error instanceof Error ? error.name : 'unknown error'
  return new SourceError('unreachable', `no answer from Airtable (${name})`, { cause: error })
}

function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text)
    return json
  } catch {
    throw new SourceError('unreachable', 'the reply of Airtable is not JSON')
  }
}

async function readBounded(reply: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > limit) throw new SourceError('unreachable', 'the reply of Airtable is too large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
