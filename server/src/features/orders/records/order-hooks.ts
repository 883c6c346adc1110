import type { Database } from '../../../database/database.ts'

/** The picture of an order that was written. */
export type WrittenImage = { orderId: string; ref: string }

/** An order that has another status now, or has arrived. */
export type StatusOfOrder = {
  orderId: string
  recordId: string
  /** Null: the order has arrived, and is new to the pharmacy. */
  from: string | null
  to: string
}

/** Hooks of other parts, which run in the transaction that writes orders. */
export type OrderHooks = {
  /** Orders have arrived that are new to the pharmacy. */
  onArrived(tx: Database, pharmacyId: string): Promise<void>
  onImages(tx: Database, pharmacyId: string, images: WrittenImage[]): Promise<void>
  onStatus(tx: Database, pharmacyId: string, statuses: readonly StatusOfOrder[]): Promise<void>
}

export const noHooks: OrderHooks = {
  onArrived: async () => {},
  onImages: async () => {},
  onStatus: async () => {},
}
