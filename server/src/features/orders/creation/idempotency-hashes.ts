import { createHash } from 'node:crypto'
import type { NewOrder } from './new-orders.rules.ts'

/** Hashes of the idempotency key and of the body of a request. */
export type RequestHashes = { keyHash: Buffer; bodyHash: Buffer }

/** Equal for bodies with the same meaning, however they are formatted. */
export function requestHashes(idempotencyKey: string, order: NewOrder): RequestHashes {
  const { orderNumber, customerName, customerPhone, address, details, status } = order
  const body = [orderNumber, customerName, customerPhone, address, details, status]
  return { keyHash: hash(idempotencyKey), bodyHash: hash(JSON.stringify(body)) }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
