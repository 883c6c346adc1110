import type pg from 'pg'
import { tables } from '../src/features/pharmacies/life/pharmacy-tables.store.ts'

/**
 * Tables with rows of pharmacies that stay in one place when the others are distributed by `pharmacy_id`: accounts and
 * sessions are found before it is known whose they are, files by their keys, pictures by their addresses, and the others are
 * read for all pharmacies together.
 */
const inOnePlace =
  /^(auth_\w+|image_uses|images|notice_dismissals|pharmacy_exports|pharmacy_import_rows|storage_objects|stored_files|support_visits)$/

/** Tables without rows of pharmacies that every node has a copy of, because distributed tables refer to them. */
const copied = ['product_categories', 'subscription_plans']

/** The tables that a distributed database spreads by pharmacy: a new one with rows of pharmacies is among them. */
export const distributed: readonly string[] = Object.entries(tables).flatMap(([name, table]) =>
  table === 'kept' || table === 'shared' || inOnePlace.test(name) ? [] : [name],
)

/** What distribution does not allow, as names by the kind of the trouble. */
export type Obstacles = Record<string, string[]>

/** The column with the pharmacy of a row, which in `pharmacies` is its id. */
const key = (relation: string) =>
  `case ${relation}.relname when 'pharmacies' then 'id' else 'pharmacy_id' end`

const columnsOf = (relation: string, numbers: string) => `array(
  select attname::text from unnest(${numbers}) with ordinality as part (number, place)
  left join pg_attribute on attrelid = ${relation} and attnum = part.number order by part.place)`

/** What the catalogue of a migrated database has in the way. */
export async function obstacles(pool: pg.Pool): Promise<Obstacles> {
  return grouped([...(await keyObstacles(pool)), ...(await triggerObstacles(pool))])
}

type Obstacle = { trouble: string; name: string }

/** Obstacles in the columns, keys and foreign keys of the distributed tables. */
async function keyObstacles(pool: pg.Pool): Promise<Obstacle[]> {
  const { rows } = await pool.query<Obstacle>(
    `with spread as (
       select oid, relname, ${key('pg_class')} as key from pg_class
       where relnamespace = 'public'::regnamespace and relname = any($1)
     ), keys as (
       select spread.relname, index.indisprimary as is_primary, unique_index.relname as name, key,
         ${columnsOf('spread.oid', 'index.indkey::int2[]')} as columns
       from pg_index index join spread on spread.oid = index.indrelid
       join pg_class unique_index on unique_index.oid = index.indexrelid
       where index.indisunique or index.indisexclusion
     ), references_of as (
       select con.conname as name, con.confupdtype as on_update, con.confdeltype as on_delete,
         con.confdelsetcols is null or (
           select attnum from pg_attribute where attrelid = con.conrelid and attname = ${key('origin')}
         ) = any (con.confdelsetcols) as deletes_key,
         origin.relname as origin, target.relname as target,
         origin.relname = any($1) as from_spread, target.relname = any($1) as to_spread,
         (${columnsOf('con.conrelid', 'con.conkey')})[place] = ${key('origin')} as has_key
       from pg_constraint con
       join pg_class origin on origin.oid = con.conrelid
       join pg_class target on target.oid = con.confrelid
       left join lateral (
         select array_position(${columnsOf('con.confrelid', 'con.confkey')}, ${key('target')}) as place
       ) as of_key on true
       where con.contype = 'f' and con.connamespace = 'public'::regnamespace and con.conparentid = 0
     )
     select 'no pharmacy_id' as trouble, relname as name from spread where not exists (
       select from pg_attribute where attrelid = spread.oid and attname = key)
     union all
     select 'pharmacy_id may be null', relname from spread where exists (
       select from pg_attribute where attrelid = spread.oid and attname = key and not attnotnull)
     union all
     select 'no primary key', relname from spread where not exists (
       select from pg_index where indrelid = spread.oid and indisprimary)
     union all
     select case when name ~ '__until_next_release$' then 'dropped with the next release' else
         case when is_primary then 'primary key ' else 'unique ' end
         || case when key = any(columns) then 'with pharmacy_id in another place' else 'without pharmacy_id' end
       end,
       case when is_primary then relname || ' (' || array_to_string(columns, ', ') || ')' else name end
     from keys where columns[1] is distinct from key
     union all
     select 'foreign key without pharmacy_id', name from references_of
     where from_spread and to_spread and has_key is not true
     union all
     select 'foreign key that changes pharmacy_id', name from references_of
     where from_spread and to_spread and has_key
       and (on_update in ('c', 'n', 'd') or on_delete in ('n', 'd') and deletes_key)
     union all
     select 'foreign key to a table that is in one place', name from references_of
     where from_spread and not to_spread and target <> all($2)
     union all
     select 'foreign key from a table that is in one place', name from references_of
     where to_spread and not from_spread
     union all
     select 'pharmacy_id in a table that is in one place', relname from pg_class
     join pg_attribute on attrelid = pg_class.oid and attname = 'pharmacy_id'
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and not relname = any($1)`,
    [distributed, copied],
  )
  return rows
}

