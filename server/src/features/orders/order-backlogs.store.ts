import { sql } from 'kysely'
import type { DatabaseTimes } from '../../platform/telemetry/database-readings.ts'

/**
 * Changes and new orders that the order source does not have yet. Both tables hold little else than what waits. What waits
 * for a pharmacy that is deactivated or deleted is put off until it works again.
 */
export const orderBacklogs: DatabaseTimes = {
  airtable_changes: sql<string | null>`(
    select min(change.changed_at) from order_changes as change
    join pharmacies on pharmacies.id = change.pharmacy_id
    where is_active and deleted_at is null
  )`,
  airtable_orders: sql<string | null>`(
    select min(creation.created_at) from order_creations as creation
    join pharmacies on pharmacies.id = creation.pharmacy_id
    where not kept_here and is_active and deleted_at is null
  )`,
}
