import { ORDER_CODE_LENGTH, ORDER_CODE_SIGNS } from '@bancone/contract/order-codes'

/** A new random order code. */
export function newOrderCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ORDER_CODE_LENGTH))
  return Array.from(bytes, (byte) => ORDER_CODE_SIGNS[byte % ORDER_CODE_SIGNS.length]).join('')
}
