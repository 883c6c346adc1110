import type { OrderWaits } from '@bancone/contract/analytics'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { beginningOf, type Days, endOf } from './analytics-buckets.store.ts'

type Waits = z.infer<typeof OrderWaits>
type Hour = Waits['hours'][number]

const percentile = (share: number) =>
  sql`round(percentile_cont(${sql.lit(share)}) within group (order by minutes))::integer`

/** How long the orders of a period waited until they were confirmed. Hours are those of Rome. */
export async function readOrderWaits(db: Database, pharmacyId: string, days: Days): Promise<Waits> {
  const confirmed = sql`from order_confirmations
    where pharmacy_id = ${pharmacyId} and ordered_at >= ${beginningOf(days)} and ordered_at < ${endOf(days)}`
  const { rows } = await sql<Omit<Waits, 'hours'>>`
    select count(*)::integer as "confirmed", ${percentile(0.5)} as "medianMinutes",
      ${percentile(0.9)} as "p90Minutes" ${confirmed}`.execute(db)
  const { rows: busy } = await sql<Hour>`
    select extract(hour from ordered_at at time zone 'Europe/Rome')::integer as "hour",
      count(*)::integer as "confirmed", ${percentile(0.5)} as "medianMinutes"
    ${confirmed} group by 1`.execute(db)
  const [all] = rows
  if (!all) throw new Error('an aggregate has one row')
  const hours = Array.from(
    { length: 24 },
    (_, hour) =>
      busy.find((each) => each.hour === hour) ?? { hour, confirmed: 0, medianMinutes: null },
  )
  return { ...all, hours }
}
