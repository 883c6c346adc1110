import { Kysely, PostgresDialect } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import type { DB } from '../../database/schema.gen.ts'
import { createAccountStore } from './account.store.ts'
import { SHOWN_ACTIVITY } from './activity.rules.ts'

const busy = '00000000-0000-4000-8000-000000000001'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
  await database.pool.query(
    `insert into audit_events (action, user_id, at)
     select 'signed_in', case when n % 50 = 0 then $1::uuid else gen_random_uuid() end,
       now() - n * interval '1 minute'
     from generate_series(1, 20000) as n`,
    [busy],
  )
  await database.pool.query('analyze audit_events')
})

/** How PostgreSQL answers what `ask` asks. */
async function planOf(ask: (store: ReturnType<typeof createAccountStore>) => Promise<unknown>) {
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: ({ query }) => void asked.push(query),
  })
  await ask(createAccountStore(db))
  const [query] = asked
  const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`explain ${query?.sql}`, [
    ...(query?.parameters ?? []),
  ])
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

describe('what happened to a busy account', () => {
  const page = { told: SHOWN_ACTIVITY, limit: 21 }

  it('is read from its index, in the order it has there', async () => {
    const plan = await planOf((store) => store.activity(busy, { ...page, before: undefined }))
    expect(plan).toContain('Index Scan using audit_events__of_user')
    expect(plan).not.toContain('Seq Scan')
    expect(plan).toContain('Incremental Sort')
  })

  it('is read from there on when it goes on', async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from audit_events where user_id = $1 order by at limit 1 offset 200',
      [busy],
    )
    const plan = await planOf((store) => store.activity(busy, { ...page, before: rows[0]?.id }))
    expect(plan).toMatch(
      /Index Scan using audit_events__of_user.*\n\s*Index Cond: .*user_id = .* AND \(at <= /,
    )
    expect(plan).not.toContain('Seq Scan')
  })
})
