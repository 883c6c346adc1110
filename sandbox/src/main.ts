import { dirname } from 'node:path'
import { startDemoAirtable } from './demo.ts'
import { DEMO_BASE_ID, DEMO_TABLE_ID } from './demo-orders.ts'

/**
 * The demo's Airtable as a separate program: SANDBOX_FILE is the file of its records, SANDBOX_PORT its port,
 * DEMO_ORDER_EVERY the seconds between new orders. Prints one line of JSON.
 */
const {
  SANDBOX_FILE = './data/airtable.jsonl',
  SANDBOX_PORT = '0',
  DEMO_ORDER_EVERY = '45',
} = process.env
const { url, token } = await startDemoAirtable({
  dir: dirname(SANDBOX_FILE),
  file: SANDBOX_FILE,
  port: Number(SANDBOX_PORT),
  orderEverySeconds: Number(DEMO_ORDER_EVERY),
})
const place = { url, token, baseId: DEMO_BASE_ID, tableId: DEMO_TABLE_ID }
process.stdout.write(`${JSON.stringify(place)}\n`)
