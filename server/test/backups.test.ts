import { appendFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startS3 } from '@bancone/sandbox/s3'
import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { newKeyText, readKeys } from '../src/platform/backups/backup-key.ts'
import { createBackupStore } from '../src/platform/backups/backup-store.ts'
import { makeBackup } from '../src/platform/backups/make-backup.ts'
import { type Manifest, manifestName } from '../src/platform/backups/manifest.ts'
import { planRestore } from '../src/platform/backups/restore-database.ts'
import { testBackup } from '../src/platform/backups/test-backup.ts'
import { openBackupPlace } from '../src/wiring/backups.ts'
import { type BackupWorld, backupWorld, fast, keyText } from './backup-world.ts'
import { silentLog } from './silent-log.ts'

// Each starts a PostgreSQL of its own.
vi.setConfig({ testTimeout: 60_000 })

const NAME = 'Ermenegilda Quattrocchi'
const PICTURE = 'a picture of a prescription'

let world: BackupWorld
let manifest: Manifest

beforeAll(async () => {
  world = await backupWorld()
  const { pool, stores } = world
  await pool.query('create table writings (n serial primary key, text text not null)')
  await pool.query('insert into writings (text) select $1 from generate_series(1, 2000)', [NAME])
  await pool.query(
    "insert into order_image_files (pharmacy_id, key) values (gen_random_uuid(), 'pharmacy/picture')",
  )
  await stores.images.put('pharmacy/picture', Buffer.from(PICTURE), 'image/webp')
  // Transactions go on while the database is copied.
  const copied = new AbortController()
  const write = async () => {
    while (!copied.signal.aborted)
      await pool.query('insert into writings (text) values ($1)', [NAME])
  }
  const writing = write()
  manifest = await makeBackup(world.store, world.source)
  copied.abort()
  await writing
}, 120_000)

const contentOf =
  'select count(*)::int as rows, md5(string_agg(n || text, $1 order by n)) from writings'

async function ask(url: string, query: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(query, values)
    return rows[0]
  } finally {
    await client.end()
  }
}

async function filesOfTarget(): Promise<string[]> {
  const found = await readdir(world.target, { recursive: true, withFileTypes: true })
  return found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
}

/** The path of the last part of a thing. */
async function partOf(name: string): Promise<string> {
  const folder = join(world.target, name)
  const parts = (await readdir(folder)).sort()
  return join(folder, parts.at(-1) ?? '')
}

/** Changes a file until the end of the test. */
async function changed(path: string, change: (path: string) => Promise<void>) {
  const before = await readFile(path)
  onTestFinished(() => writeFile(path, before))
  await change(path)
}

async function flip(path: string) {
  const bytes = await readFile(path)
  const at = Math.floor(bytes.length / 2)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  await writeFile(path, bytes)
}

const test = (from = world.store) =>
  testBackup({
    store: from,
    dataDir: world.dataDir,
    isLogArchived: false,
    log: silentLog,
    settings: fast,
  })

