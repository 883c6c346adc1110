import { createAirtableOrders } from '../src/adapters/airtable/airtable-orders.ts'
import { connectDatabase } from '../src/database/database.ts'
import { wireOrdersMigration } from '../src/features/orders/orders-migration.wiring.ts'
import { wireOrdersSync } from '../src/features/orders/orders-sync.wiring.ts'
import { noHooks } from '../src/features/orders/records/order-hooks.ts'
import { createRequestSlots } from '../src/platform/request-slots.ts'
import { fetchAnywhere } from './fetch-anywhere.ts'

// A process that works on migrations until a test kills it. It prints a line when it begins.

const [url = '', apiUrl = '', token = ''] = process.argv.slice(2)
const { db } = connectDatabase(url, { max: 4 })
const source = createAirtableOrders({
  apiUrl,
  token,
  slots: createRequestSlots(db),
  fetch: fetchAnywhere,
  perSecond: 1_000,
  perSecondOfUser: 1_000,
  secondMs: 10,
})
const log = { debug() {}, info() {}, warn() {}, error() {} }
const clock = { now: Date.now }
const sync = wireOrdersSync({ db, source, hooks: noHooks, clock, log })
const files = { open: async () => undefined, put: async () => {}, remove: async () => {} }
const migration = wireOrdersMigration({
  db,
  source,
  sync,
  hooks: noHooks,
  pictureFiles: files,
  audit: { recordChange: async () => {} },
  movePhase: async () => true,
  clock,
  log,
  timing: {
    checkMs: 20,
    beatMs: 50,
    stalledMs: 600,
    recheckMs: 100,
    retryMs: 20,
  },
})
migration.start?.()
process.stdout.write('working\n')
