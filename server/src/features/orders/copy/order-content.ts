import { createHash } from 'node:crypto'
import type { SourceOrder } from '../../../ports/order-source.ts'

/**
 * Hash of a record's content (SHA-256, hexadecimal). A picture is identified by its `ref`: its URL changes every few
 * hours without a change of the order.
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
    // So that the order is written when they are known again, even if they are empty then.
    ...(order.unknown ?? []),
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
