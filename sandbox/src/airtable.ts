import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { answer } from './airtable/api.ts'
import {
  ApiError,
  invalidRequest,
  invalidValue,
  notAuthenticated,
  notFound,
  rateLimited,
  serverError,
  tooLarge,
} from './airtable/api-error.ts'
import { createFailures, Failure } from './airtable/failures.ts'
import { openJournal } from './airtable/journal.ts'
import { createLimits } from './airtable/limits.ts'
import { createListing } from './airtable/listing.ts'
import { picture } from './airtable/picture.ts'
import type { Bases } from './airtable/schema.ts'
import { type ApiRecord, type Cells, createTable, type Table } from './airtable/table.ts'

export type AirtableOptions = {
  bases: Bases
  host?: string
  port?: number
  token?: string
  /** Where the records are kept; without it they are gone at the end. */
  file?: string | undefined
  requestsPerSecond?: number
  penaltyMs?: number
  offsetLifetimeMs?: number
  now?: () => number
}

export type AirtableSandbox = {
  /** What to give a client as the address of the API, without `/v0`. */
  url: string
  token: string
  /** Direct ways in, past limits and failures; what they do is kept as well. */
  create(base: string, table: string, records: { fields: Cells; createdTime?: number }[]): string[]
  update(base: string, table: string, id: string, fields: Cells): void
  remove(base: string, table: string, id: string): void
  all(base: string, table: string): ApiRecord[]
  fail(failure: Failure): void
  /** How many requests to `/v0` came, by method; a refused one counts. */
  requests(): { total: number; byMethod: Record<string, number>; limited: number }
  close(): Promise<void>
}

const MOST_BYTES = 1024 * 1024

/**
 * A stand-in for Airtable's REST API: real HTTP, its limits, its errors. Pictures of the demo are at
 * `/images/{n}.svg`, and `/_control` tells it to fail and how often it was asked.
 */
export async function startAirtable(options: AirtableOptions): Promise<AirtableSandbox> {
  const { bases, host = '127.0.0.1', token = 'patSandbox000000.demo' } = options
  const now = options.now ?? Date.now
  const journal = openJournal(options.file)
  const failures = createFailures()
  const limits = createLimits({
    requestsPerSecond: options.requestsPerSecond ?? 5,
    penaltyMs: options.penaltyMs ?? 30_000,
    now,
  })
  const list = createListing({ now, lifetimeMs: options.offsetLifetimeMs ?? 5 * 60_000 })
  const counted = { total: 0, byMethod: {} as Record<string, number>, limited: 0 }
  let url = ''

  const tables = new Map<string, Table>()
  for (const [base, schemas] of Object.entries(bases)) {
    for (const schema of schemas) {
      const key = `${base}/${schema.id}`
      const imageUrl = (path: string) => url + path
      const table = createTable(key, schema, { now, keep: journal.append, imageUrl })
      tables.set(key, table)
      tables.set(`${base}/${schema.name}`, table)
    }
  }
  for (const change of journal.changes) tables.get(change.table)?.restore(change)
  const findTable = (base: string, table: string) => tables.get(`${base}/${table}`)

  async function api(request: IncomingMessage, response: ServerResponse, target: URL) {
    const method = request.method ?? 'GET'
    counted.total += 1
    counted.byMethod[method] = (counted.byMethod[method] ?? 0) + 1
    const isList = target.pathname.endsWith('/listRecords')
    const failure = failures.next(method !== 'GET' && !isList)
    if (failure.mode === 'slow') await pause(failure.delayMs, undefined, { ref: false })
    if (failure.mode === 'hang-up') return request.socket.destroy()
    if (failure.mode === 'malformed') return response.end('<html>Bad gateway</html>')
    if (failure.mode === 'oversized') return response.end(`"${'x'.repeat(12_000_000)}"`)
    if (failure.mode === '429') throw rateLimited()
    if (failure.mode === '500') throw serverError()
    if (request.headers.authorization !== `Bearer ${token}`) throw notAuthenticated()
    const path = partsOf(target).slice(1)
    if (!limits.pass(path[0] ?? '')) {
      counted.limited += 1
      throw rateLimited()
    }
    const body = await readJson(request)
    if (failure.mode === 'refuse-writes') throw invalidValue('Stato')
    const reply = answer({ method, path, search: target.searchParams, body }, findTable, list)
    return sendJson(response, 200, reply)
  }

  async function control(request: IncomingMessage, response: ServerResponse) {
    if (request.method === 'POST') {
      const failure = Failure.safeParse(await readJson(request))
      if (!failure.success) throw invalidRequest()
      failures.set(failure.data)
    }
    sendJson(response, 200, { mode: failures.mode(), requests: counted })
  }

  /** `/_control/records/{base}/{table}`: what it holds, past the limits that a look would use up. */
  function sendRecords(response: ServerResponse, target: URL) {
    const [base = '', name = ''] = partsOf(target).slice(2)
    const table = findTable(base, name)
    if (!table) throw notFound()
    sendJson(
      response,
      200,
      table.records().map((record) => table.show(record)),
    )
  }

  async function route(request: IncomingMessage, response: ServerResponse) {
    const target = new URL(request.url ?? '/', 'http://sandbox')
    const [, image] = /^\/images\/(\d{1,6})\.svg$/.exec(target.pathname) ?? []
    if (image !== undefined) {
      response.setHeader('content-type', 'image/svg+xml')
      response.end(picture(Number(image)))
    } else if (target.pathname === '/_control') await control(request, response)
    else if (target.pathname.startsWith('/_control/records/')) sendRecords(response, target)
    else if (target.pathname.startsWith('/v0/')) await api(request, response, target)
    else throw notFound()
  }

  const server = createServer((request, response) => {
    route(request, response).catch((error: unknown) => {
      const known = error instanceof ApiError ? error : serverError()
      sendJson(response, known.status, known.body)
    })
  })
  server.listen(options.port ?? 0, host)
  await once(server, 'listening').catch((error: unknown) => {
    journal.close()
    throw error
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the sandbox has no port')
  url = `http://${host}:${address.port}`

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
      tableOf(base, table).update([{ id, fields }])
    },
    remove: (base, table, id) => tableOf(base, table).remove([id]),
    all: (base, name) => {
      const table = tableOf(base, name)
      return table.records().map((record) => table.show(record))
    },
    fail: failures.set,
    requests: () => structuredClone(counted),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      journal.close()
    },
  }
}

/** The names of a path, as they were before they were encoded; a slash at the end says nothing. */
function partsOf(target: URL): string[] {
  const [, ...parts] = target.pathname.replace(/\/$/, '').split('/')
  try {
    return parts.map(decodeURIComponent)
  } catch {
    throw notFound()
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  // Not piece by piece: a letter of two bytes may be cut in the middle.
  request.setEncoding('utf8')
  let text = ''
  let bytes = 0
  for await (const piece of request) {
    bytes += Buffer.byteLength(String(piece))
    // Listens to the end even so: who is still sending would see a broken connection, not the answer.
    if (bytes <= MOST_BYTES) text += String(piece)
  }
  if (bytes > MOST_BYTES) throw tooLarge()
  if (text === '') return undefined
  try {
    const json: unknown = JSON.parse(text)
    return json
  } catch {
    throw invalidRequest('could not parse request body')
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}
