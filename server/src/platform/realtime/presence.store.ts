import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'

/** Somebody in a topic: under a key that several may share, each with a ref of its own. */
export type Presence = { topic: string; key: string; ref: string; meta: Record<string, unknown> }

/** What the clients of the protocol know: who is there, by key. */
export type PresenceState = Record<string, { metas: unknown[] }>

/** Told to all processes together with the change itself, by the notification of its transaction. */
export const PresenceDiff = z.object({
  kind: z.literal('presence'),
  topic: z.string(),
  joins: z.record(z.string(), z.unknown()),
  leaves: z.record(z.string(), z.unknown()),
})
export type PresenceDiff = z.infer<typeof PresenceDiff>

/** The channel of PostgreSQL on which the processes tell each other of topics. */
export const RELAY_CHANNEL = 'realtime'

export type PresenceStore = ReturnType<typeof createPresenceStore>

/** Who is in which topic, as all processes know it. Each writes its own, and takes away those of the dead. */
export function createPresenceStore(db: Database, node: string) {
  const one = (row: string) =>
    sql`json_build_object(${sql.ref(`${row}.key`)}, json_build_object('metas',
      json_build_array(${sql.ref(`${row}.meta`)})))`
  const nobody = sql`json_build_object()`

  function told(row: string, joins: RawBuilder<unknown>, leaves: RawBuilder<unknown>) {
    return sql`pg_notify(${RELAY_CHANNEL}, json_build_object('kind', 'presence',
      'topic', ${sql.ref(`${row}.topic`)}, 'joins', ${joins}, 'leaves', ${leaves})::text)`
  }

  async function takeAway(which: RawBuilder<unknown>, within: Database = db): Promise<void> {
    await sql`with gone as (
      delete from realtime_presences where ${which} returning topic, key, meta
    ) select ${told('gone', nobody, one('gone'))} from gone`.execute(within)
  }

  return {
    /** Says that this process lives. @returns true if the others did not know it */
    async beat(): Promise<boolean> {
      const { rows } = await sql<{ isNew: boolean }>`
        insert into realtime_nodes (id) values (${node})
        on conflict (id) do update set seen_at = now() returning xmax = 0 as "isNew"`.execute(db)
      return rows[0]?.isNew ?? false
    },

    /** Puts one in the place of another, if there was one. */
    async put({ topic, key, ref, meta }: Presence, before: string | null): Promise<void> {
      const leaves = sql`coalesce((select ${one('gone')} from gone), ${nobody})`
      await sql`with gone as (
        delete from realtime_presences
        where topic = ${topic} and key = ${key} and ref = ${before} returning key, meta
      ), here as (
        insert into realtime_presences (node_id, topic, key, ref, meta)
        values (${node}, ${topic}, ${key}, ${ref}, ${JSON.stringify(meta)}) returning topic, key, meta
      ) select ${told('here', one('here'), leaves)} from here`.execute(db)
    },

    remove({ topic, key, ref }: Omit<Presence, 'meta'>): Promise<void> {
      return takeAway(sql`topic = ${topic} and key = ${key} and ref = ${ref}`)
    },

    async stateOf(topic: string): Promise<PresenceState> {
      const rows = await db
        .selectFrom('realtime_presences')
        .select(['key', 'meta'])
        .where('topic', '=', topic)
        .orderBy('key')
        .orderBy('ref')
        .execute()
      const byKey = new Map<string, { metas: unknown[] }>()
      for (const { key, meta } of rows) {
        const some = byKey.get(key) ?? { metas: [] }
        some.metas.push(meta)
        byKey.set(key, some)
      }
      return Object.fromEntries(byKey)
    },

    /** What the others think is here. */
    own(): Promise<Omit<Presence, 'meta'>[]> {
      return db
        .selectFrom('realtime_presences')
        .select(['topic', 'key', 'ref'])
        .where('node_id', '=', node)
        .execute()
    },

    /** Takes away what dead processes left. @param silence milliseconds without a sign of life */
    async sweep(silence: number): Promise<void> {
      await db.transaction().execute(async (within) => {
        const { rows } = await sql<{ id: string }>`
          select id from realtime_nodes
          where seen_at < now() - make_interval(secs => ${silence / 1000})
          for update skip locked`.execute(within)
        if (rows.length === 0) return
        const dead = rows.map(({ id }) => id)
        await takeAway(sql`node_id = any(${dead}::uuid[])`, within)
        await within.deleteFrom('realtime_nodes').where('id', 'in', dead).execute()
      })
    },

    /** This process ends: so do its presences. */
    async leave(): Promise<void> {
      await takeAway(sql`node_id = ${node}`)
      await db.deleteFrom('realtime_nodes').where('id', '=', node).execute()
    },
  }
}
