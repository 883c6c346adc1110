import { setTimeout as pause } from 'node:timers/promises'
import { wellFormedJson } from '@bancone/contract/well-formed-text'
import { z } from 'zod'
import { SourceError } from '../../ports/order-source.ts'
import { type Outbound, OutboundError } from '../../ports/outbound.ts'
import type { RequestSlots } from '../../ports/request-slots.ts'
import { type CallKind, createAirtableRate } from './airtable-rate.ts'

/** An error response of Airtable. */
export class AirtableRefusal extends Error {
  override readonly name = 'AirtableRefusal'
  readonly status: number
  readonly type: string
  /** The column concerned, if the error names one that was sent. */
  readonly column: RefusedColumn | undefined

  constructor(status: number, type: string, column?: RefusedColumn) {
    super(`Airtable answered ${status} ${type}`)
    this.status = status
    this.type = type
    this.column = column
  }
}

/** `isComputed`: a computed column, which cannot be written. */
type RefusedColumn = { name: string; isComputed: boolean }

/** Airtable's error type. Other texts may quote the request. */
const ErrorType = z.string().regex(/^[A-Z][A-Z0-9_]{1,79}$/)

/** The formats of Airtable's errors: a type, a type with a message, or for 429 a list of those. */
const ErrorReply = z.union([
  z.object({ error: ErrorType }).transform(({ error }) => error),
  z.object({ error: z.object({ type: ErrorType }) }).transform(({ error }) => error.type),
  z
    .object({ errors: z.tuple([z.object({ error: ErrorType })], z.unknown()) })
    .transform(({ errors: [first] }) => first.error),
])

export function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(wellFormedJson(text))
    return json
  } catch {
    throw new SourceError('unreachable', 'the reply of Airtable is not JSON')
  }
}

/** The type of an error response; undefined if it is not an error of Airtable. */
function errorType(text: string): string | undefined {
  try {
    return ErrorReply.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const Explained = z.object({ error: z.object({ message: z.string() }) })
const ABOUT_COLUMN = /^(?:Field|Unknown field name:) "([^"]*)"/

/** The column that an error is about, if it is one of `sent`. Only names are returned: the message may quote values. */
function errorColumn(text: string, sent: readonly string[]): RefusedColumn | undefined {
  try {
    const { message } = Explained.parse(JSON.parse(text)).error
    const name = sent.find((each) => each === ABOUT_COLUMN.exec(message)?.[1])
    return name === undefined ? undefined : { name, isComputed: /\bcomputed\b/.test(message) }
  } catch {
    return undefined
  }
}

export type AirtableOptions = {
  /** The base URL of the API, without `/v0`. */
  apiUrl: string
  /** For bases without a token of their own. */
  token?: string | undefined
  /** Finds the base's own token. */
  ownToken?: ((baseId: string) => Promise<string | undefined>) | undefined
  /** Finds the user whose limit the token shares; without it a token counts for itself. */
  userOf?: ((token: string) => Promise<string | undefined>) | undefined
  /** Shared by all clients of the tokens and their bases. */
  slots: RequestSlots
  fetch: Outbound['fetch']
  /** Time limit of one request, in milliseconds. */
  timeLimitMs?: number
  /** The largest response in bytes. */
  sizeLimit?: number
  /** Requests per second for one base: one below Airtable's limit, for the pharmacy's other tools. */
  perSecond?: number
  /** Requests per second for all tokens of a user together. */
  perSecondOfUser?: number
  /** The length of that second in milliseconds; tests shorten it. */
  secondMs?: number
  /** Milliseconds for which no request goes to a base after it answered 429. */
  pauseMs?: number
  /** Milliseconds before the first retry; doubled with each further one. */
  retryMs?: number
  /** Milliseconds after which it is looked whether columns that were gone are back. */
  columnsRecheckMs?: number
}

type Call = {
  kind: CallKind
  /** The base whose rate limit applies. */
  baseId: string
  /** The path after `/v0/`, in segments. */
  path: string[]
  query?: URLSearchParams
  /** The fields to set. With `creates` a record is created: sent only once, and not after the deadline `until`. */
  body?: { fields: Record<string, unknown> }
  creates?: { until: number }
  /** Sent as JSON with POST. */
  json?: object
  method?: 'DELETE'
  /** Instead of the one that is used for the base. */
  token?: string | undefined
  /** How often it is sent at most, if not as often as others. */
  tries?: number
  /** Aborts the call, also while it waits for a slot. */
  signal?: AbortSignal | undefined
}

const MAX_TRIES = 3

/** The only permanent 429: the monthly API calls of the plan are used up. */
const PLAN_IS_USED_UP = 'PUBLIC_API_BILLING_LIMIT_EXCEEDED'

