import type { OrderSource } from '../../ports/order-source.ts'
// stand-in until the adapter is here
export function createAirtableOrders(_: { apiUrl: string; token: string }): OrderSource {
  return {
    readChanged() {
      throw new Error('x')
    },
    setStatus() {
      throw new Error('x')
    },
  }
}
