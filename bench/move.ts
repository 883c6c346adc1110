import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { joinEmbedded } from '../server/src/database/embedded.ts'
import type { Report } from './compare.ts'
import { appSecret, type BenchDatabase, type BenchPharmacy } from './database.ts'
import { signInTo } from './many-orders.ts'
import { type ServerProcess, startProcess } from './server-process.ts'
import { lostChanges } from './steady-requests.ts'

const PORTS = { first: 3941, second: 3942 }

/** Pharmacies of the first server that work, with the one that moves. */
const WORKING = 20

/** Milliseconds between two changes of one pharmacy. */
const EVERY_MS = 100

const MAX_PAUSE_MS = 2_000

/**
 * Two servers, each with a PostgreSQL of its own. Twenty pharmacies of the first one change orders, and one of them moves
 * to the second one with its 2,000 orders. Prints how long it could change none, and what that cost the others.
 */
export async function benchMove(database: BenchDatabase, { say, missed }: Report): Promise<void> {
  const folders = [await newFolder(), await newFolder()] as const
  const settings = { DATABASE_URL: database.url, DATA_DIR: folders[0], APP_SECRET: appSecret }
  const servers: ServerProcess[] = []
  try {
    const program = ['dist/server/main.js']
    const quiet = { LOG_LEVEL: 'error' }
    const first = await startProcess(program, PORTS.first, { ...settings, ...quiet })
    servers.push(first)
    const other = { DATA_DIR: folders[1], DEMO: '0', PORT: String(PORTS.second) }
    const second = await startProcess(program, PORTS.second, { ...other, ...quiet })
    servers.push(second)
    const file = join(folders[0], 'second.env')
    await writeFile(
      file,
      Object.entries(other)
        .map((pair) => pair.join('='))
        .join('\n'),
    )
    const there = await joinEmbedded(folders[1])
    if (!there) throw new Error('the second server has no database')

    const [moved, ...others] = database.pharmacies
      .filter(({ baseId }) => baseId === null)
      .slice(0, WORKING)
    if (!moved) throw new Error('there is no pharmacy')
    const work = [
      startWork(first.url, moved, database.recordIds, async () => {
        await until(there, moved)
        return second.url
      }),
      ...others.map((pharmacy) => startWork(first.url, pharmacy, database.recordIds)),
    ]
    const running = await Promise.all(work)
    await pause(4_000)
    const beganAt = Date.now()
    const line = await run(['dist/server/move.js', '--pharmacy', moved.id, '--to', file], settings)
    const endedAt = Date.now()
    await pause(4_000)
    const [own, ...theirs] = await Promise.all(running.map((each) => each.stop()))
    if (!own) throw new Error('there is no pharmacy')

    const lost = [await lostChanges(there, moved.id, own.changed)]
    for (const [n, { changed }] of theirs.entries()) {
      lost.push(await lostChanges(database.url, others[n]?.id ?? '', changed))
    }
    const lostInAll = lost.reduce((sum, each) => sum + each, 0)
    const doubled = (await ordersOf(there, moved)) - (await ordersOf(database.url, moved))
    const failed = theirs.reduce((sum, { failures }) => sum + failures, 0)
    const times = theirs.flatMap((each) => each.times)
    const isDuring = ({ at }: Timed) => at >= beganAt && at <= endedAt
    const [during, before] = [times.filter(isDuring), times.filter(({ at }) => at < beganAt)]
    if (lostInAll + Math.abs(doubled) + failed > 0) missed.push('move of a pharmacy')
    if (own.longestMs > MAX_PAUSE_MS) missed.push('pause of a pharmacy that moves')
    say(
      `Move: ${line.trim()}\nMove: of ${WORKING} pharmacies at work one moved in ${seconds(endedAt - beganAt)}; it could ` +
        `change no order for ${seconds(own.longestMs)} (goal: ${seconds(MAX_PAUSE_MS)}), signing in there included; ` +
        `${lostInAll} acknowledged changes lost, ${doubled} orders more or less, ${failed} requests of others failed ` +
        `(goal: 0); p99 of the others' changes ${p99(during)} ms during the move, ${p99(before)} ms before`,
    )
  } finally {
    for (const server of servers) await server.stop()
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  }
}

const newFolder = () => mkdtemp(join(tmpdir(), 'bancone-bench-move-'))

type Timed = { at: number; ms: number }

/**
 * Changes one order of a pharmacy after the other.
 *
 * @param next where the pharmacy is, when the server refuses it
 */
async function startWork(
  url: string,
  { email }: BenchPharmacy,
  recordIds: readonly string[],
  next?: () => Promise<string>,
) {
  let server = { url, headers: await signInTo(url, email) }
  const changed = new Map<string, string>()
  const times: Timed[] = []
  let failures = 0
  let [longestMs, acknowledgedAt] = [0, Date.now()]
  const over = new AbortController()

  async function change(n: number): Promise<void> {
    const recordId = recordIds[n % recordIds.length] ?? ''
    const status = Math.floor(n / recordIds.length) % 2 === 0 ? 'Confermato' : 'Annullato'
    const at = Date.now()
    changed.delete(recordId)
    const reply = await fetch(`${server.url}/api/airtable-orders/${recordId}`, {
      method: 'PATCH',
      headers: server.headers,
      body: JSON.stringify({ fields: { Stato: status } }),
    })
    await reply.arrayBuffer()
    if (reply.status === 200) {
      changed.set(recordId, status)
      longestMs = Math.max(longestMs, Date.now() - acknowledgedAt)
      acknowledgedAt = Date.now()
      times.push({ at, ms: acknowledgedAt - at })
    } else if (next && reply.status === 403) {
      const to = await next()
      server = { url: to, headers: await signInTo(to, email) }
    } else failures += 1
  }

  const work = (async () => {
    for (let n = 0; !over.signal.aborted; n += 1) {
      await change(n)
      if (server.url === url) await pause(EVERY_MS)
    }
  })()
  return {
    async stop() {
      over.abort()
      await work
      return { changed, times, failures, longestMs }
    },
  }
}

/** Waits until the pharmacy is in the database. */
async function until(url: string, { id }: BenchPharmacy): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (let isThere = false; !isThere; ) {
    const { rowCount } = await client.query('select from pharmacies where id = $1', [id])
    isThere = rowCount === 1
    if (!isThere) await pause(20)
  }
  await client.end()
}

async function ordersOf(url: string, { id }: BenchPharmacy): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ orders: number }>(
    'select count(*)::int as orders from pharmacy_orders where pharmacy_id = $1',
    [id],
  )
  await client.end()
  return rows[0]?.orders ?? 0
}

/** Runs a command of the server. @returns what it prints */
async function run(args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await once(child, 'close')
  if (child.exitCode !== 0) throw new Error('the pharmacy was not moved')
  return text
}

function p99(times: readonly Timed[]): string {
  const sorted = times.map(({ ms }) => ms).toSorted((a, b) => a - b)
  return String(sorted[Math.floor(sorted.length * 0.99)] ?? 0)
}

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`
