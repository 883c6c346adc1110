import { createHash } from 'node:crypto'
import type { SourceOrder } from '../../../ports/order-source.ts'

/**
 * Tells one content of a record from another (SHA-256, hexadecimal). Of a picture its `ref` counts: the
 * address of the same one changes every few hours, and that is no change of the order.
 */
export function contentHash(order: SourceOrder): string {
  const content = [
    order.recordId,
    order.orderNumber,
    order.waId,
    order.customerName,
    order.customerPhone,
    order.address,
    order.details,
    order.status,
    order.image?.ref ?? null,
    order.pharmaWa,
    order.createdAt,
    order.updatedAt,
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
