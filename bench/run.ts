import type { Report } from './compare.ts'
import { benchDatabase, ORDERS_EACH, PHARMACIES } from './database.ts'
import { benchImages } from './images.ts'
import { benchLighthouse } from './lighthouse.ts'
import { hasWrk } from './load.ts'
import { benchOrders } from './orders.ts'
import { benchOrdersMigration } from './orders-migration.ts'
import { benchPublicOffers } from './public-offers.ts'
import { benchRealtime } from './realtime.ts'
import { benchSearch } from './search.ts'
import { benchSignIn } from './sign-in.ts'
import { benchStart } from './start.ts'

/** In this order: the last one adds orders. */
const parts = {
  orders: benchOrders,
  realtime: benchRealtime,
  'sign-in': benchSignIn,
  images: benchImages,
  lighthouse: (_database: unknown, report: Report) => benchLighthouse(report),
  search: benchSearch,
  'public-page': benchPublicOffers,
  start: benchStart,
  migration: benchOrdersMigration,
}

const say = (line: string) => process.stdout.write(`${line}\n`)
const report: Report = { say, missed: [], unsure: [] }
const { missed, unsure } = report

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in parts))
if (unknown.length > 0) {
  say(`There is no part ${unknown.join(', ')}. The parts are ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}
say(`Preparing ${PHARMACIES * ORDERS_EACH} orders of ${PHARMACIES} pharmacies…`)
if (!hasWrk)
  say('wrk is not installed: autocannon drives the load, and takes a third of the machine.')
const database = await benchDatabase()
try {
  for (const [name, bench] of Object.entries(parts)) {
    if (asked.length === 0 || asked.includes(name)) await bench(database, report)
  }
} finally {
  await database.close()
}
if (unsure.length > 0) say(`Below the goal on a noisy machine: ${unsure.join(', ')}`)
if (missed.length > 0) {
  say(`Missed: ${missed.join(', ')}`)
  process.exitCode = 1
}
