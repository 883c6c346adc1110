import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { appSecret, type BenchDatabase, type BenchPharmacy, password } from './database.ts'
import { quantile } from './load.ts'
import { openScreen, type Screen } from './screens.ts'
import { type ServerProcess, startProcess } from './server-process.ts'

type Report = { say(line: string): void; missed: string[] }

type SignedIn = BenchPharmacy & { token: string }

const Session = z.object({ access_token: z.string() })

/** So many pharmacies, that every event reaches a tenth of the screens. */
const PHARMACIES = 10
const CROWDS = [1, 100, 1_000]
const GOAL_MS = 250
const EVENTS = 10_000
const EVENTS_GOAL = 1_000
/** Orders a second while times are taken, and writers at once while events are counted. */
const PER_SECOND = 20
const SECONDS = 6
const WRITERS = 8
const PATIENCE_MS = 20_000

const address = (n: number) => `10.77.${n >> 8}.${n & 255}`

/**
 * How soon a new order is on the screens, and whether it is on all of them: two processes, one database.
 */
export async function benchRealtime(database: BenchDatabase, report: Report): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-realtime-'))
  const writers = new pg.Pool({ connectionString: database.url, max: WRITERS })
  const servers: ServerProcess[] = []
  try {
    for (const port of [3904, 3905]) {
      const env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
      // Behind one address, which their tokens name.
      const shared = { PUBLIC_URL: 'http://bancone.example.it', APP_SECRET: appSecret }
      const more = { ...shared, LOG_LEVEL: 'warn', TRUST_PROXY: '1' }
      servers.push(await startProcess(['dist/server/main.js'], port, { ...env, ...more }))
    }
    const first = servers[0]?.url ?? ''
    // Those whose orders are ours, so that nothing but the inserts changes them.
    const some = database.pharmacies.filter(({ baseId }) => baseId === null).slice(0, PHARMACIES)
    const pharmacies = await Promise.all(some.map((one, n) => signIn(first, one, n)))
    for (const crowd of CROWDS) {
      await measure({ crowd, servers, pharmacies, writers, report })
    }
  } finally {
    await writers.end()
    for (const server of servers) await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function signIn(url: string, pharmacy: BenchPharmacy, n: number): Promise<SignedIn> {
  const reply = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address(n) },
    body: JSON.stringify({ email: pharmacy.email, password }),
  })
  return { ...pharmacy, token: Session.parse(await reply.json()).access_token }
}

type Measure = {
  crowd: number
  servers: ServerProcess[]
  pharmacies: SignedIn[]
  writers: pg.Pool
  report: Report
}

async function measure({ crowd, servers, pharmacies, writers, report }: Measure): Promise<void> {
  const begun = new Map<string, number>()
  const times: number[] = []
  const screens: Screen[] = []
  /** Events that each screen has had, and how many it must have. */
  const had: number[] = []
  const due: number[] = []
  const watching = pharmacies.slice(0, Math.min(pharmacies.length, crowd))

  for (let n = 0; n < crowd; n += 1) {
    const pharmacy = watching[n % watching.length]
    const server = servers[Math.floor(n / watching.length) % servers.length]
    if (!pharmacy || !server) throw new Error('no pharmacy to watch')
    had[n] = 0
    due[n] = 0
    const who = { token: pharmacy.token, pharmacyId: pharmacy.id, address: address(n >> 6) }
    // Several may come in one event.
    const onOrder = (ids: string[]) => {
      had[n] = (had[n] ?? 0) + ids.length
      for (const id of ids) times.push(performance.now() - (begun.get(id) ?? 0))
    }
    screens.push(await openScreen(server.url, who, onOrder))
  }

  async function insert(n: number): Promise<void> {
    const pharmacy = watching[n % watching.length]
    if (!pharmacy) throw new Error('no pharmacy to write for')
    for (let at = n % watching.length; at < crowd; at += watching.length)
      due[at] = (due[at] ?? 0) + 1
    const id = `rec${String(crowd).padStart(4, '0')}L${String(n).padStart(9, '0')}`
    begun.set(id, performance.now())
    await writers.query(
      `insert into pharmacy_orders (pharmacy_id, airtable_order_id, order_number, status,
         airtable_created, airtable_last) values ($1, $2, $3, 'In attesa', now(), now())`,
      [pharmacy.id, id, String(n)],
    )
  }

  /** Until all have arrived, or there is no hope. @returns how many have not */
  async function missing(): Promise<number> {
    const left = () => due.reduce((sum, all, n) => sum + Math.abs(all - (had[n] ?? 0)), 0)
    for (let waited = 0; left() > 0 && waited < PATIENCE_MS; waited += 50) await pause(50)
    return left()
  }

  try {
    for (let n = 0; n < PER_SECOND * SECONDS; n += 1) {
      const next = pause(1_000 / PER_SECOND)
      await insert(n)
      await next
    }
    const late = await missing()
    const [median, p99] = [0.5, 0.99].map((part) => quantile(times, part))
    const goal = crowd === CROWDS.at(-1)
    if (late > 0 || (goal && (p99 ?? 0) >= GOAL_MS))
      report.missed.push(`orders on ${crowd} screens`)
    const memory = await Promise.all(servers.map((server) => server.memory()))
    report.say(
      `From insert to screen, ${crowd} open on two processes: median ${median?.toFixed(1)} ms, ` +
        `p99 ${p99?.toFixed(1)} ms${goal ? ` (goal: p99 below ${GOAL_MS})` : ''}; memory ` +
        `${memory.map((each) => each.toFixed(0)).join(' and ')} MB${late > 0 ? `, ${late} LOST` : ''}`,
    )
    if (!goal) return

    times.length = 0
    const start = performance.now()
    let next = PER_SECOND * SECONDS
    const end = next + EVENTS
    await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        while (next < end) await insert(next++)
      }),
    )
    const written = performance.now() - start
    const lost = await missing()
    const told = performance.now() - start
    const perSecond = EVENTS / (told / 1_000)
    if (lost > 0 || perSecond < EVENTS_GOAL) report.missed.push('events on all screens')
    report.say(
      `${EVENTS} events, ${(EVENTS / (written / 1_000)).toFixed(0)}/s written: ${times.length} arrived on ` +
        `${crowd} screens within ${(told / 1_000).toFixed(1)} s, ${lost} lost: ${perSecond.toFixed(0)}/s (goal: ` +
        `at least ${EVENTS_GOAL}/s, none lost)`,
    )
  } finally {
    for (const screen of screens) screen.close()
  }
}