/**
 * Obstacles in the triggers of distributed and copied tables. What a trigger does is read in the text of its function and
 * of those that it calls.
 */
async function triggerObstacles(pool: pg.Pool): Promise<Obstacle[]> {
  const { rows: functions } = await pool.query<{ name: string; text: string }>(
    `select proname as name, prosrc as text from pg_proc
     join pg_language on pg_language.oid = prolang
     where pronamespace = 'public'::regnamespace and lanname in ('sql', 'plpgsql')`,
  )
  const { rows: triggers } = await pool.query<{
    name: string
    table: string
    calls: string
    changed: string[]
  }>(
    `select tgname as name, relname as table, proname as calls,
       array_remove(array[tgoldtable, tgnewtable]::text[], null) as changed
     from pg_trigger join pg_class on pg_class.oid = tgrelid join pg_proc on pg_proc.oid = tgfoid
     where not tgisinternal and tgparentid = 0 and relname = any($1)`,
    [[...distributed, ...copied]],
  )
  return triggers.flatMap(({ name, table, calls, changed }) => {
    // With EVENTS=table, notify_event adds a row of the pharmacy.
    const text = reachedFrom(calls, functions, new Set(['notify_event']))
    const written = [...text.matchAll(/\b(?:insert into|update|delete from)\s+(\w+)/gi)]
    const elsewhere = written.some(([, to = '']) => to in tables && !distributed.includes(to))
    const troubles = [
      ...(name.endsWith('__until_next_release') ? ['dropped with the next release'] : []),
      ...(copied.includes(table) ? ['trigger of a copied table'] : []),
      ...(joinsChanged(text, changed) ? ['trigger that joins changed rows with a table'] : []),
      ...(/\bpg_notify\b|\bnotify\b/i.test(text) ? ['trigger that notifies'] : []),
      ...(/\badd_job\b/i.test(text) ? ['trigger that adds a job'] : []),
      ...(elsewhere ? ['trigger that writes a table that is in one place'] : []),
    ]
    return troubles.map((trouble) => ({ trouble, name: `${table}: ${name}` }))
  })
}

/** Whether one of the statements names both a table of changed rows and a distributed one. */
function joinsChanged(text: string, changed: readonly string[]): boolean {
  const names = (of: readonly string[], statement: string) =>
    of.some((name) => new RegExp(`\\b${name}\\b`).test(statement))
  return text
    .split(/;|\bloop\b/)
    .some((statement) => names(changed, statement) && names(distributed, statement))
}

/** The text of a function, and of all that it calls. */
function reachedFrom(
  start: string,
  functions: readonly { name: string; text: string }[],
  seen = new Set<string>(),
): string {
  if (seen.has(start)) return ''
  seen.add(start)
  const { text = '' } = functions.find(({ name }) => name === start) ?? {}
  const called = functions.filter(({ name }) => new RegExp(`\\b${name}\\s*\\(`).test(text))
  return [text, ...called.map(({ name }) => reachedFrom(name, functions, seen))].join('\n')
}

function grouped(rows: readonly Obstacle[]): Obstacles {
  const groups: Obstacles = {}
  for (const { trouble, name } of rows) (groups[trouble] ??= []).push(name)
  for (const names of Object.values(groups)) names.sort()
  return groups
}
