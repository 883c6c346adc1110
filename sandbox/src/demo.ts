import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startAiWebhook } from './ai-webhook.ts'
import { ordersTable } from './airtable/schema.ts'
import { type AirtableSandbox, startAirtable } from './airtable.ts'
import {
  MIGRATION_BASE_ID,
  MIGRATION_TABLE_ID,
  migrationOrders,
  migrationTable,
} from './demo-migration.ts'
import {
  DEMO_BASE_ID,
  DEMO_TABLE_ID,
  DEMO_TOKEN,
  type DemoOrder,
  demoOrders,
  liveOrder,
} from './demo-orders.ts'
import { startMedicineRegister } from './medicine-register.ts'
import { startMeta } from './meta.ts'
import { type OpenIdSandbox, startOpenId } from './openid.ts'
import { startProductImages } from './product-images.ts'

const ORDERS = 480

/** Public credentials, valid for the demo only. */
export const DEMO_OPENID = {
  provider: 'demoid',
  name: 'DemoID',
  clientId: 'bancone-demo',
  clientSecret: 'bancone-demo-secret',
}

type Options = {
  /** The folder of the records: `airtable.jsonl`, or the named file. */
  dir: string
  file?: string
  /** Seconds between two new orders; 0 for none. */
  orderEverySeconds: number
  port?: number
}

/**
 * The demo's Airtable: the base of its first pharmacy with 480 orders, and new ones at an interval; and that of a
 * pharmacy whose 2,000 orders are to be moved.
 */
export async function startDemoAirtable(options: Options): Promise<AirtableSandbox> {
  const start = (port: number) =>
    startAirtable({
      bases: {
        [DEMO_BASE_ID]: [
          ordersTable(DEMO_TABLE_ID, {
            'Pronto il': { kind: 'dateTime' },
            'Ritirato il': { kind: 'dateTime' },
          }),
        ],
        [MIGRATION_BASE_ID]: [migrationTable()],
      },
      token: DEMO_TOKEN,
      file: options.file ?? join(options.dir, 'airtable.jsonl'),
      port,
    })
  // The port is kept across restarts: it is part of the picture URLs, which are copied with the orders.
  const portFile = join(options.dir, 'airtable-port')
  const last = Number(await readFile(portFile, 'utf8').catch(() => ''))
  const airtable = await (options.port ? start(options.port) : start(last).catch(() => start(0)))
  await writeFile(portFile, new URL(airtable.url).port)
  const add = (orders: DemoOrder[]) =>
    airtable.create(
      DEMO_BASE_ID,
      DEMO_TABLE_ID,
      orders.map((order) => ({ createdTime: order.createdAt, fields: cells(order) })),
    )
  const count = airtable.count(DEMO_BASE_ID, DEMO_TABLE_ID)
  if (count === 0) add(demoOrders({ count: ORDERS, now: new Date(), seed: 1 }))
  if (airtable.count(MIGRATION_BASE_ID, MIGRATION_TABLE_ID) === 0) {
    airtable.create(MIGRATION_BASE_ID, MIGRATION_TABLE_ID, migrationOrders(new Date()))
  }

  let counter = count
  const every = options.orderEverySeconds * 1000
  const timer = every > 0 ? setInterval(() => add([liveOrder(++counter, new Date())]), every) : null
  timer?.unref()
  return {
    ...airtable,
    async close() {
      if (timer) clearInterval(timer)
      await airtable.close()
    },
  }
}

/** The demo's OpenID Connect provider. @param emails the accounts at the provider, more than in the application */
export function startDemoOpenId(redirectUri: string, emails: string[]): Promise<OpenIdSandbox> {
  return startOpenId({
    name: DEMO_OPENID.name,
    clientId: DEMO_OPENID.clientId,
    clientSecret: DEMO_OPENID.clientSecret,
    redirectUris: [redirectUri],
    accounts: emails.map((email) => ({ email })),
  })
}

/** The demo's Meta: the login of the WhatsApp connection, the Graph API and the webhooks. */
export async function startDemoMeta() {
  const application = {
    appId: '300000000000001',
    appSecret: 'bancone-demo-secret',
    configId: '400000000000001',
  }
  const { url, close } = await startMeta({ ...application, reportsMessages: true })
  return { ...application, verifyToken: 'bancone-demo-verify-token', graphUrl: url, close }
}

/** The demo's workflow for product texts, its provider of product pictures and its register of medicines. */
export async function startDemoProducts() {
  const webhook = await startAiWebhook()
  const images = await startProductImages()
  const register = await startMedicineRegister()
  return {
    aiWebhookUrl: webhook.url,
    productImageUrl: images.template,
    medicineRegisterUrl: register.url,
    async close() {
      await webhook.close()
      await images.close()
      await register.close()
    },
  }
}

function cells(order: DemoOrder) {
  return {
    Cliente: order.customer,
    'Phone Number': order.phone,
    Indirizzo: order.address,
    Ordine: order.product,
    Stato: order.status,
    Image: order.image,
    PharmaWA: 'Farmacia San Marco',
  }
}
