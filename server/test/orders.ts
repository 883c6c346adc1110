import type { SourceOrder } from '../src/ports/order-source.ts'

let made = 0

/** A plausible order of the order store; the given fields replace its own. */
export function sourceOrder(order: Partial<SourceOrder> = {}): SourceOrder {
  made += 1
  const createdAt = order.createdAt ?? new Date(Date.UTC(2026, 0, 1) + made * 60_000).toISOString()
  return {
    recordId: `rec${String(made).padStart(14, '0')}`,
    orderNumber: String(made),
    waId: null,
    customerName: 'Giulia Bianchi',
    customerPhone: '333 123 4567',
    address: 'Via Roma 1, Venezia',
    details: 'Tachipirina 1000',
    status: 'In attesa',
    image: null,
    pharmaWa: null,
    updatedAt: createdAt,
    ...order,
    createdAt,
  }
}
