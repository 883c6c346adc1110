import { benchAnalytics } from './analytics.ts'
import { runPart } from './bench.ts'
import { benchDatabase, ORDERS_EACH, PHARMACIES } from './database.ts'
import { benchFelt } from './felt.ts'
import { benchFeltPages } from './felt-pages.ts'
import { benchImages } from './images.ts'
import { benchLighthouse } from './lighthouse.ts'
import { benchMigration } from './migration.ts'
import { benchOrders } from './orders.ts'
import { benchPickup } from './pickup.ts'
import { benchPublicPage } from './public-page.ts'
import { benchRealtime } from './realtime.ts'
import { benchSearch } from './search.ts'
import { benchSignIn } from './sign-in.ts'
import { benchDay } from './simulation.ts'
import { benchStart } from './start.ts'

/** In this order: the last ones add orders. */
const parts = {
  orders: benchOrders,
  simulation: benchDay,
  realtime: benchRealtime,
  'sign-in': benchSignIn,
  images: benchImages,
  'public-page': benchPublicPage,
  lighthouse: benchLighthouse,
  felt: benchFelt,
  'felt-pages': benchFeltPages,
  start: benchStart,
  analytics: benchAnalytics,
  pickup: benchPickup,
  search: benchSearch,
  migration: benchMigration,
}

const say = (line: string) => process.stdout.write(`${line}\n`)
const RUNS = 9
const args = process.argv.slice(2)
const option = args.find((arg) => arg.startsWith('--runs='))
const runs = Number(option?.slice('--runs='.length) ?? RUNS)
const report = { say, runs, missed: [], unsure: [] }
const { missed, unsure } = report

const asked = args.filter((arg) => arg !== option)
const unknown = asked.filter((name) => !(name in parts))
if (unknown.length > 0) {
  say(`There is no part ${unknown.join(', ')}. The parts are ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}
say(`Preparing ${PHARMACIES * ORDERS_EACH} orders of ${PHARMACIES} pharmacies…`)
const database = await benchDatabase()
try {
  for (const [name, part] of Object.entries(parts)) {
    if (
      asked.length === 0 ||
      asked.some((word) => name === word || (word === 'felt' && name === 'felt-pages'))
    )
      await runPart(part, database, report)
  }
} finally {
  await database.close()
}
if (unsure.length > 0) say(`Below the goal on a noisy machine: ${unsure.join(', ')}`)
if (missed.length > 0) {
  say(`Missed: ${missed.join(', ')}`)
  process.exitCode = 1
}