/** An HTTP client for Airtable, with rate limits, time limits, and retries of idempotent requests only. */
export function createAirtableClient(options: AirtableOptions) {
  const { fetch, timeLimitMs = 8_000, sizeLimit = 8 * 1024 * 1024, retryMs = 250 } = options
  const rate = createAirtableRate({
    slots: options.slots,
    perSecond: options.perSecond ?? 4,
    perSecondOfUser: options.perSecondOfUser ?? 40,
    userOf: options.userOf,
    // A little more than a second, because neither Airtable's clock nor local timers are exact.
    secondMs: options.secondMs ?? 1050,
    pauseMs: options.pauseMs ?? 30_000,
    timeLimitMs,
  })

  async function tokenOf({ token, baseId }: Call): Promise<string> {
    const found = token ?? (await options.ownToken?.(baseId)) ?? options.token
    if (found === undefined) throw new SourceError('denied', 'there is no token for the base')
    // Checked here because an error of the client might quote the token.
    if (!/^[\x21-\x7e]+$/.test(found)) {
      throw new SourceError('denied', 'the token of Airtable is not a token')
    }
    return found
  }

  async function once(call: Call, token: string): Promise<unknown> {
    if (call.creates && Date.now() > call.creates.until) {
      throw new SourceError('unreachable', 'too late to be sent')
    }
    const url = new URL(`/v0/${call.path.map(encodeURIComponent).join('/')}`, options.apiUrl)
    url.search = call.query?.toString() ?? ''
    const sent = call.body ?? call.json
    const { status, body } = await fetch(url.href, {
      method: methodOf(call),
      headers: {
        authorization: `Bearer ${token}`,
        ...(sent && { 'content-type': 'application/json' }),
      },
      ...(sent && { body: Buffer.from(JSON.stringify(sent)) }),
      timeLimitMs,
      sizeLimit,
      signal: call.signal,
    }).catch((error: unknown) => {
      // A 429 counts even if its body cannot be read: a retry would prolong the block.
      if (error instanceof OutboundError && error.status === 429)
        return { status: 429, body: new Uint8Array() }
      throw error
    })
    const text = new TextDecoder().decode(body)
    if (isSuccess(status)) return call.method === 'DELETE' ? null : parseJson(text)
    const type = errorType(text)
    if (status === 429 && type !== PLAN_IS_USED_UP) {
      await rate.pauseBase(call.baseId)
      throw new SourceError('rate_limited', 'Airtable answered 429')
    }
    if (status >= 500 || type === undefined) {
      throw new SourceError('unreachable', `Airtable answered ${status}`)
    }
    const columns = [
      ...Object.keys(call.body?.fields ?? {}),
      ...(call.query?.getAll('fields[]') ?? []),
    ]
    throw new AirtableRefusal(status, type, errorColumn(text, columns))
  }

  return {
    /**
     * Sends a call and retries it after transient failures. Reads and updates are idempotent; the creation of a record
     * is not, so it is sent only once.
     *
     * @throws SourceError when Airtable is unavailable, AirtableRefusal when it refuses the request
     */
    async send(call: Call): Promise<unknown> {
      const { signal } = call
      const token = await tokenOf(call)
      for (let tries = 1; ; tries += 1) {
        try {
          return await rate.run({ ...call, token }, () => once(call, token))
        } catch (error) {
          const failure = asFailure(error, signal)
          const passes = failure instanceof SourceError && failure.kind === 'unreachable'
          const isLast = tries >= (call.creates ? 1 : (call.tries ?? MAX_TRIES))
          if (!passes || isLast || signal?.aborted) throw failure
        }
        const wait = retryMs * 2 ** (tries - 1) * (0.5 + Math.random())
        // If aborted here, the next attempt throws without sending anything.
        await pause(wait, undefined, { signal }).catch(() => {})
      }
    },
  }
}

export const isSuccess = (status: number) => status >= 200 && status < 300

function methodOf({ body, creates, json, method }: Call) {
  if (method) return method
  if (json) return 'POST'
  if (!body) return 'GET'
  return creates ? 'POST' : 'PATCH'
}

/** Converts errors of the connection and time-outs into SourceError `unreachable`. */
function asFailure(error: unknown, signal: AbortSignal | undefined): Error {
  if (signal?.aborted) return new SourceError('unreachable', 'the reading was ended')
  if (error instanceof SourceError || error instanceof AirtableRefusal) return error
  // The message of another error may quote the request.
  const why = error instanceof OutboundError ? error.message : 'an unknown error'
  return new SourceError('unreachable', `Airtable: ${why}`)
}
