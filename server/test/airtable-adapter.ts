import { type AirtableOptions as SandboxOptions, startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { onTestFinished } from 'vitest'
import type { AirtableOptions } from '../src/adapters/airtable/airtable-client.ts'
import { createAirtableOrders } from '../src/adapters/airtable/airtable-orders.ts'
import type { OrderSource } from '../src/ports/order-source.ts'
import { fetchAnywhere } from './fetch-anywhere.ts'
import { unlimitedSlots } from './unlimited-slots.ts'

export const baseId = 'appTest0000000001'
export const tableId = 'tblOrdini00000001'
export const location = { baseId, tableId }

type BaseOptions = Partial<SandboxOptions> & { table?: ReturnType<typeof ordersTable> }

/** A base with a table of orders and without a rate limit, and the adapter that reads it; both for one test. */
export async function airtableAdapter(
  { table = ordersTable(tableId), ...sandbox }: BaseOptions = {},
  adapter: Partial<AirtableOptions> = {},
) {
  const bases = { [baseId]: [table] }
  const airtable = await startAirtable({ bases, requestsPerSecond: 10_000, ...sandbox })
  onTestFinished(() => airtable.close())
  const { url: apiUrl, token } = airtable
  const source = createAirtableOrders({
    apiUrl,
    token,
    slots: unlimitedSlots(),
    fetch: fetchAnywhere,
    retryMs: 1,
    ...adapter,
  })
  /** @returns the id */
  const add = (fields: Record<string, unknown>, createdTime?: number) => {
    const [id = ''] = airtable.create(baseId, tableId, [
      { fields, ...(createdTime !== undefined && { createdTime }) },
    ])
    return id
  }
  return { airtable, source, add }
}

/** Reads all orders. @returns their number */
export async function countOrders(source: OrderSource, where = location, signal?: AbortSignal) {
  let orders = 0
  for await (const page of source.readChanged(where, null, signal)) orders += page.orders.length
  return orders
}
