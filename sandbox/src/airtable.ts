import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type ApiRequest, answer } from './airtable/api.ts'
import {
  ApiError,
  invalidValue,
  iteratorGone,
  noSuchModel,
  notFound,
  rateLimited,
  serverError,
} from './airtable/api-error.ts'
import { createControl } from './airtable/control.ts'
import { type CallKind, type Counts, createCounts, kindOf } from './airtable/counts.ts'
import { createFailures, type Failure } from './airtable/failures.ts'
import { pathSegments, readJson, sendJson } from './airtable/http.ts'
import { createImageLinks } from './airtable/image-links.ts'
import { type Change, openJournal } from './airtable/journal.ts'
import { createLimits } from './airtable/limits.ts'
import { createListing } from './airtable/listing.ts'
import { listOf, tablesOf } from './airtable/meta.ts'
import type { Bases } from './airtable/schema.ts'
import { type ApiRecord, type Cells, createTable, type Table } from './airtable/table.ts'
import { createTokens, type TokenGrant } from './airtable/tokens.ts'
import { createWebhooks } from './airtable/webhooks.ts'
import { type ListenOptions, listen } from './listening.ts'

export type AirtableOptions = ListenOptions & {
  bases: Bases
  /** A token that may do everything. */
  token?: string
  /** Further tokens. */
  tokens?: Record<string, TokenGrant>
  /** Milliseconds before a failed ping is repeated; doubled with each further time. */
  pingRetryMs?: number
  /** The file in which records persist; without it they are in memory only. */
  file?: string | undefined
  requestsPerSecond?: number
  penaltyMs?: number
  offsetLifetimeMs?: number
  /** Whether the token may read the schema. */
  exposesSchema?: boolean
  now?: () => number
}

export type AirtableSandbox = {
  /** The API's base URL, without `/v0`. */
  url: string
  token: string
  /** Direct access without limits and failures. Changes are persisted as well. */
  create(base: string, table: string, records: { fields: Cells; createdTime?: number }[]): string[]
  update(base: string, table: string, id: string, fields: Cells): void
  remove(base: string, table: string, id: string): void
  all(base: string, table: string): ApiRecord[]
  count(base: string, table: string): number
  /** Record ids whose last `update` a client overwrote with a PATCH although it had read the record before it. */
  overwritten(): ReadonlySet<string>
  fail(failure: Failure): void
  /** From now on, the attachment URLs issued so far answer 410. */
  endImageLinks(): void
  /** Gives a token, or changes what it may do; undefined revokes it. */
  grant(token: string, grant: TokenGrant | undefined): void
  /** What happens to the webhooks. */
  webhooks: Pick<ReturnType<typeof createWebhooks>, 'losePings' | 'disable' | 'forget'>
  /** The number of requests to `/v0`, including refused ones. */
  requests(): Counts
  close(): Promise<void>
}

/**
 * A stand-in for Airtable's REST API over HTTP, with its limits and errors. Demo pictures are at
 * `/images/{n}.png`, and the test controls at `/_control`.
 */
