import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { priorityStreams } from '@bancone/contract/priority-customer'
import pg from 'pg'
import { newToken } from '../server/src/features/priority/priority-token.ts'
import { appSecret, type BenchDatabase } from './database.ts'
import { quantile } from './load.ts'
import { signInTo } from './many-orders.ts'
import { openScreen, type Screen } from './screens.ts'
import { type ServerProcess, startProcess } from './server-process.ts'

const WAITING = 500
const COUNTERS = 100
const GOAL_MS = 250
const PATIENCE_MS = 5_000

/** Every customer has an address of their own, as on telephones. */
const addressOf = (n: number) => `10.88.${n >> 8}.${n & 255}`

/** How soon every counter knows of an arrival, with customers who wait, on two processes. */
export async function benchPriority(
  database: BenchDatabase,
  { say, missed }: { say(line: string): void; missed: string[] },
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-priority-'))
  const pool = new pg.Pool({ connectionString: database.url, max: 1 })
  const servers: ServerProcess[] = []
  const screens: Screen[] = []
  const streams = new AbortController()
  try {
    for (const port of [3916, 3917]) {
      const env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
      const shared = { PUBLIC_URL: 'http://bancone.example.it', APP_SECRET: appSecret }
      const more = { ...shared, LOG_LEVEL: 'warn', TRUST_PROXY: '1' }
      servers.push(await startProcess(['dist/server/main.js'], port, { ...env, ...more }))
    }
    const serverOf = (n: number) => servers[n % servers.length]?.url ?? ''
    const { id: pharmacyId, email } = database.pharmacies.at(-1) ?? { id: '', email: '' }
    const links = await prepareVisits(pool, pharmacyId)
    const post = (n: number, path: string, more: object, signal?: AbortSignal) =>
      fetch(`${serverOf(n)}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': addressOf(n) },
        body: JSON.stringify({ ...links[n], ...more }),
        ...(signal && { signal }),
      })

    for (let n = 0; n < WAITING; n += 1) {
      const stream = await post(n, priorityStreams.visit, {}, streams.signal)
      if (!stream.ok) throw new Error(`stream ${n}: ${stream.status}`)
      void read(stream)
    }

    const times: number[] = []
    let begun = 0
    let had = 0
    const { authorization = '' } = await signInTo(serverOf(0), email)
    const token = authorization.replace('Bearer ', '')
    for (let n = 0; n < COUNTERS; n += 1) {
      const who = { token, pharmacyId, address: `10.89.0.${n}` }
      screens.push(
        await openScreen(serverOf(n), who, () => {
          had += 1
          times.push(performance.now() - begun)
        }),
      )
    }
    let lost = 0
    const left = () => COUNTERS - had
    for (let n = 0; n < WAITING; n += 1) {
      had = 0
      begun = performance.now()
      const reply = await post(n, '/api/public/priority/visit/status', { to: 'user_arrived' })
      if (!reply.ok) throw new Error(`arrival ${n}: ${reply.status} ${await reply.text()}`)
      for (let waited = 0; left() > 0 && waited < PATIENCE_MS; waited += 2) await pause(2)
      lost += left()
    }
    const [median = 0, p99 = 0] = [0.5, 0.99].map((part) => quantile(times, part))
    const memory = await Promise.all(servers.map((server) => server.memory()))
    if (lost > 0 || p99 >= GOAL_MS) missed.push('arrivals at the counters')
    say(
      `From press to counter, ${WAITING} waiting pages and ${COUNTERS} counters on two processes: median ` +
        `${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (goal: below ${GOAL_MS}); ` +
        `memory ${memory.map((each) => each.toFixed(0)).join(' and ')} MB${lost > 0 ? `, ${lost} LOST` : ''}`,
    )
  } finally {
    streams.abort()
    for (const screen of screens) screen.close()
    for (const server of servers) await server.stop()
    await pool.end()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Reads a stream until it ends. */
async function read(stream: Response): Promise<void> {
  // It is aborted in the end.
  await stream.text().catch(() => undefined)
}

/** Gives the pharmacy the feature and a visit for each customer. @returns what opens each visit */
async function prepareVisits(pool: pg.Pool, pharmacyId: string) {
  const { rows } = await pool.query<{ code: string }>(
    `update pharmacies set features_enabled = '["priority_access"]' where id = $1 returning pharmacy_id as code`,
    [pharmacyId],
  )
  const pharmacyCode = rows[0]?.code ?? ''
  const made = []
  for (let n = 0; n < WAITING; n += 1) {
    const { token, hash } = newToken()
    const orderId = `recPriority${n}`
    await pool.query(
      `with visit as (
         insert into priority_access_sessions (pharmacy_id, airtable_order_id, expires_at)
         values ($1, $2, now() + interval '7 days') returning id
       ) insert into priority_links (pharmacy_id, visit_id, token_hash) select $1, id, $3 from visit`,
      [pharmacyId, orderId, hash],
    )
    made.push({ pharmacyCode, token })
  }
  return made
}
