import PQueue from 'p-queue'
import { z } from 'zod'
import { SourceError, type SourceLocation } from '../../ports/order-source.ts'
import { OutboundError } from '../../ports/outbound.ts'
import {
  type AirtableOptions,
  AirtableRefusal,
  type createAirtableClient,
  isSuccess,
  parseJson,
} from './airtable-client.ts'
import type { CallKind } from './airtable-rate.ts'

const PAGE_SIZE = '100'

/** How often a list is restarted after its iterator has expired. */
const MAX_RESTARTS = 3

const ListReply = z.object({ records: z.array(z.unknown()), offset: z.string().optional() })

/** A query for the records of a table; by default all records. */
export type ListQuery = {
  kind: CallKind
  location: SourceLocation
  formula?: string
  /** The columns to return; none returns all. */
  columns: readonly string[]
  /** The column by which the records are sorted, ascending. */
  sort?: string | undefined
  signal: AbortSignal | undefined
}

/** Reads lists of records page by page. A restarted list returns some records twice. */
export function createAirtableLists(client: ReturnType<typeof createAirtableClient>) {
  async function* pages({ kind, location, formula, columns, sort, signal }: ListQuery) {
    const { baseId, tableId } = location
    let offset: string | undefined
    do {
      const query = new URLSearchParams({
        pageSize: PAGE_SIZE,
        ...(formula && { filterByFormula: formula }),
        ...(sort && { 'sort[0][field]': sort, 'sort[0][direction]': 'asc' }),
        ...(offset && { offset }),
      })
      for (const column of columns) query.append('fields[]', column)
      const reply = await client.send({ kind, baseId, path: [baseId, tableId], query, signal })
      const list = ListReply.safeParse(reply)
      if (!list.success) {
        throw new SourceError('unreachable', 'the reply of Airtable is not a list of records')
      }
      yield list.data.records
      offset = list.data.offset
    } while (offset)
  }

  /** @param maxRestarts how often it is restarted after its iterator has expired */
  return async function* restarting(
    list: ListQuery,
    maxRestarts = MAX_RESTARTS,
  ): AsyncGenerator<unknown[]> {
    for (let restarts = 0; ; restarts += 1) {
      try {
        yield* pages(list)
        return
      } catch (error) {
        if (!isRefusal(error, 'LIST_RECORDS_ITERATOR_NOT_AVAILABLE')) throw error
        if (restarts >= maxRestarts) {
          throw new SourceError('unreachable', 'the list of Airtable expired again and again')
        }
      }
    }
  }
}

export function isRefusal(error: unknown, ...types: string[]): boolean {
  return error instanceof AirtableRefusal && types.includes(error.type)
}

/** Readings wait for the first answer, but not long. */
const TIME_LIMIT_MS = 3_000

/** After a failure a token counts for itself for this time. */
const RETRY_MS = 10 * 60_000

/** So that many tokens that are asked for at once do not exceed the limit of their user. */
const MAX_AT_ONCE = 4

/**
 * Finds the users of tokens, each once: Airtable's 50 requests a second are of a user, whose tokens share them.
 *
 * @returns undefined while Airtable does not say it
 */
export function createAirtableUsers(options: Pick<AirtableOptions, 'apiUrl' | 'fetch'>) {
  const users = new Map<string, { user: Promise<string | undefined>; until: number }>()
  const queue = new PQueue({ concurrency: MAX_AT_ONCE })

  return (token: string): Promise<string | undefined> => {
    const known = users.get(token)
    if (known && Date.now() < known.until) return known.user
    const entry = { user: Promise.resolve<string | undefined>(undefined), until: Infinity }
    entry.user = queue
      .add(() => checkAirtableToken({ ...options, token }))
      .catch(() => null)
      .then((user) => {
        if (!user) entry.until = Date.now() + RETRY_MS
        return user ?? undefined
      })
    users.set(token, entry)
    return entry.user
  }
}

const WhoAmI = z.object({ id: z.string().regex(/^\w{1,100}$/) })

/**
 * Asks Airtable whose the token is, which any valid token may.
 *
 * @returns the id of the user; null where the reply does not say it
 * @throws SourceError `denied` when Airtable refuses the token; `rate_limited`; `unreachable`
 */
export async function checkAirtableToken(
  {
    apiUrl,
    token,
    fetch,
    timeLimitMs = TIME_LIMIT_MS,
  }: Pick<AirtableOptions, 'apiUrl' | 'fetch' | 'timeLimitMs'> & { token: string },
  signal?: AbortSignal,
): Promise<string | null> {
  // An error of the client might quote a token that cannot be sent.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new SourceError('denied', 'the token is not a token')
  const { status, body } = await fetch(new URL('/v0/meta/whoami', apiUrl).href, {
    headers: { authorization: `Bearer ${token}` },
    timeLimitMs,
    sizeLimit: 10_000,
    signal,
  }).catch((error: unknown) => {
    if (error instanceof OutboundError && error.status !== undefined)
      return { status: error.status, body: new Uint8Array() }
    throw new SourceError('unreachable', 'Airtable did not answer')
  })
  if (isSuccess(status)) {
    try {
      return WhoAmI.safeParse(parseJson(new TextDecoder().decode(body))).data?.id ?? null
    } catch {
      return null
    }
  }
  if (status === 429) throw new SourceError('rate_limited', 'Airtable answered 429')
  if (status === 401 || status === 403) throw new SourceError('denied', 'the token is refused')
  throw new SourceError('unreachable', `Airtable answered ${status}`)
}
