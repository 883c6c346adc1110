import { OrderEvent, type OutdatedColumn } from '@bancone/contract/order-details'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../../database/database.ts'
import { isOnAirtable } from '../../../database/on-airtable.ts'
import { actorName, currentRecordId } from '../records/order-actors.store.ts'
import {
  MAX_EVENTS,
  type OrderReception,
  outdatedColumns,
  type StoredEvent,
} from '../records/order-details.rules.ts'
import { orderRecord, recordColumns, type StoredRecord } from '../records/order-rows.ts'

const Kind = OrderEvent.shape.kind
const Source = OrderEvent.shape.source
const Origin = z.enum(['store', 'api', 'person'])

export type OrderDetailsStore = ReturnType<typeof createOrderDetailsStore>

/** Reads the details of an order. */
export function createOrderDetailsStore(db: Database) {
  return {
    async order(
      pharmacyId: string,
      recordId: string,
    ): Promise<
      { record: StoredRecord; reception: OrderReception; outdated: OutdatedColumn[] } | undefined
    > {
      const row = await db
        .selectFrom('pharmacy_orders as record')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'record.pharmacy_id')
        .leftJoin('order_copies as copy', (join) =>
          join
            .onRef('copy.pharmacy_id', '=', 'record.pharmacy_id')
            .onRef('copy.base_id', '=', 'pharmacy.airtable_base_id')
            .onRef('copy.table_id', '=', 'pharmacy.airtable_table_id')
            .on(isOnAirtable('pharmacy')),
        )
        .leftJoin('order_set_aside as aside', (join) =>
          join
            .onRef('aside.pharmacy_id', '=', 'copy.pharmacy_id')
            .onRef('aside.record_id', '=', 'record.airtable_order_id'),
        )
        .select(['copy.missing_columns', 'aside.reason'])
        .select(recordColumns.map((column) => `record.${column}` as const))
        .select(['record.origin', 'record.made_by', 'record.made_in'])
        .select(
          sql<string | null>`case record.origin
            when 'person' then ${actorName(sql`record.made_by`)}
            when 'api' then (
              select key.name from api_keys key
              where key.id = record.made_by and key.pharmacy_id = record.pharmacy_id
            ) end`.as('maker'),
        )
        .where('record.pharmacy_id', '=', pharmacyId)
        .where('record.airtable_order_id', '=', currentRecordId(pharmacyId, recordId))
        .executeTakeFirst()
      if (!row) return undefined
      const reception = {
        at: row.airtable_created,
        origin: Origin.parse(row.origin),
        userId: row.made_by,
        sessionId: row.made_in,
        name: row.maker,
      }
      const outdated = outdatedColumns(row.missing_columns ?? [], row.reason)
      return { record: orderRecord(row), reception, outdated }
    },

    /** Newest first, at most `MAX_EVENTS`. */
    async events(pharmacyId: string, recordId: string): Promise<StoredEvent[]> {
      const rows = await db
        .selectFrom('order_events as event')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'event.pharmacy_id')
        .select([
          'event.at',
          'event.kind',
          'event.source',
          'event.user_id as userId',
          'event.session_id as sessionId',
          'event.from_status as from',
          'event.to_status as to',
          'event.columns',
          actorName(sql`event.user_id`).as('name'),
        ])
        .where('event.pharmacy_id', '=', pharmacyId)
        .where('event.record_id', '=', recordId)
        .where('event.kind', '<>', 'gone')
        .orderBy('event.id', 'desc')
        .limit(MAX_EVENTS)
        .execute()
      return rows.map((row) => ({
        ...row,
        kind: Kind.parse(row.kind),
        source: Source.parse(row.source),
      }))
    },
  }
}
