import { addDays, dayOf } from '@bancone/contract/dates'
import type { Database } from './database/database.ts'
import { createAnalyticsSettingsStore } from './features/analytics/analytics-settings.store.ts'
import {
  DEMO_FLYER,
  foldDemo,
  insertDemoConfirmations,
  queueDemoOrders,
  queueDemoVisits,
} from './features/analytics/demo-figures.store.ts'
import { createNotesStore } from './features/analytics/notes.store.ts'

/** Thirteen months of figures of the first demo pharmacy, whose offers and orders are there already. */
export async function seedDemoAnalytics(db: Database, pharmacyId: string): Promise<void> {
  const today = dayOf(Date.now())
  // The codes join orders with offers in its funnel.
  await createAnalyticsSettingsStore(db).change(pharmacyId, { hasOrderCodes: true })
  const flyer = { day: addDays(today, -DEMO_FLYER.from), text: 'Volantino nelle cassette' }
  await createNotesStore(db).add(pharmacyId, flyer)
  await queueDemoVisits(db, pharmacyId, today)
  await queueDemoOrders(db, pharmacyId, today)
  await insertDemoConfirmations(db, pharmacyId)
  await foldDemo(db)
}
