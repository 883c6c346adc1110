import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { APP_SECRET_FILE, readSecret } from '../src/base/secret-file.ts'
import { withSecret } from '../src/commands/transfer-command.ts'
import { connectDatabase } from '../src/database/database.ts'
import {
  readTransferManifest,
  type TransferManifest,
} from '../src/platform/transfer/transfer-manifest.ts'
import { importInto } from '../src/wiring/transfer.ts'
import { testDatabase } from './database.ts'
import { password, testApp, testSecret } from './server.ts'
import { silentLog } from './silent-log.ts'
import {
  ask,
  type Place,
  type TransferWorld,
  transferred,
  transferWorld,
} from './transfer-world.ts'

// Databases are copied.
vi.setConfig({ testTimeout: 60_000 })

let world: TransferWorld
let place: Place
let manifest: TransferManifest

beforeAll(async () => {
  world = await transferWorld()
  const { pool } = world.server.database
  await pool.query("select graphile_worker.add_job('a.task', '{\"n\": 1}', job_key := 'a-key')")
  place = await world.newPlace()
  manifest = await world.export(place)
}, 120_000)

/** A server in an empty database and a new folder. */
async function newServer() {
  const { url } = await testDatabase()
  return transferred(url, world.newFolder(), testSecret)
}

const accounts = 'select count(*)::int as accounts from auth_users'

async function filesOf(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
}

describe('an export of everything', () => {
  it('imported into an empty database has the same rows, numbers, jobs and files', async () => {
    const target = await newServer()
    await world.import(place, manifest, target)

    const again = await world.newPlace()
    const { exportedAt } = manifest
    expect({ ...(await world.export(again, undefined, target)), exportedAt }).toEqual(manifest)
    expect(manifest.tables.filter(({ rows }) => rows > 0).length).toBeGreaterThan(60)
    expect(manifest.files.rows).toBeGreaterThan(4)
    expect(
      await ask(
        target.url,
        "select payload from graphile_worker._private_jobs where key = 'a-key'",
      ),
    ).toEqual([{ payload: { n: 1 } }])
  })

  it('is a server in which one signs in, sees pictures and adds orders', async () => {
    const target = await newServer()
    await world.import(place, manifest, target)
    const connection = connectDatabase(target.url, { max: 5 })
    onTestFinished(connection.close)
    const { app, wired } = await testApp(
      connection,
      { files: { folder: target.dataDir } },
      silentLog,
    )
    onTestFinished(async () => {
      await app.close()
      await wired.close()
    })
    const [{ id, email }] = world.pharmacies
    const signedIn = await app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      payload: { email, password },
    })
    expect(signedIn.statusCode).toBe(200)
    const headers = {
      authorization: `Bearer ${signedIn.json<{ access_token: string }>().access_token}`,
      'idempotency-key': 'a-request-after-the-move',
    }
    const letter = await app.inject({
      url: `/storage/v1/object/authenticated/pharmacies/${id}/lettera.txt`,
      headers,
    })
    expect(letter.body).toBe('una lettera')
    const counted = `select total::int from pharmacy_order_counts where pharmacy_id = $1`
    const [before] = await ask<{ total: number }>(target.url, counted, [id])
    const created = await app.inject({
      method: 'POST',
      url: '/api/orders',
      headers,
      payload: {
        fields: {
          Cliente: 'Bruno',
          Ordine: 'Sapone',
          Indirizzo: 'Via Po',
          'Phone Number': '333 7654321',
        },
      },
    })
    expect(created.statusCode).toBe(201)
    // The triggers are on again.
    expect(await ask(target.url, counted, [id])).toEqual([{ total: (before?.total ?? 0) + 1 }])
  })

  it('is refused by a database that is not empty, which stays as it is', async () => {
    const { url } = await testDatabase()
    await ask(url, "insert into auth_users (email) values ('here@example.it')")
    const target = transferred(url, world.newFolder(), testSecret)
    await expect(world.import(place, manifest, target)).rejects.toThrow('The database is not empty')
    expect(await ask(url, accounts)).toEqual([{ accounts: 1 }])
    expect(await filesOf(target.dataDir)).toEqual([])
  })

  it('is refused with a table that is not known', async () => {
    const [first] = manifest.tables
    const tables = [...manifest.tables, ...(first ? [{ ...first, name: 'unknown' }] : [])]
    await expect(world.import(place, { ...manifest, tables }, await newServer())).rejects.toThrow(
      'has the table unknown, which is not imported',
    )
  })

  it('is refused by another version', async () => {
    const other = { ...manifest, migrations: ['0001_future.sql'] }
    await expect(world.import(place, other, await newServer())).rejects.toThrow(
      'its last migration is 0001_future.sql',
    )
  })

  it('of a development version is imported by its tables and columns', async () => {
    const target = await newServer()
    await world.import(place, { ...manifest, version: 1, migrations: ['0001_gone.sql'] }, target)
    expect(await ask(target.url, accounts)).toEqual(await ask(world.source.url, accounts))
  })

  it('does not keep names and texts readable', async () => {
    const contents = await Promise.all((await filesOf(place.folder)).map((file) => readFile(file)))
    const all = Buffer.concat(contents)
    for (const known of ['Anna', 'LIFE-', 'example.it', 'lettera', testSecret]) {
      expect(all.includes(known)).toBe(false)
    }
  })
})

