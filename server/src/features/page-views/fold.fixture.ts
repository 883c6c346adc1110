import { connectDatabase } from '../../database/database.ts'
import { createPageViewsStore } from './page-views.store.ts'

// One of several processes that record views and fold them. With `stops` it folds in a transaction that it does not
// end, and waits to be killed.

const [, , url = '', pharmacyId = '', name = '', stops] = process.argv
const BATCHES = 25
const VIEWS = 100

const { db, pool, close } = connectDatabase(url, { max: 2 })
const store = createPageViewsStore(db)
let accepted = 0

async function record(): Promise<void> {
  await store.record(
    Array.from({ length: VIEWS }, (_, n) => ({
      pharmacy_id: pharmacyId,
      happened_at: '2026-07-28T10:00:00Z',
      kind: 'view' as const,
      visitor: `${name} ${accepted + n}`,
      visitor_before: null,
      session_id: `${name} ${accepted + n}`,
      user_agent: 'Chrome · Android',
      referrer: null,
      source: 'direct' as const,
      device: 'phone' as const,
    })),
  )
  accepted += VIEWS
}

for (let batch = 1; batch < BATCHES; batch += 1) {
  await record()
  if (batch % 5 === 0) await store.fold(500)
}

if (stops === 'stops') {
  const client = await pool.connect()
  await client.query('begin')
  // From here on the others fold nothing of it.
  await client.query("select pg_advisory_xact_lock(hashtext('fold_analytics'))")
  await record()
  const { rows } = await client.query<{ folded: number }>('select fold_analytics(5000) as folded')
  process.send?.({ accepted, folded: rows[0]?.folded })
  setInterval(() => undefined, 60_000)
} else {
  await record()
  process.send?.({ accepted, folded: 0 })
  while ((await store.fold(500)) > 0);
  await close()
  process.disconnect?.()
}
