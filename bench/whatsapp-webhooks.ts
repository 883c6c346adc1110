import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listOrders } from '@bancone/contract/orders'
import { whatsAppPaths } from '@bancone/contract/whatsapp'
import { whatsAppTerms } from '@bancone/contract/whatsapp-terms'
import { metaEvents, startMeta, webhookSignature } from '@bancone/sandbox/meta'
import pg from 'pg'
import { appSecret, type BenchDatabase } from './database.ts'
import { quantile } from './load.ts'
import { signInTo } from './many-orders.ts'
import { startProcess } from './server-process.ts'

/** Requests of the orders page while nothing else is asked for. */
const IDLE_PAGES = 400
/** Webhooks that are on their way at the same time. */
const AT_ONCE = 50
/** The orders page may take so many times its idle time. */
const GOAL_RATIO = 3
const PROCESSED_WITHIN_MS = 10 * 60_000

const application = {
  appId: '300000000000001',
  appSecret: 'the secret of the application',
  configId: '400000000000001',
}

type Report = { say(line: string): void; missed: string[] }

/** A burst of webhooks while a pharmacy reads its orders: what gets lost, and how much slower the page is. */
export async function benchWhatsAppWebhooks(
  database: BenchDatabase,
  { say, missed }: Report,
  webhooks = 10_000,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-whatsapp-'))
  const pool = new pg.Pool({ connectionString: database.url, max: 1 })
  const meta = await startMeta({ ...application, verifiesCallbacks: false })
  const server = await startProcess(['dist/server/main.js'], 3918, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PUBLIC_URL: 'http://bancone.example.it',
    APP_SECRET: appSecret,
    LOG_LEVEL: 'warn',
    META_APP_ID: application.appId,
    META_APP_SECRET: application.appSecret,
    META_CONFIG_ID: application.configId,
    META_WEBHOOK_VERIFY_TOKEN: 'the-token-of-the-bench',
    META_GRAPH_URL: meta.url,
  })
  try {
    const { id: pharmacyId, email } = database.pharmacies.at(-1) ?? { id: '', email: '' }
    const place = { accountId: '1', numberId: '2' }
    await pool.query(
      `update pharmacies set features_enabled = '["whatsapp_integration"]' where id = $1`,
      [pharmacyId],
    )
    await pool.query(
      `insert into whatsapp_connections (pharmacy_id, state, waba_id, phone_number_id)
       values ($1, 'connected', '1', '2')
       on conflict (pharmacy_id) do update set state = 'connected', phone_number_id = '2'`,
      [pharmacyId],
    )
    // With messages on, what customers write is read, too.
    await pool.query(
      `insert into whatsapp_message_settings (pharmacy_id, is_on, terms_version, daily_limit)
       values ($1, true, $2, 100) on conflict do nothing`,
      [pharmacyId, whatsAppTerms.version],
    )
    const headers = await signInTo(server.url, email)

    async function page(): Promise<number> {
      const begun = performance.now()
      const reply = await fetch(`${server.url}${listOrders.path}?page=1`, { headers })
      if (!reply.ok) throw new Error(`orders: ${reply.status} ${await reply.text()}`)
      await reply.arrayBuffer()
      return performance.now() - begun
    }
    const idle: number[] = []
    for (let n = 0; n < IDLE_PAGES; n += 1) idle.push(await page())

    let sent = 0
    let refused = 0
    const answers: number[] = []
    const writers = new Set<string>()
    async function send(): Promise<void> {
      for (let n = (sent += 1); n <= webhooks; n = sent += 1) {
        const sender = {
          userId: `IT.${n % 2_000}`,
          phone: `39333${String(n % 2_000).padStart(7, '0')}`,
        }
        const told = { id: `wamid.${n}` }
        if (n % 4 === 0) writers.add(sender.userId)
        const event =
          n % 4 === 0
            ? metaEvents.text(place, sender, told)
            : metaEvents.status(place, 'delivered', told)
        const body = JSON.stringify(event)
        const begun = performance.now()
        const reply = await fetch(server.url + whatsAppPaths.webhook, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-hub-signature-256': webhookSignature(application.appSecret, body),
          },
          body,
        })
        await reply.arrayBuffer()
        if (reply.status !== 200) refused += 1
        answers.push(performance.now() - begun)
      }
    }
    const busy: number[] = []
    const begun = performance.now()
    const burst = Promise.all(Array.from({ length: AT_ONCE }, send))
    let isOver = false
    void burst.then(() => (isOver = true))
    const waiting = async () => {
      const { rows } = await pool.query<{ left: number }>(
        'select count(*)::int as left from whatsapp_inbox where body is not null',
      )
      return rows[0]?.left ?? 0
    }
    // Until all are processed: the processing is part of the load.
    for (;;) {
      busy.push(await page())
      if (isOver && busy.length % 20 === 0 && (await waiting()) === 0) break
      if (performance.now() - begun > PROCESSED_WITHIN_MS) break
      await pause(5)
    }
    await burst
    const seconds = (performance.now() - begun) / 1_000
    const { rows } = await pool.query<{ done: number }>(
      `select (select count(*) from whatsapp_deliveries where pharmacy_id = $1)::int
         + (select count(*) from whatsapp_contacts where pharmacy_id = $1)::int as done`,
      [pharmacyId],
    )
    const expected = webhooks - Math.floor(webhooks / 4) + writers.size
    const lost = expected - (rows[0]?.done ?? 0) + (await waiting()) + refused
    const [before, during, answered] = [idle, busy, answers].map((times) => quantile(times, 0.99))
    const ratio = (during ?? 0) / (before ?? 1)
    if (lost > 0 || ratio > GOAL_RATIO || (answered ?? 0) > 1_000)
      missed.push('webhooks in a burst')
    say(
      `${webhooks} webhooks of WhatsApp in a burst: processed in ${seconds.toFixed(1)} s, ${lost} lost; ` +
        `answered in ${answered?.toFixed(0)} ms (p99); orders page ${during?.toFixed(1)} ms against ` +
        `${before?.toFixed(1)} ms (p99): ratio ${ratio.toFixed(2)} (goal: at most ${GOAL_RATIO})`,
    )
  } finally {
    await server.stop()
    await meta.close()
    await pool.end()
    await rm(dataDir, { recursive: true, force: true })
  }
}
