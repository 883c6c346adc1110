import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'

/** A presence in a topic. Several may share a key; each has its own ref. */
export type Presence = { topic: string; key: string; ref: string; meta: Record<string, unknown> }

/** The presence state of a topic in the protocol's format, by key. */
export type PresenceState = Record<string, { metas: unknown[] }>

/** A change of presences, sent to all processes by an event of the same transaction. */
export const PresenceDiff = z.object({
  kind: z.literal('presence'),
  topic: z.string(),
  joins: z.record(z.string(), z.unknown()),
  leaves: z.record(z.string(), z.unknown()),
})
export type PresenceDiff = z.infer<typeof PresenceDiff>

/** The channel of events between the processes. */
export const RELAY_CHANNEL = 'realtime'

export type PresenceStore = ReturnType<typeof createPresenceStore>

/** The presences of all processes. Each process writes its own, and removes those of dead ones. */
export function createPresenceStore(db: Database, node: string) {
  const presenceJson = (row: string) =>
    sql`json_build_object(${sql.ref(`${row}.key`)}, json_build_object('metas',
      json_build_array(${sql.ref(`${row}.meta`)})))`
  const emptyDiff = sql`json_build_object()`

  function notifyDiff(row: string, joins: RawBuilder<unknown>, leaves: RawBuilder<unknown>) {
    return sql`pg_notify(${RELAY_CHANNEL}, json_build_object('kind', 'presence',
      'topic', ${sql.ref(`${row}.topic`)}, 'joins', ${joins}, 'leaves', ${leaves})::text)`
  }

  async function removeWhere(which: RawBuilder<unknown>, within: Database = db): Promise<void> {
    await sql`with gone as (
      delete from realtime_presences where ${which} returning topic, key, meta
    ) select ${notifyDiff('gone', emptyDiff, presenceJson('gone'))} from gone`.execute(within)
  }

  return {
    /** Writes the heartbeat of this process. @returns true when the process was not registered */
    async heartbeat(): Promise<boolean> {
      const { rows } = await sql<{ isNew: boolean }>`
        insert into realtime_nodes (id) values (${node})
        on conflict (id) do update set seen_at = now() returning xmax = 0 as "isNew"`.execute(db)
      return rows[0]?.isNew ?? false
    },

    /** Inserts a presence in place of the previous one, if any. */
    async put({ topic, key, ref, meta }: Presence, before: string | null): Promise<void> {
      const leaves = sql`coalesce((select ${presenceJson('gone')} from gone), ${emptyDiff})`
      await sql`with gone as (
        delete from realtime_presences
        where topic = ${topic} and key = ${key} and ref = ${before} returning key, meta
      ), here as (
        insert into realtime_presences (node_id, topic, key, ref, meta)
        values (${node}, ${topic}, ${key}, ${ref}, ${JSON.stringify(meta)}) returning topic, key, meta
      ) select ${notifyDiff('here', presenceJson('here'), leaves)} from here`.execute(db)
    },

    remove({ topic, key, ref }: Omit<Presence, 'meta'>): Promise<void> {
      return removeWhere(sql`topic = ${topic} and key = ${key} and ref = ${ref}`)
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

    /** The stored presences of this process. */
    ownPresences(): Promise<Omit<Presence, 'meta'>[]> {
      return db
        .selectFrom('realtime_presences')
        .select(['topic', 'key', 'ref'])
        .where('node_id', '=', node)
        .execute()
    },

    /** Removes the presences of dead processes. @param silence milliseconds without a heartbeat */
    async sweep(silence: number): Promise<void> {
      await db.transaction().execute(async (within) => {
        const { rows } = await sql<{ id: string }>`
          select id from realtime_nodes
          where seen_at < now() - make_interval(secs => ${silence / 1000})
          for update skip locked`.execute(within)
        if (rows.length === 0) return
        const dead = rows.map(({ id }) => id)
        await removeWhere(sql`node_id = any(${dead}::uuid[])`, within)
        await within.deleteFrom('realtime_nodes').where('id', 'in', dead).execute()
      })
    },

    /** Removes this process and its presences. */
    async leave(): Promise<void> {
      await removeWhere(sql`node_id = ${node}`)
      await db.deleteFrom('realtime_nodes').where('id', '=', node).execute()
    },
  }
}
