import {
  FREE_TEXTS_PER_MONTH,
  type MessageUsage,
  NoticeKind,
  SentKind,
} from '@bancone/contract/whatsapp-messages'
import { type RawBuilder, sql } from 'kysely'
import { startOfToday } from '../../../database/conditions.ts'
import type { Database } from '../../../database/database.ts'

const startOfMonth = sql<string>`rome_midnight(date_trunc('month', rome_time(now()))::date)`

/** How many notices wait, and how many were accepted today; `usedToday` counts for the limit those that Meta may yet accept. */
export function noticeCounts(db: Database, pharmacyId: string) {
  const count = (isMeant: RawBuilder<unknown>) =>
    sql<number>`count(*) filter (where ${isMeant})::integer`
  const isAccepted = sql`accepted_at >= ${startOfToday}`
  return db
    .selectFrom('whatsapp_outbox')
    .select([
      count(isAccepted).as('sentToday'),
      count(sql`${isAccepted} or state in ('sending', 'unsure')`).as('usedToday'),
      count(sql`state in ('queued', 'sending')`).as('waiting'),
    ])
    .where('pharmacy_id', '=', pharmacyId)
    .where('kind', 'in', NoticeKind.options)
    .where(sql<boolean>`(${isAccepted} or state in ('queued', 'sending', 'unsure'))`)
    .executeTakeFirstOrThrow()
}

/** The messages of this month that Meta has accepted, or may yet accept. Meta charges none that it does not deliver. */
export async function usageOfMonth(db: Database, pharmacyId: string): Promise<MessageUsage> {
  const rows = await db
    .selectFrom('whatsapp_outbox')
    .select(['kind', sql<boolean>`sent_as = 'template'`.as('isTemplate')])
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('pharmacy_id', '=', pharmacyId)
    .where(
      sql<boolean>`(accepted_at >= ${startOfMonth} and state <> 'failed' or state in ('sending', 'unsure'))`,
    )
    .groupBy(['kind', sql`sent_as = 'template'`])
    .execute()
  const sumOf = (some: typeof rows) => some.reduce((sum, { count }) => sum + count, 0)
  const texts = sumOf(rows.filter(({ isTemplate }) => !isTemplate))
  const kinds = SentKind.options.map((kind) => ({
    kind,
    count: sumOf(rows.filter((row) => row.kind === kind)),
  }))
  return {
    kinds: kinds.filter(({ count }) => count > 0),
    texts,
    paid: sumOf(rows) - texts + Math.max(0, texts - FREE_TEXTS_PER_MONTH),
  }
}

/** How many reminders about an order were sent, or may have been. */
export async function remindersSent(
  db: Database,
  pharmacyId: string,
  orderId: string,
): Promise<number> {
  const { sent } = await db
    .selectFrom('whatsapp_outbox')
    .select(sql<number>`count(*)::integer`.as('sent'))
    .where('pharmacy_id', '=', pharmacyId)
    .where('order_id', '=', orderId)
    .where('kind', '=', 'reminder')
    .where('state', 'in', ['sending', 'unsure', 'accepted'])
    .executeTakeFirstOrThrow()
  return sent
}