describe('a restore', () => {
  it('brings back a moment before a mistake, with the pictures, and leaves the old folder', async () => {
    const { pool, dataDir } = world
    await pool.query('insert into writings (text) select $1 from generate_series(1, 500)', [NAME])
    await pool.query(
      "insert into order_image_files (pharmacy_id, key) values (gen_random_uuid(), 'pharmacy/not-copied')",
    )
    const before = (await pool.query<Record<string, unknown>>(contentOf, [','])).rows[0]
    await pause(20)
    const until = Date.now()
    await pause(20)
    await pool.query('delete from writings')
    await world.sendLog()
    const folder = world.newFolder()
    const restored = await world.restore(folder, { until })
    expect(restored).toMatchObject({ files: 1, lostFiles: 0, absentFiles: 1 })
    expect(await readFile(join(folder, 'app-secret'), 'utf8')).toBe(`${world.source.appSecret}\n`)
    expect(await readFile(join(folder, 'images/pharmacy/picture'), 'utf8')).toBe(PICTURE)
    expect(await readdir(folder)).not.toContain('restoring')

    const database = await world.start(folder)
    onTestFinished(() => database.stop())
    expect(await ask(database.url, contentOf, [','])).toEqual(before)
    // Its log is never taken for that of the original.
    const timeline = 'select timeline_id as timeline from pg_control_checkpoint()'
    expect(await ask(database.url, timeline)).toEqual({ timeline: 2 })
    expect(await ask(world.database.url, 'select count(*)::int as rows from writings')).toEqual({
      rows: 0,
    })
    expect(await readdir(dataDir)).toContain('postgres')
  })

  it('is refused into a folder that is not empty, for a time before all back-ups and after the log', async () => {
    await expect(world.restore(world.dataDir)).rejects.toThrow('is not empty')
    const early = Date.parse(manifest.startedAt) - 1
    await expect(world.restore(world.newFolder(), { until: early })).rejects.toThrow(
      'There is no back-up',
    )
    const folder = world.newFolder()
    const late = world.restore(folder, { until: Date.now() + 60_000 })
    await expect(late).rejects.toThrow('The archive of the log ends before')
    expect(await readdir(folder)).toEqual([])
  })

  it('ends at once where nothing can be written', async () => {
    for (const folder of ['/proc/bancone', join(world.target, 'base/file')]) {
      if (folder.startsWith('/proc') && process.platform !== 'linux') continue
      await writeFile(join(world.target, 'base/file'), '')
      onTestFinished(() => rm(join(world.target, 'base/file'), { force: true }))
      await expect(world.restore(folder)).rejects.toThrow(`Cannot write to the folder ${folder}`)
    }
  })

  it('needs no list of the files of the back-up', async () => {
    await changed(await partOf(`base/${manifest.id}/files`), flip)
    const folder = world.newFolder()
    // The picture that was never copied counts as lost, as it cannot be known.
    expect(await world.restore(folder)).toMatchObject({
      files: 1,
      lostFiles: 1,
      absentFiles: 0,
      isFileListDamaged: true,
    })
    expect(await readFile(join(folder, 'images/pharmacy/picture'), 'utf8')).toBe(PICTURE)
  })

  it.each<[string, string, (path: string) => Promise<void>]>([
    ['a flipped byte of the database', 'archive', flip],
    ['a part that is cut off', 'archive', (path) => truncate(path, 1_000)],
    ['a part that is missing', 'archive', (path) => rm(path)],
    ['a part that is longer', 'archive', (path) => appendFile(path, 'x')],
    ['a flipped byte in the list of files', 'manifest', flip],
  ])('is refused for %s', async (_what, name, change) => {
    await changed(await partOf(`base/${manifest.id}/${name}`), change)
    const folder = world.newFolder()
    await expect(world.restore(folder)).rejects.toMatchObject({ kind: 'damaged' })
    expect(await readdir(folder)).toEqual([])
  })

  it('is refused with another key, and where the log has a gap', async () => {
    const { target, store } = world
    const files = await openBackupPlace({ folder: target })
    const withOtherKey = createBackupStore(files, readKeys(newKeyText()))
    const other = world.restore(world.newFolder(), {}, withOtherKey)
    await expect(other).rejects.toThrow(`encrypted with the key ${store.keyId}`)
    await world.sendLog()
    await world.sendLog()
    const segments = [...(await store.list('wal/')).keys()].sort()
    await changed(await partOf(segments.at(-2) ?? ''), (path) => rm(path))
    await expect(world.restore(world.newFolder())).rejects.toThrow('has a gap')
  })
})

