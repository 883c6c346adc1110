import Airtable from 'airtable'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { ordersTable, type TableSchema } from '../src/airtable/schema.ts'
import { type AirtableOptions, type AirtableSandbox, startAirtable } from '../src/airtable.ts'

export const BASE = 'appTest0000000001'
export const OTHER_BASE = 'appTest0000000002'
export const TABLE = 'tblOrdini00000001'

/** A table with a name that must be encoded, and with other columns than orders. */
export const STOCK: TableSchema = {
  id: 'tblScorte00000001',
  name: 'Scorte di magazzino/città',
  fields: {
    Nome: { kind: 'text' },
    Pezzi: { kind: 'number' },
    Foto: { kind: 'attachments' },
  },
}

const bases = { [BASE]: [ordersTable(TABLE), STOCK], [OTHER_BASE]: [ordersTable(TABLE)] }

/** A clock that is stopped, and moved by the test. */
export function createClock(from = Date.parse('2026-03-01T09:00:00.000Z')) {
  let time = from
  return {
    now: () => time,
    move(milliseconds: number) {
      time += milliseconds
    },
  }
}

/** The sandbox with two bases, for one test. Without rate limits unless the test sets them. */
export async function start(options: Partial<AirtableOptions> = {}): Promise<AirtableSandbox> {
  const airtable = await startAirtable({ bases, requestsPerSecond: 10_000, ...options })
  onTestFinished(() => airtable.close().catch(() => {}))
  return airtable
}

type ClientOptions = { base?: string; table?: string; token?: string; timeLimitMs?: number }

/** A table of the official client, without retries after 429. */
export function officialTable(airtable: AirtableSandbox, options: ClientOptions = {}) {
  const client = new Airtable({
    endpointUrl: airtable.url,
    apiKey: options.token ?? airtable.token,
    noRetryIfRateLimited: true,
    ...(options.timeLimitMs !== undefined && { requestTimeout: options.timeLimitMs }),
  })
  return client.base(options.base ?? BASE)(options.table ?? TABLE)
}

const Refusal = z.object({ error: z.string(), message: z.string(), statusCode: z.number() })

/** The expected rejection of the official client. */
export async function refusalOf(work: Promise<unknown>): Promise<z.output<typeof Refusal>> {
  const { error, message, statusCode } = Refusal.parse(await failureOf(work))
  return { error, message, statusCode }
}

export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it was not refused')
}

/** A request without the client library. */
export async function ask(
  airtable: AirtableSandbox,
  path: string,
  { method = 'GET', token = airtable.token, body = '' } = {},
): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(airtable.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== '' && { body }),
  })
  const json: unknown = await reply.json()
  return { status: reply.status, body: json }
}

/** Orders of these customers, one minute apart, in the first table. */
export function addOrders(airtable: AirtableSandbox, customers: string[], from = 0): string[] {
  const orders = customers.map((Cliente, index) => ({
    fields: { Cliente, Stato: 'In attesa' },
    createdTime: from + index * 60_000,
  }))
  return airtable.create(BASE, TABLE, orders)
}