export async function startAirtable(options: AirtableOptions): Promise<AirtableSandbox> {
  const { bases, token = 'patSandbox000000.demo' } = options
  const now = options.now ?? Date.now
  const journal = openJournal(options.file)
  const failures = createFailures()
  const limits = createLimits({
    requestsPerSecond: options.requestsPerSecond ?? 5,
    penaltyMs: options.penaltyMs ?? 30_000,
    now,
  })
  const list = createListing({ now, lifetimeMs: options.offsetLifetimeMs ?? 5 * 60_000 })
  const counts = createCounts()
  /** Records updated directly and not read by a client since. */
  const unread = new Set<string>()
  const overwritten = new Set<string>()
  const tokens = createTokens(new Map([[token, {}], ...Object.entries(options.tokens ?? {})]))
  const webhooks = createWebhooks({ now, pingRetryMs: options.pingRetryMs ?? 10_000 })
  let url = ''
  const images = createImageLinks(() => url)

  const tables = new Map<string, Table>()
  for (const [base, schemas] of Object.entries(bases)) {
    for (const schema of schemas) {
      const key = `${base}/${schema.id}`
      const keep = (changes: Change[]) => {
        journal.append(changes)
        webhooks.changed(changes, (id) => tables.get(key)?.has(id) === false)
      }
      const table = createTable(key, schema, { now, keep, shown: images.shown })
      tables.set(key, table)
      tables.set(`${base}/${schema.name}`, table)
    }
  }
  for (const change of journal.changes) tables.get(change.table)?.restore(change)
  const findTable = (base: string, table: string) => tables.get(`${base}/${table}`)

  const control = createControl({ failures, counts, findTable })

  async function api(request: IncomingMessage, response: ServerResponse, target: URL) {
    const method = request.method ?? 'GET'
    const path = pathSegments(target).slice(1)
    const kind = kindOf(method, path)
    const base = baseOf(kind, path)
    counts.call(method, kind)
    const { authorization } = request.headers
    // Counted on arrival: a slow request counts like any other.
    if (tokens.isKnown(authorization) && !limits.pass(base)) {
      counts.limited()
      throw rateLimited()
    }
    const failure = failures.next({
      isWrite: kind === 'write',
      continuesList: target.searchParams.has('offset'),
    })
    if (failure.mode === 'slow') await pause(failure.delayMs, undefined, { ref: false })
    if (failure.mode === 'hang-up') return request.socket.destroy()
    if (failure.mode === 'malformed') return response.end('<html>Bad gateway</html>')
    if (failure.mode === 'oversized') return response.end(`"${'x'.repeat(12_000_000)}"`)
    if (failure.mode === '429') throw rateLimited()
    if (failure.mode === '500') throw serverError()
    if (path[1] !== 'whoami' || !tokens.isKnown(authorization)) {
      tokens.require(authorization, kind, base)
    }
    const body = await readJson(request)
    if (failure.mode === 'refuse-writes') throw invalidValue('Stato')
    if (failure.mode === 'lost-iterator') throw iteratorGone()
    const asked = { method, path, search: target.searchParams, body }
    const reply = answerTo(kind, asked, authorization)
    if (kind !== 'webhook' && path[2] !== undefined) noteAccess(kind, path[2])
    for (const id of lookedUpIn(target.searchParams)) noteAccess('read', id)
    if (failure.mode === 'lost-reply') return request.socket.destroy()
    if (failure.mode === 'slow-reply') await pause(failure.delayMs, undefined, { ref: false })
    return sendJson(response, 200, reply)
  }

  function answerTo(
    kind: CallKind,
    request: ApiRequest,
    authorization: string | undefined,
  ): unknown {
    if (kind === 'meta') return meta(request.method, request.path, authorization)
    if (kind === 'webhook') return webhooks.answer({ ...request, path: request.path.slice(1) })
    return answer(request, findTable, list)
  }

  function noteAccess(kind: CallKind, recordId: string) {
    const wasUnread = unread.delete(recordId)
    if (kind === 'write' && wasUnread) overwritten.add(recordId)
  }

  function meta(
    method: string,
    [, what, base = '', part]: string[],
    authorization: string | undefined,
  ): object {
    if (method === 'GET' && what === 'whoami') return { id: tokens.userOf(authorization) }
    const isKnown = method === 'GET' && what === 'bases' && (base === '' || part === 'tables')
    if (!isKnown) throw notFound()
    if (options.exposesSchema === false) throw noSuchModel()
    return base === '' ? listOf(bases) : tablesOf(bases, base)
  }

  async function route(request: IncomingMessage, response: ServerResponse) {
    const target = new URL(request.url ?? '/', 'http://sandbox')
    if (target.pathname.startsWith('/images/')) {
      const picture = await images.find(target)
      response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
    } else if (/^\/_control(?:\/|$)/.test(target.pathname)) {
      sendJson(response, 200, await control(request, target))
    } else if (target.pathname.startsWith('/v0/')) await api(request, response, target)
    else throw notFound()
  }

  const server = createServer((request, response) => {
    route(request, response).catch((error: unknown) => {
      const known = error instanceof ApiError ? error : serverError()
      sendJson(response, known.status, known.body)
    })
  })
  const { origin, close } = await listen(server, options).catch((error: unknown) => {
    journal.close()
    throw error
  })
  url = origin

  const tableOf = (base: string, name: string) => {
    const table = findTable(base, name)
    if (!table) throw new Error(`there is no table ${base}/${name}`)
    return table
  }
  return {
    url,
    token,
    create: (base, table, records) =>
      tableOf(base, table)
        .create(records)
        .map(({ id }) => id),
    update: (base, table, id, fields) => {
      tableOf(base, table).update(id, fields)
      unread.add(id)
      overwritten.delete(id)
    },
    remove: (base, table, id) => tableOf(base, table).remove(id),
    all: (base, name) => {
      const table = tableOf(base, name)
      return table.records().map((record) => table.show(record))
    },
    count: (base, name) => tableOf(base, name).records().length,
    overwritten: () => overwritten,
    fail: failures.set,
    endImageLinks: images.end,
    grant: tokens.set,
    webhooks,
    requests: counts.now,
    async close() {
      webhooks.close()
      await close()
      journal.close()
    },
  }
}

/** The records for which a list asks by their ids. */
function lookedUpIn(search: URLSearchParams): string[] {
  const formula = search.get('filterByFormula') ?? ''
  return [...formula.matchAll(/RECORD_ID\(\) = '(\w+)'/g)].flatMap(([, id]) => id ?? [])
}

/** The base of a request; empty for the list of the bases. */
function baseOf(kind: CallKind, path: string[]): string {
  const index = { meta: 2, webhook: 1, list: 0, read: 0, write: 0 }[kind]
  return path[index] ?? ''
}
