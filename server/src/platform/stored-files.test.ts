import { buffer } from 'node:stream/consumers'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/database.ts'
import { untilBlocked } from '../../test/lock-waits.ts'
import { type MemoryFiles, memoryFiles } from '../../test/memory-files.ts'
import { addPharmacyRow } from '../../test/pharmacy-row.ts'
import { silentLog } from '../../test/silent-log.ts'
import type { StoredFiles } from '../ports/file-store.ts'
import { createStoredFilesStore, isStillUsed } from './stored-files.store.ts'
import { createStoredFiles, FILES_CLEANUP_TASK, storedFilesTasks } from './stored-files.ts'

let database: TestDatabase
let store: MemoryFiles
let files: StoredFiles

const KEY = 'files/one'

beforeAll(async () => {
  database = await testDatabase()
})

beforeEach(async () => {
  await query('delete from images')
  await query('delete from storage_objects')
  await query('delete from stored_files')
  store = memoryFiles()
  files = createStoredFiles(database.db, store)
})

async function query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
  const { rows } = await database.pool.query<T>(text, values)
  return rows
}

const put = (key = KEY, originalKey?: string) =>
  files.put(key, Buffer.from('a'), 'image/webp', originalKey)

/** The registered keys, and whether they are unused. */
async function known(): Promise<Record<string, boolean>> {
  const rows = await query<{ key: string; waits: boolean }>(
    'select key, unused_since is not null as waits from stored_files order by key',
  )
  return Object.fromEntries(rows.map(({ key, waits }) => [key, waits]))
}

const kept = () => [...store.files.keys()].sort()

const use = (id: string, key: string | null = KEY, pharmacyId: string | null = null) =>
  query(
    `insert into images (public_id, pharmacy_id, file_key, url, width, height, format, bytes, source)
     values ($1, $2, $3, '/images/x', 1, 1, 'webp', 1, 'upload')`,
    [id, pharmacyId, key],
  )

const useObject = (name: string, key = KEY) =>
  query(
    `insert into storage_objects (bucket_id, name, file_key, size, content_type, etag)
     values ('pharmacies', $1, $2, 1, 'text/plain', '"x"')`,
    [name, key],
  )

const daysPass = () =>
  query("update stored_files set unused_since = unused_since - interval '2 days'")

let cleaned = 0

async function cleanUp(signal?: AbortSignal): Promise<void> {
  const rows = createStoredFilesStore(database.db)
  const cleanDisk = async () => {
    cleaned += 1
  }
  const tasks = storedFilesTasks({ files: rows, store, cleanDisk, log: silentLog })
  await tasks[FILES_CLEANUP_TASK].run({}, signal)
}

describe('a file that is put', () => {
  it('is recorded before it is stored, and waits to be referred to', async () => {
    store.failure = new Error('the disk is full')
    await expect(put()).rejects.toThrow('the disk is full')
    expect(await known()).toEqual({ [KEY]: true })
    store.failure = null
    await put()
    expect(await known()).toEqual({ [KEY]: true })
    const file = await files.open(KEY)
    expect(file && (await buffer(file.stream)).toString()).toBe('a')
  })

  it('again has another day, unless it is used', async () => {
    await put()
    await daysPass()
    await put()
    await cleanUp()
    expect(kept()).toEqual([KEY])
    await use('one')
    await put()
    expect(await known()).toEqual({ [KEY]: false })
  })

  it('and drawn from another goes with it alone', async () => {
    await put()
    await put('files/drawn', KEY)
    await use('one')
    await daysPass()
    await cleanUp()
    expect(await known()).toEqual({ 'files/drawn': false, [KEY]: false })
    await put('files/drawn', KEY)
    expect(await known()).toEqual({ 'files/drawn': false, [KEY]: false })
    await query('delete from images')
    await files.remove(KEY)
    expect([await known(), kept()]).toEqual([{}, []])
  })

  it('and drawn from one that is gone is not put', async () => {
    await expect(put('files/drawn', 'files/gone')).rejects.toThrow('foreign key')
    expect([await known(), kept()]).toEqual([{}, []])
  })

  it.each([
    ['drawn from the one that is removed', 'files/drawn'],
    ['itself removed', KEY],
  ])('while it is %s is not forgotten', async (_what, key) => {
    await put()
    const memory = store.put
    store.put = async (...file) => {
      await memory(...file)
      store.put = memory
      await files.remove(KEY)
      await memory(...file)
    }
    await put(key, key === KEY ? undefined : KEY)
    expect([await known(), kept()]).toEqual([{ [key]: true }, [key]])
    await daysPass()
    await cleanUp()
    expect([await known(), kept()]).toEqual([{}, []])
  })
})

