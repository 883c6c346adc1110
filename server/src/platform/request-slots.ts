import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { RequestSlots } from '../ports/request-slots.ts'

const Reply = z.union([
  z
    .object({ place: z.string() })
    .transform(({ place }) => ({ outcome: 'taken' as const, slot: place })),
  z
    .object({ wait_ms: z.number() })
    .transform(({ wait_ms }) => ({ outcome: 'wait' as const, waitMs: wait_ms })),
  z
    .object({ silent_ms: z.number() })
    .transform(({ silent_ms }) => ({ outcome: 'paused' as const, pausedMs: silent_ms })),
])

/** Request slots in the database, timed by its clock, so that the limits hold across processes. */
export function createRequestSlots(db: Database): RequestSlots {
  return {
    async take(limits, holdMs) {
      const keys = limits.map(({ key }) => key)
      const maxima = limits.map((limit) => limit.max)
      const { rows } = await sql`
        select * from take_request_place(${keys}::text[], ${maxima}::integer[], ${milliseconds(holdMs)})
      `.execute(db)
      return Reply.parse(rows[0])
    },
    async release(slot, afterMs) {
      await db
        .updateTable('request_places')
        .set({ held_until: sql`clock_timestamp() + ${milliseconds(afterMs)}` })
        .where('id', '=', slot)
        .execute()
    },
    async pause(key, ms) {
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
