import type { OrdersPhase } from '@bancone/contract/orders-migration'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { lockPharmacy } from '../../database/row-limit.ts'
import type { Audit } from '../../platform/audit.ts'

export type PhaseMove = { from: OrdersPhase; to: OrdersPhase; reason?: string | undefined }

/**
 * Moves the orders of a pharmacy to another phase of the migration, and records it. Triggers notify all processes.
 *
 * @param tx a transaction, which locks the pharmacy until its end
 * @returns false when the pharmacy is not in the phase `from` any more
 */
export async function moveOrdersPhase(
  tx: Database,
  audit: Pick<Audit, 'recordChange'>,
  pharmacyId: string,
  { from, to, reason }: PhaseMove,
): Promise<boolean> {
  await lockPharmacy(tx, pharmacyId)
  const { numUpdatedRows } = await tx
    .updateTable('pharmacies')
    .set({ orders_phase: to, updated_at: sql<string>`now()` })
    .where('id', '=', pharmacyId)
    .where('orders_phase', '=', from)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await audit.recordChange(tx, {
    action: 'orders_phase_changed',
    pharmacyId,
    target: { type: 'pharmacy', id: pharmacyId },
    before: { orders_phase: from },
    after: { orders_phase: to },
    ...(reason !== undefined && { details: { reason } }),
  })
  return true
}