describe('what refers to a file', () => {
  it.each<[string, (key: string) => Promise<unknown>, string]>([
    ['a picture', (key) => use('one', key), 'images'],
    ['an object', (key) => useObject('folder/one', key), 'storage_objects'],
  ])('keeps it until it goes or has another: %s', async (_what, refer, table) => {
    await put()
    await put('files/two')
    await refer(KEY)
    expect(await known()).toEqual({ [KEY]: false, 'files/two': true })
    await query(`update ${table} set file_key = file_key`)
    expect(await known()).toEqual({ [KEY]: false, 'files/two': true })
    await query(`update ${table} set file_key = 'files/two'`)
    expect(await known()).toEqual({ [KEY]: true, 'files/two': false })
    await query(`delete from ${table}`)
    expect(await known()).toEqual({ [KEY]: true, 'files/two': true })
  })

  it('may be a picture that a service keeps, which has none', async () => {
    await put()
    await use('one', null)
    await query('update images set file_key = $1', [KEY])
    expect(await known()).toEqual({ [KEY]: false })
    await query('update images set file_key = null')
    expect(await known()).toEqual({ [KEY]: true })
  })

  it('cannot be a file that was never noted', async () => {
    await expect(use('one', 'files/unknown')).rejects.toThrow('foreign key')
  })

  it('keeps it when the pharmacy is gone, until it is gone itself', async () => {
    const pharmacyId = await addPharmacyRow(database, null)
    await put()
    await use('one', KEY, pharmacyId)
    await query('delete from pharmacies where id = $1', [pharmacyId])
    expect(await query('select pharmacy_id from images')).toEqual([{ pharmacy_id: null }])
    expect(await known()).toEqual({ [KEY]: false })
  })

  it('goes with the pharmacy, where it is an object in its folder', async () => {
    const pharmacyId = await addPharmacyRow(database, null)
    await put()
    await put('files/two')
    await useObject(`${pharmacyId}/a/one`)
    await useObject('folder/two', 'files/two')
    await query('delete from pharmacies where id = $1', [pharmacyId])
    expect(await query('select name from storage_objects')).toEqual([{ name: 'folder/two' }])
    expect(await known()).toEqual({ [KEY]: true, 'files/two': false })
  })

  it('is respected: the file cannot be removed', async () => {
    await put()
    await put('files/drawn', KEY)
    await use('one')
    await expect(files.remove(KEY)).rejects.toSatisfy(isStillUsed)
    expect(await known()).toEqual({ 'files/drawn': false, [KEY]: false })
    expect(kept()).toEqual(['files/drawn', KEY])
  })
})

describe('removing a file', () => {
  it('that is not there is done already', async () => {
    await files.remove(KEY)
    await put()
    await files.remove(KEY)
    await files.remove(KEY)
    expect([await known(), kept()]).toEqual([{}, []])
  })

  it('that fails leaves it known', async () => {
    await put()
    await put('files/drawn', KEY)
    store.failure = new Error('the disk is away')
    await expect(files.remove(KEY)).rejects.toThrow('the disk is away')
    expect(await known()).toEqual({ 'files/drawn': false, [KEY]: true })
  })

  it('also removes a drawing that is recorded at the same time', async () => {
    await put()
    const drawing = 'insert into stored_files (key, drawn_from) values ($1, $2)'
    await during(drawing, ['files/drawn', KEY], () => files.remove(KEY))
    expect([await known(), kept()]).toEqual([{}, []])
  })
})

