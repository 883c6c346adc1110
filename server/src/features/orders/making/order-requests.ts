import { createHash } from 'node:crypto'
import type { NewOrder } from './new-orders.rules.ts'

/** What is kept of a request: which it is, and what it asked for. */
export type RequestHashes = { keyHash: Buffer; bodyHash: Buffer }

/** The same for a body that means the same, however it was written. */
export function requestHashes(idempotencyKey: string, order: NewOrder): RequestHashes {
  const { orderNumber, customerName, customerPhone, address, details, status } = order
  const body = [orderNumber, customerName, customerPhone, address, details, status]
  return { keyHash: hash(idempotencyKey), bodyHash: hash(JSON.stringify(body)) }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
