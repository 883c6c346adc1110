import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import PQueue from 'p-queue'
import type pg from 'pg'

/**
 * How a commit tells events: by NOTIFY, which makes such commits wait for each other, or by rows of `event_log`, which one
 * process announces to all.
 */
export type EventsWay = 'notify' | 'table'

/** The channel on which a leader announces new rows, with its id as the payload. */
export const ANNOUNCEMENTS = 'event_log'

/** The payload of a leader that stops. */
const RESIGNED = 'resigned'

/** In milliseconds. */
export const eventLogTiming = {
  /** Between two readings of the leader. */
  round: 50,
  /** Between two attempts to lead, and to go on leading. */
  attempt: 1_000,
  /** After this, a leader that does not renew its lease can be replaced. */
  lease: 3_000,
  /** Rows are kept at least so long after the leader has read them. Processes read every 15 seconds, also unasked. */
  kept: 60_000,
}
export type EventLogTiming = typeof eventLogTiming

/** Where more events than this are new, they are not read one by one but count as missed. */
const MAX_EVENTS = 10_000

/** What has been read: everything that `snapshot` sees. */
type Position = {
  snapshot: string
  way: EventsWay
  /** The id of the contents of `event_log`, which does not survive a crash; null before the first leader. */
  log: string | null
}

type Query = <R extends pg.QueryResultRow>(
  text: string,
  values?: unknown[],
) => Promise<pg.QueryResult<R>>

type Reading = Position & {
  /** Nothing has been deleted that the position has not seen. */
  isKept: boolean
  events: [channel: string, payload: string][] | null
}

/**
 * The rows of transactions that the last snapshot did not see, and this statement does. Ids would not do: a lower one may
 * be committed later. Found by index, because no row of a finished transaction before the snapshot is looked at.
 */
const READ = `
  select pg_current_snapshot()::text as snapshot, events_way() as way, log,
    coalesce(pg_snapshot_xmin($1::pg_snapshot) >= cleared, true) as "isKept", (
      select json_agg(json_build_array(channel, payload) order by id) from (
        select id, channel, payload from event_log
        where xid >= pg_snapshot_xmax($1::pg_snapshot)
          or xid = any (array(select pg_snapshot_xip($1::pg_snapshot)))
        limit ${MAX_EVENTS + 1}
      ) as new
    ) as events
  from (select) as always left join event_log_leader on true`

const LEAD = `
  update event_log_leader
  set holder = $1, leased_until = clock_timestamp() + make_interval(secs => $2 / 1000.0)
  where holder = $1 or leased_until < clock_timestamp()`

const CLEAR = `
  with gone as (delete from event_log where xid < pg_snapshot_xmin($1::pg_snapshot))
  update event_log_leader set cleared = pg_snapshot_xmin($1::pg_snapshot)`

/**
 * Makes the database tell events in this way, for all its connections at once.
 *
 * @param owner a connection of the account that owns the schema
 * @returns whether it was another one before
 */
export async function chooseEventsWay(owner: pg.ClientBase, way: EventsWay): Promise<boolean> {
  const { rows } = await owner.query<{ way: string }>('select events_way() as way')
  if (rows[0]?.way === way) return false
  // Without the row, a process whose connection is broken meanwhile does not take the log for complete.
  await owner.query(`begin;
    create or replace function events_way() returns text immutable language sql as $$ select '${way}' $$;
    delete from event_log_leader;
    commit`)
  return true
}

/**
 * Reads `event_log` and takes part in leading. Every process remembers for itself what it has read, so that nothing depends
 * on who leads: a leader only says when there is something to read, and two at a time say it twice.
 *
 * @param query runs a statement on the connection that listens, also to `ANNOUNCEMENTS`, after those that were given before
 * @param onMissed called when events may have been lost
 */
export function createEventLog(
  query: Query,
  deliver: (channel: string, payload: string) => void,
  onMissed: () => void,
  timing: EventLogTiming,
) {
  const id = randomUUID()
  const turns = new PQueue({ concurrency: 1 })
  const stopping = new AbortController()
  const { signal } = stopping
  let position: Position | undefined
  let isResuming = false
  let isLeading = false
  let leading = Promise.resolve()
  let attemptAt = Number.NEGATIVE_INFINITY
  let resting = new AbortController()
  let mark = { snapshot: '', at: 0 }

  async function readOnce(): Promise<void> {
    const { rows } = await query<Reading>(READ, [position?.snapshot])
    const [reading] = rows
    if (!reading) return
    const before = position
    const events = reading.events ?? []
    position = reading
    // Before it delivers, so that the others read meanwhile.
    const announced = isLeading && events.length > 0 ? announce() : undefined
    const isWhole = reading.isKept && events.length <= MAX_EVENTS && continues(before, reading)
    if (events.length <= MAX_EVENTS) for (const event of events) deliver(...event)
    isResuming = false
    if (!isWhole) onMissed()
    await announced
  }

  /** After a broken connection: whether all events since then are in the log. */
  function continues(before: Position | undefined, { way, log }: Position): boolean {
    if (!isResuming) return true
    return way === 'table' && before?.way === 'table' && log !== null && before.log === log
  }

  /** A reading that has not begun finds what all its callers have heard of. */
  async function read(): Promise<void> {
    if (turns.size > 0) return turns.onIdle()
    await turns.add(readOnce)
  }

  async function attempt(): Promise<void> {
    attemptAt = performance.now()
    if (!position?.log) {
      await query('insert into event_log_leader default values on conflict do nothing')
    }
    const { rowCount } = await query(LEAD, [id, timing.lease])
    const wasLeading = isLeading
    isLeading = rowCount === 1
    if (!isLeading || wasLeading) return
    mark = { snapshot: '', at: performance.now() }
    // What the last leader has read may not have been announced.
    await announce()
  }

  async function announce(by: string = id): Promise<void> {
    try {
      await query('select pg_notify($1, $2)', [ANNOUNCEMENTS, by])
    } catch (error) {
      // The next leader announces, also if it is this process.
      isLeading = false
      throw error
    }
  }

  async function round(): Promise<void> {
    if (position?.way !== 'table') {
      isLeading = false
      return
    }
    if (performance.now() - attemptAt >= timing.attempt) await attempt()
    if (!isLeading) return
    await read()
    if (performance.now() - mark.at < timing.kept) return
    if (mark.snapshot !== '') await query(CLEAR, [mark.snapshot])
    mark = { snapshot: position.snapshot, at: performance.now() }
  }

  async function lead(): Promise<void> {
    while (!signal.aborted) {
      await round().catch(() => {
        isLeading = false
      })
      resting = new AbortController()
      const until = AbortSignal.any([signal, resting.signal])
      const ms = isLeading ? timing.round : timing.attempt
      await pause(ms, undefined, { signal: until, ref: false }).catch(() => {})
    }
  }

  return {
    /** Delivers what is new. The first time, it only finds out where to begin. @throws when the connection is broken */
    read,

    /** Handles an announcement. */
    async announced(by: string): Promise<void> {
      if (by === id) return
      await read()
      if (by !== RESIGNED) return
      attemptAt = Number.NEGATIVE_INFINITY
      resting.abort()
    },

    /** The connection broke: the next reading finds out whether all that was missed is in the log. */
    broken() {
      isResuming = true
      isLeading = false
    },

    start() {
      leading = lead()
    },

    async stop() {
      stopping.abort()
      await leading
      if (!isLeading) return
      await query("update event_log_leader set leased_until = '-infinity' where holder = $1", [id])
      await announce(RESIGNED)
    },
  }
}