describe('the nightly cleaning of files', () => {
  it('removes what nothing has referred to for a day, and what was drawn from it', async () => {
    await put('files/old')
    await put('files/drawn', 'files/old')
    await put('files/used')
    await use('one', 'files/used')
    await daysPass()
    await put('files/new')
    const order: string[] = []
    const memory = store.remove
    store.remove = async (key) => {
      order.push(key)
      await memory(key)
    }
    cleaned = 0
    await cleanUp()
    expect(await known()).toEqual({ 'files/new': true, 'files/used': false })
    expect(kept()).toEqual(['files/new', 'files/used'])
    expect(order).toEqual(['files/drawn', 'files/old'])
    expect(cleaned).toBe(1)
  })

  it('leaves what one row let go and another refers to, until that lets it go', async () => {
    await put()
    await useObject('folder/one')
    await useObject('folder/copy')
    await query("delete from storage_objects where name = 'folder/copy'")
    await daysPass()
    await cleanUp()
    expect([await known(), kept()]).toEqual([{ [KEY]: false }, [KEY]])
    await query('delete from storage_objects')
    await cleanUp()
    expect(kept()).toEqual([KEY])
    await daysPass()
    await cleanUp()
    expect([await known(), kept()]).toEqual([{}, []])
  })

  it('goes through more than it looks at in one go', async () => {
    await query(
      "insert into stored_files (key) select 'files/' || n from generate_series(1, 501) n",
    )
    await daysPass()
    await cleanUp()
    expect(await known()).toEqual({})
  })

  it('is not kept from the others by one that cannot be removed', async () => {
    for (const key of ['files/a', 'files/b', 'files/c']) await put(key)
    await daysPass()
    const memory = store.remove
    store.remove = (key) =>
      key === 'files/b' ? Promise.reject(new Error('an odd one')) : memory(key)
    await expect(cleanUp()).rejects.toThrow('an odd one')
    expect(await known()).toEqual({ 'files/b': true })
    store.remove = memory
    await cleanUp()
    expect([await known(), kept()]).toEqual([{}, []])
  })

  it('gives up soon when the store is away, and forgets nothing', async () => {
    const keys = ['files/a', 'files/b', 'files/c', 'files/d', 'files/e']
    for (const key of keys) await put(key)
    await daysPass()
    let asked = 0
    store.remove = async () => {
      asked += 1
      throw new Error('the disk is away')
    }
    await expect(cleanUp()).rejects.toThrow('the disk is away')
    expect(asked).toBe(3)
    expect(Object.keys(await known())).toEqual(keys)
  })

  it('stops when the process does', async () => {
    await put()
    await daysPass()
    await expect(cleanUp(AbortSignal.abort())).rejects.toThrow('aborted')
    expect(kept()).toEqual([KEY])
  })

  it.each([
    ['putting the file again', () => put()],
    ['drawing from it', () => put('files/drawn', KEY).catch(() => {})],
  ])('makes %s wait until the removal has ended', async (what, meanwhile) => {
    await put()
    await daysPass()
    const order: string[] = []
    const memory = { put: store.put, remove: store.remove }
    let putting: Promise<unknown> = Promise.resolve()
    store.put = async (...file) => {
      order.push('put')
      await memory.put(...file)
    }
    store.remove = async (key) => {
      putting = meanwhile()
      await untilBlocked(database.pool)
      order.push('removed')
      await memory.remove(key)
    }
    await cleanUp()
    await putting
    const isPut = what === 'putting the file again'
    expect(order).toEqual(isPut ? ['removed', 'put'] : ['removed'])
    expect([await known(), kept()]).toEqual(isPut ? [{ [KEY]: true }, [KEY]] : [{}, []])
  })

  it('spares what comes to be used while it waits', async () => {
    await put()
    await daysPass()
    await during('update stored_files set unused_since = null where key = $1', [KEY], cleanUp)
    expect([await known(), kept()]).toEqual([{ [KEY]: false }, [KEY]])
  })
})

/** Runs the work while a statement is uncommitted, so that the work waits for its lock. */
async function during(
  text: string,
  values: unknown[],
  work: () => Promise<unknown>,
): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query(text, values)
    const working = work()
    await untilBlocked(database.pool)
    await client.query('commit')
    await working
  } finally {
    client.release()
  }
}

describe('a store that hangs', () => {
  it('does not block other queries, however many files are removed', async () => {
    const keys = Array.from({ length: 12 }, (_, index) => `files/hanging-${index}`)
    for (const key of keys) await put(key)
    let goOn = () => {}
    const hangs = new Promise<void>((resolve) => {
      goOn = resolve
    })
    store.remove = async (key) => {
      await hangs
      store.files.delete(key)
    }
    const removals = Promise.all(keys.map((key) => files.remove(key)))
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
    goOn()
    await removals
    expect([kept(), await known()]).toEqual([[], {}])
  })
})
