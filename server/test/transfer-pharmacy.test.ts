import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { tablesOfPharmacy } from '../src/features/pharmacies/deletion/tables.store.ts'
import { createSealing } from '../src/features/whatsapp/whatsapp.context.ts'
import { openFactor, sealFactor } from '../src/platform/auth/factors.store.ts'
import { createSecrets } from '../src/platform/secrets.ts'
import { type ExportedTable, exportTo } from '../src/platform/transfer/export.ts'
import type { TransferManifest } from '../src/platform/transfer/transfer-manifest.ts'
import { testDatabase } from './database.ts'
import { testSecret } from './server.ts'
import {
  ask,
  filesOf,
  type Place,
  type TransferWorld,
  transferred,
  transferWorld,
} from './transfer-world.ts'

vi.setConfig({ testTimeout: 60_000 })

/** That of the server into which is imported. */
const otherSecret = 'another secret, that of the server which imports'

const number = '393331234567'

let world: TransferWorld
let id: string
let code: string
let place: Place
let manifest: TransferManifest

beforeAll(async () => {
  world = await transferWorld()
  const [moved, stays] = world.pharmacies
  ;({ id, code } = moved)
  const { pool } = world.server.database
  const secrets = createSecrets(testSecret)
  const { keyId, seal } = createSealing(secrets)
  await pool.query(
    `update whatsapp_connections set token = $2, pin = null, key_id = $3, phone_number_id = $4 where pharmacy_id = $1`,
    [id, seal(id, 'token', 'the token at Meta'), keyId, number],
  )
  const factorId = '6a1d2c1e-0000-4000-8000-000000000001'
  await pool.query(
    `insert into auth_factors (id, user_id, status, secret) values ($1, $2, 'verified', $3)`,
    [factorId, id, sealFactor(secrets, id, factorId, Buffer.from('the secret of an app'))],
  )
  const { rows } = await pool.query<{ id: string }>(
    "insert into subscription_plans (name, max_offers) values ('Base', 5) returning id",
  )
  await pool.query('update pharmacies set subscription_plan_id = $2 where id = $1', [
    id,
    rows[0]?.id,
  ])
  // A picture of the archive that belongs to the other pharmacy, and is shown by both.
  await pool.query(
    `with archived as (
       insert into product_image_archive (minsan, public_id)
       select '012345678', public_id from images where pharmacy_id = $2 limit 1 returning public_id
     )
     insert into image_uses (public_id, holder)
     select archived.public_id, 'offer:' || offer.id from archived, product_offers offer
     where offer.pharmacy_id = $1`,
    [id, stays.id],
  )
  place = await world.newPlace()
  manifest = await world.export(place, code)
}, 120_000)

/** Another server, without pharmacies but with a plan of that name, and another limit. */
async function otherServer({ plan = 'BASE' } = {}) {
  const { url } = await testDatabase()
  if (plan !== '') {
    await ask(url, 'insert into subscription_plans (name, max_offers) values ($1, 9)', [plan])
  }
  return transferred(url, world.newFolder(), otherSecret)
}

/** The content of all tables and files of an export, without compression and encryption. */
async function contentOf({ store }: Place, { tables }: TransferManifest): Promise<Buffer> {
  const names = [...tables.map(({ name }) => `tables/${name}`), 'export/files', 'export/manifest']
  const files = await store.list('files/')
  const all = [...names, ...files.keys()].map((name) => store.readAll(name))
  return Buffer.concat(await Promise.all(all))
}

/** An export of the pharmacy in which a table has other rows. */
function forged(into: Place, table: ExportedTable): Promise<TransferManifest> {
  const { url, stores } = world.source
  const carried = tablesOfPharmacy(world.server.database.db, id)
  const tables = [...carried.filter(({ name }) => name !== table.name), table]
  const { pharmacy } = manifest
  return exportTo(into.store, { url, stores, tables, pharmacy, secret: testSecret })
}

/** What has another value on the other server: encrypted anew, by its plan, or because no job waits for it. */
const changing = ['auth_factors', 'whatsapp_connections', 'whatsapp_outbox', 'pharmacies']

const hashes = ({ tables, files }: TransferManifest) => ({
  files: files.sha256,
  tables: tables.filter(({ name }) => !changing.includes(name)),
})

