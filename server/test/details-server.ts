import { OrderDetails } from '@bancone/contract/order-details'
import { expect } from 'vitest'
import type { TestServer } from './server.ts'

export type Caller = { authorization: string }

/** The details of an order, as that caller reads them. */
export async function detailsOf(
  { app }: Pick<TestServer, 'app'>,
  recordId: string,
  headers: Caller,
): Promise<OrderDetails> {
  const reply = await app.inject({ url: `/api/orders/${recordId}`, headers })
  expect(reply.statusCode, reply.body).toBe(200)
  return OrderDetails.parse(reply.json())
}
