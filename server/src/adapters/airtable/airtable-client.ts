import { setTimeout as pause } from 'node:timers/promises'
import { SourceError } from '../../ports/order-source.ts'
import type { RequestPace } from '../../ports/request-pace.ts'
import { type CallKind, createAirtablePace } from './airtable-pace.ts'
import {
  AirtableRefusal,
  errorColumn,
  errorType,
  parseJson,
  readBounded,
} from './airtable-reply.ts'

export type AirtableOptions = {
  /** Without `/v0`. */
  apiUrl: string
  token: string
  /** Shared by everything that uses the token or one of its bases. */
  pace: RequestPace
  fetch?: typeof globalThis.fetch
  /** Milliseconds a request may take. */
  timeLimitMs?: number
  /** Bytes a reply may have. */
  sizeLimit?: number
  /** Requests a second for a base: one less than it takes, for what else the pharmacy uses. */
  perSecond?: number
  /** Requests a second for all bases together, which share the token. */
  perSecondOfToken?: number
  /** Milliseconds of that second. */
  secondMs?: number
  /** Milliseconds a base is left alone after it said 429. */
  silenceMs?: number
  /** Milliseconds before the first repetition; they double. */
  retryMs?: number
}

type Call = {
  kind: CallKind
  /** Whose share of requests it is. */
  baseId: string
  /** What comes after `/v0/`, part by part. */
  path: string[]
  query?: URLSearchParams
  /** What is sent sets values; with `creates` it makes a record, and is sent once, and not after that time. */
  body?: { fields: Record<string, unknown> }
  creates?: { until: number }
  /** Ends the call at once, wherever it waits. */
  signal?: AbortSignal | undefined
}

const MOST_TRIES = 3

/** The one 429 that no waiting helps: the calls of the month are used up. */
const PLAN_IS_USED_UP = 'PUBLIC_API_BILLING_LIMIT_EXCEEDED'

/** Requests to Airtable, each with its limits, and the honest kind of repetition. */
export function createAirtableClient(options: AirtableOptions) {
  const {
    fetch = globalThis.fetch,
    timeLimitMs = 8_000,
    sizeLimit = 8 * 1024 * 1024,
    retryMs = 250,
  } = options
  const pace = createAirtablePace({
    pace: options.pace,
    token: options.token,
    perSecond: options.perSecond ?? 4,
    perSecondOfToken: options.perSecondOfToken ?? 40,
    // A little more: neither its clock nor our timers are exact.
    secondMs: options.secondMs ?? 1050,
    silenceMs: options.silenceMs ?? 30_000,
    timeLimitMs,
  })
  const isSendable = /^[\x21-\x7e]+$/.test(options.token)

  async function once(call: Call): Promise<unknown> {
    if (call.creates && Date.now() > call.creates.until) {
      throw new SourceError('unreachable', 'too late to be sent')
    }
    const url = new URL(`/v0/${call.path.map(encodeURIComponent).join('/')}`, options.apiUrl)
    url.search = call.query?.toString() ?? ''
    const timeLimit = AbortSignal.timeout(timeLimitMs)
    const reply = await fetch(url, {
      method: methodOf(call),
      headers: {
        authorization: `Bearer ${options.token}`,
        ...(call.body && { 'content-type': 'application/json' }),
      },
      ...(call.body && { body: JSON.stringify(call.body) }),
      redirect: 'error',
      signal: call.signal ? AbortSignal.any([call.signal, timeLimit]) : timeLimit,
    })
    const text = await readBounded(reply, sizeLimit).catch((error: unknown) => {
      // It is a 429 whatever became of its body: asking again would be held against us.
      if (reply.status === 429) return ''
      throw error
    })
    if (reply.ok) return parseJson(text)
    const type = errorType(text)
    if (reply.status === 429 && type !== PLAN_IS_USED_UP) {
      await pace.beSilent(call.baseId)
      throw new SourceError('rate_limited', 'Airtable answered 429')
    }
    if (reply.status >= 500 || type === undefined) {
      throw new SourceError('unreachable', `Airtable answered ${reply.status}`)
    }
    const sent = Object.keys(call.body?.fields ?? {})
    throw new AirtableRefusal(reply.status, type, errorColumn(text, sent))
  }

  return {
    /**
     * One call, repeated while its failure may pass: reading changes nothing, and writing sets a value,
     * so that doing it twice does no harm. To make a record twice does: that is tried once.
     *
     * @throws SourceError when Airtable cannot be used now, AirtableRefusal when it says no
     */
    async send(call: Call): Promise<unknown> {
      const { signal } = call
      // Not left to fetch: it would quote the token in its error.
      if (!isSendable) throw new SourceError('denied', 'the token of Airtable is not a token')
      for (let tries = 1; ; tries += 1) {
        try {
          return await pace.run(call, () => once(call))
        } catch (error) {
          const failure = asFailure(error, signal)
          const passes = failure instanceof SourceError && failure.kind === 'unreachable'
          const isLast = tries >= (call.creates ? 1 : MOST_TRIES)
          if (!passes || isLast || signal?.aborted) throw failure
        }
        const wait = retryMs * 2 ** (tries - 1) * (0.5 + Math.random())
        // Who ends it here is told by the next try, which then sends nothing.
        await pause(wait, undefined, { signal }).catch(() => {})
      }
    },
  }
}

function methodOf({ body, creates }: Call): string {
  if (!body) return 'GET'
  return creates ? 'POST' : 'PATCH'
}

/** What fetch throws, or the time limit, is one thing to us: no answer. */
function asFailure(error: unknown, signal: AbortSignal | undefined): Error {
  if (signal?.aborted) return new SourceError('unreachable', 'the reading was ended')
  if (error instanceof SourceError || error instanceof AirtableRefusal) return error
  // Its name and not itself as the cause: what fetch says may quote what was sent.
  return new SourceError('unreachable', `no answer from Airtable (${nameOf(error)})`)
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? ` ${String(cause.code)}` : ''
  return error.name + code
}
