import { execFile } from 'node:child_process'
import { appendFile, cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { withClient } from '../src/database/client.ts'
import { migrate } from '../src/database/migrate.ts'
import { withStartLock } from '../src/database/start-lock.ts'
import { emptyDatabase } from './database.ts'
import { silentLog } from './silent-log.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const database = 'server/src/database'
const present = folders(join(root, database))

type Folders = ReturnType<typeof folders>

function folders(base: string) {
  return { schema: join(base, 'schema'), migrations: join(base, 'migrations') }
}

/** What PostgreSQL knows of the schemas of ours, a line for each thing, in no order of columns. */
const CATALOGUE = `
  select format('table %s %s %s %s', oid::regclass, relkind, relpersistence, pg_get_partkeydef(oid)) as line
  from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
  union all
  select format('column %s.%s %s %s %s %s %s %s', a.attrelid::regclass, a.attname,
    format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated, a.attidentity,
    pg_get_expr(d.adbin, d.adrelid), a.attstattarget)
  from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
  union all
  select format('constraint %s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
  from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
  union all
  select format('index %s %s', pg_get_indexdef(i.indexrelid), i.indisvalid)
  from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace
  union all
  select format('trigger %s %s', pg_get_triggerdef(oid), tgenabled)
  from pg_trigger where not tgisinternal and tgparentid = 0
  union all
  select format('function %s', pg_get_functiondef(oid)) from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select format('sequence %s %s', sequencename, start_value) from pg_sequences where schemaname = 'public'
  order by 1`

/** The catalogue of a new database after the given versions have started on it, one after the other. */
async function catalogueAfter(...versions: Folders[]): Promise<string[]> {
  const { url } = await emptyDatabase()
  for (const version of versions) {
    await withStartLock(url, (client) => migrate(client, silentLog, version))
  }
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(CATALOGUE)
    return rows.map(({ line }) => line)
  })
}

const git = async (...args: string[]) =>
  (await promisify(execFile)('git', args, { cwd: root, maxBuffer: 20_000_000 })).stdout

/** The schema files and migrations as they were at the last release; null before the first one. */
async function lastRelease(): Promise<Folders | null> {
  // Without a tag, or outside a repository.
  const tag = (await git('tag', '--list', 'v[0-9]*', '--sort=-version:refname').catch(() => ''))
    .split('\n')
    .at(0)
  if (!tag) return null
  const base = await temporaryFolder()
  const files = await git('ls-tree', '-r', '--name-only', tag, database)
  for (const [folder, path] of Object.entries(folders(base))) {
    await mkdir(path)
    for (const file of files.split('\n').filter((name) => name.includes(`/${folder}/`))) {
      await writeFile(
        join(path, file.slice(file.lastIndexOf('/') + 1)),
        await git('show', `${tag}:${file}`),
      )
    }
  }
  return folders(base)
}

describe('the schema files', () => {
  it('are those of the last release with the migrations since', async () => {
    const before = await lastRelease()
    if (before) {
      expect(await catalogueAfter(before, present)).toEqual(await catalogueAfter(present))
    } else {
      const names = await readdir(present.migrations)
      expect(names.filter((name) => name.endsWith('.sql'))).toEqual([])
    }
  })

  it('and a migration that do not agree are found', async () => {
    const later = folders(await temporaryFolder())
    await cp(present.schema, later.schema, { recursive: true })
    await mkdir(later.migrations)
    const change = 'alter table medicines add column x text;\n'
    await writeFile(join(later.migrations, '0001_x.sql'), change)
    expect(await catalogueAfter(present, later)).not.toEqual(await catalogueAfter(later))
    await appendFile(join(later.schema, '99-x.sql'), change)
    expect(await catalogueAfter(present, later)).toEqual(await catalogueAfter(later))
  })
})
