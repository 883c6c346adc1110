import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { MigrationRun } from '@bancone/contract/migration-runs'
import { build } from 'esbuild'
import { beforeAll, expect, it, vi } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { type MigrationServer, migrationServer } from '../../../../test/migration-server.ts'
import { runNode } from '../../../../test/program.ts'
import { testFileFolder } from '../../../../test/temporary-folder.ts'

let worker: string

const ORDERS = 2_000
const PAGES = ORDERS / 100
const KILLS = 5

/** About what a page takes: two batches with their pauses. */
const PAGE_MS = 280

let world: MigrationServer

beforeAll(async () => {
  worker = join(await testFileFolder(), 'worker.mjs')
  await build({
    entryPoints: [
      fileURLToPath(new URL('../../../../test/migration-worker.fixture.ts', import.meta.url)),
    ],
    outfile: worker,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['pg-native'],
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`,
    },
  })
  world = await migrationServer({ works: false })
}, 60_000)

it('a run whose process is killed again and again continues where it was', async () => {
  const { server, airtable, root } = world
  const { id, location } = await world.addPharmacy()
  const ids = world.fill(location, ORDERS)
  const started = await world.call<MigrationRun>('POST', `${root}/pharmacies/${id}/runs`, {
    mode: 'full',
  })
  const read = async () =>
    (await world.call<MigrationRun>('GET', `${root}/runs/${started.id}`)).counts.read
  const start = () =>
    runNode([worker, server.database.url, airtable.url, airtable.token], {}, atEnd)

  let next = start()
  for (let kill = 0; kill < KILLS; kill += 1) {
    const program = next
    // Started before the other one is killed, so that the run does not wait for its start.
    next = start()
    await program.printed('working')
    const before = await read()
    await vi.waitFor(async () => expect(await read()).toBeGreaterThan(before), {
      timeout: 10_000,
      interval: 5,
    })
    // At random, and at every stage of the work on a page.
    await pause((kill + Math.random()) * (PAGE_MS / KILLS))
    await program.end('SIGKILL')
  }
  expect(await read()).toBeLessThan(ORDERS)
  const run = await world.ended(started.id)
  expect(run).toMatchObject({
    state: 'completed',
    counts: { read: ORDERS, new: ORDERS, refused: 0 },
    verification: { equal: true, airtable: ORDERS, database: ORDERS, different: 0 },
  })
  expect((await world.orders(id)).map((order) => order.id)).toEqual(ids.toSorted())
  expect(airtable.requests().byKind.list).toBeLessThanOrEqual(1.3 * PAGES)
}, 90_000)