describe('a pharmacy', () => {
  it('has the same rows and files in a new database, and is in the audit logs', async () => {
    const target = await otherServer()
    await world.import(place, manifest, target)
    const again = await world.export(await world.newPlace(), id, target)
    expect(hashes(again)).toEqual(hashes(manifest))
    const empty = manifest.tables.filter(({ rows }) => rows === 0)
    expect(empty, 'every table has a row in test/deletion-rows.ts').toEqual([])
    expect(manifest.files.rows).toBeGreaterThan(2)
    const event = `select action, role, details ->> 'code' as code from audit_events
      where pharmacy_id = $1 and action like 'pharmacy_moved%' order by id`
    const moved = { role: 'system', code }
    expect(await ask(target.url, event, [id])).toEqual([
      { action: 'pharmacy_moved_in', ...moved },
      { action: 'pharmacy_moved_out', ...moved },
    ])
    expect((await ask(world.source.url, event, [id]))[0]).toMatchObject({
      action: 'pharmacy_moved_out',
    })
  })

  it('takes nothing of another one along', async () => {
    const [, stays] = world.pharmacies
    // The name of a picture of the archive begins with the id of the pharmacy that it came from.
    const { rows: archived } = await world.server.database.pool.query<{ name: string }>(
      'select public_id as name from product_image_archive',
    )
    const content = (await contentOf(place, manifest))
      .toString('latin1')
      .replaceAll(archived[0]?.name ?? 'none', '')
    const { rows } = await world.server.database.pool.query<{ record: string }>(
      'select airtable_order_id as record from pharmacy_orders where pharmacy_id = $1',
      [stays.id],
    )
    const foreign = [...stays.ids, stays.email, stays.code, rows[0]?.record ?? 'none', testSecret]
    const found = foreign.filter((text) => content.includes(text))
    expect(found).toEqual([])
    expect(content.includes(code)).toBe(true)
  })

  it('takes no password of an administrator along', async () => {
    const { pool } = world.server.database
    await pool.query('insert into admin_users (user_id) values ($1)', [id])
    onTestFinished(async () => {
      await pool.query('delete from admin_users where user_id = $1', [id])
    })
    const target = await otherServer()
    const into = await world.newPlace()
    await world.import(into, await world.export(into, code), target)
    const query = `select password_hash is not null as known, (select count(*)::int from auth_factors) as factors
      from auth_users where deleted_at is null order by id = $1 desc`
    expect(await ask(target.url, query, [id])).toEqual([
      { known: false, factors: 0 },
      { known: true, factors: 0 },
    ])
  })

  it('keeps its secrets under the secret of the other server, and has what its plan grants there', async () => {
    const target = await otherServer()
    await world.import(place, manifest, target)
    const secrets = createSecrets(otherSecret)
    const [factor] = await ask<{ id: string; secret: Buffer }>(
      target.url,
      'select id, secret from auth_factors',
    )
    const opened = factor && openFactor(secrets, id, factor.id, factor.secret)
    expect(opened?.toString()).toBe('the secret of an app')
    const [connection] = await ask<{ token: Buffer; key_id: string }>(
      target.url,
      'select token, key_id from whatsapp_connections',
    )
    const { open } = createSealing(secrets)
    expect(connection && open(id, 'token', connection.token, connection.key_id)).toBe(
      'the token at Meta',
    )
    // The pharmacy deviates in max_offers.
    expect(await ask(target.url, 'delete from plan_deviations returning key')).toEqual([
      { key: 'max_offers' },
    ])
    expect(await ask(target.url, 'select max_offers from pharmacies')).toEqual([{ max_offers: 9 }])
  })

  it('has nothing that waits for a job of the other server', async () => {
    const target = await otherServer()
    const into = await world.newPlace()
    const table = { name: 'order_images', where: `pharmacy_id = '${id}'` }
    const values = { state: "'waiting'" }
    await world.import(into, await forged(into, { ...table, values }), target)
    expect(await ask(target.url, 'select state, reason from whatsapp_outbox')).toEqual([
      { state: 'failed', reason: 'late' },
    ])
    const jobs = `select image.state from graphile_worker._private_jobs job
      join order_images image on job.key = 'orders.image:' || image.order_id`
    expect(await ask(target.url, jobs)).toEqual([{ state: 'waiting' }])
  })

  it('gets other numbers where its own are taken, and triggers count once', async () => {
    const target = await otherServer()
    // As if the other server had had orders before.
    const [, stays] = world.pharmacies
    const first = await world.newPlace()
    const other = await world.export(first, stays.code)
    await world.import(first, other, target)
    await ask(target.url, "select setval('pharmacy_orders_id_seq', 1000)")
    const [before] = await ask<{ n: number }>(
      target.url,
      'select count(*)::int as n from order_events',
    )
    await world.import(place, manifest, target)
    const [order] = await ask(
      target.url,
      `select o.id > 1000 as moved, s.order_id = o.id as found, i.order_id = o.id as shown,
         f.order_id = o.id as further, o.status
       from pharmacy_orders o join order_search s on s.pharmacy_id = o.pharmacy_id
       join order_images i on i.pharmacy_id = o.pharmacy_id
       join order_attachments f on f.pharmacy_id = o.pharmacy_id where o.pharmacy_id = $1`,
      [id],
    )
    const found = { found: true, shown: true, further: true }
    expect(order).toEqual({ moved: true, ...found, status: 'Confermato' })
    const events = manifest.tables.find(({ name }) => name === 'order_events')?.rows ?? 0
    expect(await ask(target.url, 'select count(*)::int as n from order_events')).toEqual([
      { n: (before?.n ?? 0) + events },
    ])
    expect(
      await ask(target.url, 'select total::int from pharmacy_order_counts where pharmacy_id = $1', [
        id,
      ]),
    ).toEqual([{ total: 1 }])
    const [next] = await ask<{ next: number }>(
      target.url,
      "select nextval('pharmacy_orders_id_seq')::int as next",
    )
    expect(next?.next).toBeGreaterThan(1001)
  })
})

