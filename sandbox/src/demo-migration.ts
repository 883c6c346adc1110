import { ordersTable, type TableSchema } from './airtable/schema.ts'
import type { Cells } from './airtable/table.ts'
import { demoOrders } from './demo-orders.ts'

/** The base and the table of the demo's pharmacy whose orders are to be moved out of Airtable. */
export const MIGRATION_BASE_ID = 'appDuomoDemo00001'
export const MIGRATION_TABLE_ID = 'tblOrdiniDuomo001'

const ORDERS = 2_000

/** Its columns were made by formulas, which may have errors. */
export function migrationTable(): TableSchema {
  const formula = { kind: 'formula' } as const
  const names = ['ID WA', 'Cliente', 'Phone Number', 'Ordine', 'Indirizzo', 'Stato']
  const columns = Object.fromEntries([...names, 'Created'].map((name) => [name, formula]))
  return ordersTable(MIGRATION_TABLE_ID, { ...columns, Image: { kind: 'attachments' } })
}

/** What is wrong with seven of the orders, by their place: errors of formulas, and cells of other types. */
const broken: ReadonlyMap<number, Cells> = new Map<number, Cells>([
  [143, { Cliente: { error: '#ERROR!' } }],
  [388, { 'Phone Number': true }],
  [612, { Indirizzo: { specialValue: 'NaN' } }],
  [901, { Ordine: { prodotto: 'Aspirina' } }],
  [1_204, { Image: [{ filename: 'ricetta.jpg' }] }],
  [1_555, { Created: '31/02/2026 ore 10' }],
  [1_876, { Stato: { color: 'green' } }],
])

/** Statuses that staff wrote by hand, by place. */
const byHand: ReadonlyMap<number, string> = new Map([
  [77, 'Pronto'],
  [78, 'Pronto'],
  [500, 'Consegnato'],
  [1_000, 'Da ordinare per domani'],
])

/** 2,000 orders of the last months, seven of them broken in different ways. */
export function migrationOrders(now: Date): { createdTime: number; fields: Cells }[] {
  return demoOrders({ count: ORDERS, now, seed: 7 }).map((order, place) => ({
    createdTime: order.createdAt,
    fields: {
      Cliente: order.customer,
      'Phone Number': order.phone,
      Indirizzo: order.address,
      Ordine: order.product,
      Stato: byHand.get(place) ?? order.status,
      Image: order.image === null ? null : [{ id: `att${place}`, url: order.image, size: 42_000 }],
      ...broken.get(place),
    },
  }))
}
