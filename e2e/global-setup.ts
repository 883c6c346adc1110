import { listOrders } from '@bancone/contract/orders'
import type { TestProject } from 'vitest/node'
import { ensureBuilt } from '../scripts/build.mjs'
import { type App, accounts, startAppOn } from './support/app.ts'
import { newDataFolder, removeDataFolder } from './support/data-folder.ts'
import { query } from './support/database.ts'
import { until } from './support/process.ts'

/** What the demo's Airtable base holds. */
const ORDERS = 480

declare module 'vitest' {
  interface ProvidedContext {
    /** The data folder of a demo that was started once and stopped: journeys copy it. */
    demoFolder: string
  }
}

/** Makes the demo once; a server on a copy of its folder starts in less than half the time. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureBuilt()
  const demoFolder = await newDataFolder()
  const app = await startAppOn(demoFolder)
  await until('the copy of the base to be whole', async () => (await copiedOrders(app)) === ORDERS)
  // Otherwise every journey's server fetches them again, and tells its screens of each.
  await until(
    'the pictures of the orders to be fetched',
    async () => (await waitingPictures(app)) === 0,
  )
  await app.stop()
  project.provide('demoFolder', demoFolder)
  return () => removeDataFolder(demoFolder)
}

/** The number of pictures that wait to be fetched. */
async function waitingPictures(app: App): Promise<number> {
  const waiting = await query(app, "select 1 from order_images where state = 'waiting'")
  return waiting.length
}

async function copiedOrders(app: App): Promise<number> {
  const reply = await fetch(app.url + listOrders.path, {
    headers: { authorization: `Bearer ${await app.token(accounts.sanMarco)}` },
  })
  return listOrders.response.parse(await reply.json()).statistics.total
}
