import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { RequestPace } from '../ports/request-pace.ts'

const Reply = z.union([
  z.object({ place: z.string() }).transform(({ place }) => ({ outcome: 'taken' as const, place })),
  z
    .object({ wait_ms: z.number() })
    .transform(({ wait_ms }) => ({ outcome: 'wait' as const, waitMs: wait_ms })),
  z
    .object({ silent_ms: z.number() })
    .transform(({ silent_ms }) => ({ outcome: 'silence' as const, silentMs: silent_ms })),
])

/** Paces in the database and by its clock, so that they hold across processes. */
export function createRequestPaces(db: Database): RequestPace {
  return {
    async take(limits, holdMs) {
      const keys = limits.map(({ key }) => key)
      const most = limits.map((limit) => limit.most)
      const { rows } = await sql`
        select * from take_request_place(${keys}::text[], ${most}::integer[], ${milliseconds(holdMs)})
      `.execute(db)
      return Reply.parse(rows[0])
    },
    async release(place, afterMs) {
      await db
        .updateTable('request_places')
        .set({ held_until: sql`clock_timestamp() + ${milliseconds(afterMs)}` })
        .where('id', '=', place)
        .execute()
    },
    async silence(key, ms) {
      const until = sql<string>`clock_timestamp() + ${milliseconds(ms)}`
      await db
        .insertInto('request_silences')
        .values({ key, silent_until: until })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({
            silent_until: sql`greatest(request_silences.silent_until, excluded.silent_until)`,
          }),
        )
        .execute()
    },
  }
}

function milliseconds(count: number) {
  return sql`make_interval(secs => ${count / 1000}::double precision)`
}