describe('what is in the target', () => {
  it('shows no name of a customer and no picture', async () => {
    const paths = await filesOfTarget()
    expect(paths.length).toBeGreaterThan(5)
    for (const path of paths) {
      const bytes = await readFile(path)
      for (const word of [NAME, 'Quattrocchi', PICTURE, 'pharmacy/picture']) {
        expect(bytes.includes(word) || path.includes(word), path).toBe(false)
      }
    }
  })

  it('is the same in a bucket, whose refusal has a sentence', async () => {
    const s3 = await startS3()
    onTestFinished(() => s3.close())
    const { url: endpoint, bucket, region, keys } = s3
    const inBucket = async (secret: string) => {
      const account = { endpoint, region, keys: { id: keys.id, secret } }
      const files = await openBackupPlace({ s3: { ...account, bucket }, folder: 'copies' })
      onTestFinished(() => files.close())
      return createBackupStore(files, readKeys(newKeyText()))
    }
    const store = await inBucket(keys.secret)
    // More than one part.
    const content = Buffer.alloc(9 * 1024 * 1024)
    for (let at = 0; at < content.length; at += 4)
      content.writeUInt32LE((at * 2_654_435_761) >>> 0, at)
    await store.write('base/one', [content])
    expect((await store.list('base/')).get('base/one')?.parts).toBe(2)
    expect((await store.readAll('base/one')).equals(content)).toBe(true)
    const refused = await inBucket('wrong')
    await expect(refused.write('base/two', [content])).rejects.toThrow(
      'The place of the back-ups cannot be used: S3 answered 403',
    )
  })
})

describe('the test of a back-up', () => {
  it('fails for a copy with fewer rows than were backed up', async () => {
    const rows = { ...manifest.rows, pharmacies: { least: 1, most: 2 } }
    await changed(await partOf(manifestName(manifest.id)), async () => {
      const text = JSON.stringify({ ...manifest, rows })
      await world.store.write(manifestName(manifest.id), [Buffer.from(text)])
    })
    await expect(test()).rejects.toMatchObject({ kind: 'test_failed' })
    expect((await readdir(world.dataDir)).filter((name) => name.startsWith('backup-'))).toEqual([])
  })

  it('fails for a damaged file, and for one that is missing', async () => {
    const [file = ''] = (await world.store.list('files/')).keys()
    const path = await partOf(file)
    await changed(path, flip)
    await expect(test()).rejects.toMatchObject({ kind: 'damaged' })
    await rm(path)
    await expect(test()).rejects.toMatchObject({ kind: 'files_missing' })
  })
})

// The last one: it takes the database away.
it("a back-up of an operator's own PostgreSQL is restored for the embedded one", async () => {
  const { database, source } = world
  const account = "create role padrone superuser login password 'a password of theirs'"
  await ask(database.url, account)
  const url = new URL(database.url)
  Object.assign(url, {
    username: 'padrone',
    password: 'a password of theirs',
    pathname: '/postgres',
  })
  const others = "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'bancone'"
  await ask(url.href, others)
  await ask(url.href, 'alter database bancone rename to altra')
  url.pathname = '/altra'
  const theirs = { ...source, url: url.href, databasePassword: undefined }
  // Without a log beside them, as those that are made by hand.
  const place = join(world.root, 'by hand')
  await mkdir(place)
  const byHand = createBackupStore(await openBackupPlace({ folder: place }), readKeys(keyText))
  const rows = 'select count(*)::int as rows from writings'
  const older = await makeBackup(byHand, theirs)
  const before = await ask(url.href, rows)
  await ask(url.href, 'insert into writings (text) values ($1)', [NAME])
  // Their names have the second.
  await pause(1_000)
  const made = await makeBackup(byHand, theirs)

  const folder = world.newFolder()
  const newest = await world.restore(folder, {}, byHand)
  expect(newest).toMatchObject({ manifest: { id: made.id }, lostFiles: 0 })
  const restored = await world.start(folder)
  onTestFinished(() => restored.stop())
  const found = 'select count(*)::int > 0 as found from schema_migrations'
  expect(await ask(restored.url, found)).toEqual({ found: true })

  const until = Date.parse(older.finishedAt)
  expect(await planRestore(byHand, { until })).toMatchObject({
    manifest: { id: older.id },
    target: 'consistent',
    isWithoutLog: true,
  })
  const earlier = world.newFolder()
  const { manifest: chosen } = await world.restore(earlier, { until }, byHand)
  expect(chosen.id).toBe(older.id)
  const second = await world.start(earlier)
  onTestFinished(() => second.stop())
  expect(await ask(second.url, rows)).toEqual(before)
  const unknown = world.restore(world.newFolder(), { id: manifest.id }, byHand)
  await expect(unknown).rejects.toThrow(`There is no back-up ${manifest.id} in this place.`)
})
