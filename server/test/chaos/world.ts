import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AirtableSandbox, startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { type MetaSandbox, startMeta } from '@bancone/sandbox/meta'
import pg from 'pg'
import { z } from 'zod'
import { connectDatabase } from '../../src/database/database.ts'
import { startEmbedded } from '../../src/database/embedded.ts'
import { createAuthStore } from '../../src/platform/auth/auth.store.ts'
import { hashPassword } from '../../src/platform/auth/passwords.ts'
import { prepareDatabase } from '../../src/start/prepare-database.ts'
import { metaApplication } from '../meta-server.ts'
import { insertPharmacy } from '../pharmacy-row.ts'
import { freePort } from '../program.ts'
import { silentLog } from '../silent-log.ts'
import { type ChaosServer, chaosServer } from './servers.ts'

const password = 'correct horse battery'

/** A pharmacy whose orders are in an Airtable base; its table may be shared. */
export type ChaosPharmacy = {
  id: string
  name: string
  email: string
  baseId: string
  tableId: string
  token: string
}

export type World = {
  airtable: AirtableSandbox
  meta: MetaSandbox
  servers: ChaosServer[]
  /** The first one sends messages. */
  pharmacies: ChaosPharmacy[]
  /** Queries the database directly, and retries while it restarts. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  restartPostgres(how: 'fast' | 'immediate'): Promise<void>
  dispose(): Promise<void>
}

const locations = [
  { name: 'Farmacia Uno', baseId: 'appChaos000000001' },
  { name: 'Farmacia Due', baseId: 'appChaos000000002' },
  // These two share a table.
  { name: 'Farmacia Tre', baseId: 'appChaos000000003' },
  { name: 'Farmacia Quattro', baseId: 'appChaos000000003' },
]
const tableId = 'tblChaos000000001'

/** What customers order: an offer that is no medicine, because others are not announced by themselves. */
export const PRODUCT = 'Crema Quietude'

/** The fields of an order that comes in. */
export const newOrder = ({ name }: ChaosPharmacy) => ({
  fields: {
    Cliente: 'Ada Neri',
    'Phone Number': '333 1234567',
    Ordine: PRODUCT,
    Stato: 'In attesa',
    PharmaWA: name,
  },
})

const Session = z.object({ access_token: z.string() })

/** Server processes, a PostgreSQL and sandboxes of Airtable and Meta, each of which can fail. */
export async function createWorld(serverCount: number): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone chaos database '))
  let lost: Error | undefined
  const embedded = await startEmbedded({
    dataDir,
    log: silentLog,
    onLost: (error) => {
      lost = error
    },
    // Only a crash of the machine would need it.
    settings: { fsync: 'off' },
  })
  await prepareDatabase(embedded.url, silentLog, async () => {})
  const airtable = await startAirtable({
    bases: Object.fromEntries(
      locations.map(({ baseId }) => [baseId, [ordersTable(tableId, { Stato: { kind: 'text' } })]]),
    ),
    penaltyMs: 2_000,
  })
  const meta = await startMeta({ ...metaApplication, verifiesCallbacks: false })
  const pharmacies = await addPharmacies(embedded.url)
  const ports = await Promise.all(Array.from({ length: serverCount }, freePort))
  const servers = ports.map((port) =>
    chaosServer(port, {
      DATABASE_URL: embedded.url,
      DATA_DIR: join(dataDir, 'servers'),
      PUBLIC_URL: 'http://bancone.example.it',
      APP_SECRET: 's'.repeat(32),
      DEMO: '0',
      AIRTABLE_API_URL: airtable.url,
      AIRTABLE_TOKEN: airtable.token,
      META_APP_ID: metaApplication.appId,
      META_APP_SECRET: metaApplication.appSecret,
      META_CONFIG_ID: metaApplication.configId,
      META_WEBHOOK_VERIFY_TOKEN: metaApplication.verifyToken,
      META_GRAPH_URL: meta.url,
    }),
  )
  await Promise.all(servers.map((server) => server.start()))
  for (const pharmacy of pharmacies) {
    const reply = await fetch(`${servers[0]?.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: pharmacy.email, password }),
    })
    pharmacy.token = Session.parse(await reply.json()).access_token
  }

  async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
    for (let tries = 1; ; tries += 1) {
      const client = new pg.Client({ connectionString: embedded.url })
      client.on('error', () => {})
      try {
        await client.connect()
        return (await client.query<Row>(text, values)).rows
      } catch (error) {
        if (lost ?? tries > 50) throw lost ?? error
        await new Promise((resolve) => setTimeout(resolve, 200))
      } finally {
        await client.end().catch(() => {})
      }
    }
  }

  const world: World = {
    airtable,
    meta,
    servers,
    pharmacies,
    query,
    async restartPostgres(how) {
      const [row] = await query<{ pid: string }>(
        `select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`,
      )
      process.kill(Number(row?.pid), how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    },
    async dispose() {
      await Promise.all(servers.map((server) => server.dispose()))
      await airtable.close()
      await meta.close()
      await embedded.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return world
}

async function addPharmacies(url: string): Promise<ChaosPharmacy[]> {
  const { db, close } = connectDatabase(url, { max: 2 })
  try {
    const passwordHash = await hashPassword(password)
    const made: ChaosPharmacy[] = []
    for (const [index, { name, baseId }] of locations.entries()) {
      const email = `chaos-${index + 1}@example.it`
      const user = await createAuthStore(db).users.insert({ email, passwordHash, confirmed: true })
      if (!user) throw new Error(`${email} is taken`)
      await insertPharmacy(db, {
        id: user.id,
        pharmacyCode: `PHARM-${index + 1}`,
        name,
        email,
        phone: null,
        address: null,
        features: ['whatsapp_integration'],
        airtable: { baseId, tableId },
      })
      made.push({ id: user.id, name, email, baseId, tableId, token: '' })
    }
    return made
  } finally {
    await close()
  }
}