it('an import that fails after its rows were committed leaves their secret', async () => {
  const target = await newServer()
  const config = { dataDir: target.dataDir, appSecret: undefined }
  const failing = (work: (onCommit: () => void) => Promise<void>) =>
    withSecret(config, manifest, async (_, onCommit) => {
      await work(onCommit)
      throw new Error('at the end')
    })
  const file = join(target.dataDir, APP_SECRET_FILE)
  await expect(failing(async () => {})).rejects.toThrow('at the end')
  expect(await readSecret(file)).toBeUndefined()
  const importing = (onCommit: () => void) =>
    importInto(place.store, manifest, target, silentLog, { onCommit })
  await expect(failing(importing)).rejects.toThrow('at the end')
  expect(await readSecret(file)).toBe(testSecret)
})

describe('a damaged export', () => {
  const part = (name: string) => join(place.folder, name, '00001')

  async function damaged(file: string, change: (path: string) => Promise<void>) {
    const before = await readFile(file)
    onTestFinished(() => writeFile(file, before))
    await change(file)
  }

  async function expectRefusal(message: string) {
    const target = await newServer()
    const importing = async () =>
      world.import(place, await readTransferManifest(place.store), target)
    await expect(importing()).rejects.toThrow(message)
    expect(await ask(target.url, accounts)).toEqual([{ accounts: 0 }])
    expect(await filesOf(target.dataDir)).toEqual([])
  }

  it('is refused with a byte that differs', async () => {
    await damaged(part('tables/pharmacy_orders'), async (path) => {
      const bytes = await readFile(path)
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 30) ^ 1, bytes.length - 30)
      await writeFile(path, bytes)
    })
    await expectRefusal('damaged or incomplete at tables/pharmacy_orders')
  })

  it('is refused where a file is cut off', async () => {
    await damaged(part('export/jobs'), (path) => truncate(path, 40))
    await expectRefusal('damaged or incomplete at export/jobs')
  })

  it('is refused with the table of another export', async () => {
    const [{ code }] = world.pharmacies
    const other = await world.newPlace()
    await world.export(other, code)
    await damaged(part('tables/pharmacy_orders'), async (path) => {
      await writeFile(path, await readFile(join(other.folder, 'tables/pharmacy_orders/00001')))
    })
    await expectRefusal('tables/pharmacy_orders has another SHA-256')
  })

  it('is refused without its manifest', async () => {
    const empty = await world.newPlace()
    await expect(readTransferManifest(empty.store)).rejects.toThrow('no complete export')
  })
})