describe('an import of a pharmacy', () => {
  it('names what is here already', async () => {
    const target = await otherServer()
    await world.import(place, manifest, target)
    const files = await filesOf(target.dataDir)
    const [{ email }] = world.pharmacies
    const refused = world.import(place, manifest, target)
    for (const what of [
      `the id ${id}`,
      `the code ${code}`,
      email,
      `the WhatsApp number ${number}`,
    ]) {
      await expect(refused).rejects.toThrow(what)
    }
    expect(await filesOf(target.dataDir)).toEqual(files)
  })

  it('wants the plan to be there', async () => {
    const target = await otherServer({ plan: '' })
    await expect(world.import(place, manifest, target)).rejects.toThrow('has the plan «Base»')
  })

  it('leaves nothing when it fails at the end', async () => {
    const target = await otherServer()
    await ask(
      target.url,
      `create function fail() returns trigger language plpgsql as $$ begin raise 'at the end'; end $$;
       create trigger fails before insert on audit_events for each row execute function fail()`,
    )
    await expect(world.import(place, manifest, target)).rejects.toThrow('at the end')
    expect(await ask(target.url, 'select count(*)::int as n from pharmacies')).toEqual([{ n: 0 }])
    expect(await filesOf(target.dataDir)).toEqual([])
    const enabled = "select count(*)::int as n from pg_trigger where tgenabled = 'D'"
    expect(await ask(target.url, enabled)).toEqual([{ n: 0 }])
  })

  it('refuses tables and rows that are not of the pharmacy', async () => {
    const target = await otherServer()
    const foreign = (table: string) => `rows of another pharmacy, in ${table}`
    const forgeries: [ExportedTable, string][] = [
      [{ name: 'admin_users' }, 'has the table admin_users, which is not imported'],
      [{ name: 'pharmacies' }, foreign('pharmacies')],
      [{ name: 'storage_objects' }, foreign('storage_objects')],
      [{ name: 'priority_events' }, foreign('priority_events')],
      // The order of the other pharmacy.
      [
        {
          name: 'order_changes',
          where: `pharmacy_id = '${id}'`,
          values: { order_id: '(select max(id) from pharmacy_orders)' },
        },
        foreign('order_changes'),
      ],
    ]
    for (const [table, message] of forgeries) {
      const into = await world.newPlace()
      await expect(world.import(into, await forged(into, table), target)).rejects.toThrow(message)
    }
    const [first, ...others] = manifest.tables
    const tables = first ? [{ ...first, columns: [...first.columns, 'unknown'] }, ...others] : []
    await expect(world.import(place, { ...manifest, tables }, target)).rejects.toThrow(
      'has the column unknown',
    )
    expect(await ask(target.url, 'select id from auth_users')).toEqual([])
  })

  it('is refused by a server of another version', async () => {
    const newer = { ...manifest, migrations: ['0001_future.sql'] }
    await expect(world.import(place, newer, await otherServer())).rejects.toThrow(
      'bring both servers to the same one',
    )
  })
})

it('an export says whose authenticator app cannot be decrypted', async () => {
  const source = { ...world.source, appSecret: otherSecret }
  await expect(world.export(await world.newPlace(), code, source)).rejects.toThrow(
    `The authenticator app of the account ${id} was encrypted with another APP_SECRET`,
  )
})

it('an export that fails is removed', async () => {
  const broken = await world.newPlace()
  const { stores } = world.source
  const failing = { ...stores.files, open: () => Promise.reject(new Error('the store is gone')) }
  const source = { ...world.source, stores: { ...stores, files: failing } }
  await expect(world.export(broken, code, source)).rejects.toThrow('the store is gone')
  expect(await filesOf(broken.folder)).toEqual([])
  await expect(world.export(place, code)).rejects.toThrow('choose a new one')
  expect(await readFile(join(place.folder, 'export/manifest/00001'))).toBeDefined()
})
