import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Report } from './compare.ts'
import { appSecret, type BenchDatabase } from './database.ts'
import { signInTo } from './many-orders.ts'
import { type ServerProcess, startProcess } from './server-process.ts'
import { lostChanges, startRequests } from './steady-requests.ts'

const PORTS = [3921, 3922]
const PROXY = 'http://127.0.0.1:3923'
const caddyfile = fileURLToPath(new URL('../deploy/compose/Caddyfile', import.meta.url))

/**
 * A new version, as it replaces one server after the other: 200 requests a second through Caddy, as compose.yaml sets it
 * up, a tenth of them changes, while both servers of a database are stopped and started again.
 */
export async function benchRollingRestart(
  database: BenchDatabase,
  { say, missed }: Report,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bancone-bench-restart-'))
  const start = (port: number) =>
    startProcess(['dist/server/main.js'], port, {
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      PUBLIC_URL: PROXY,
      APP_SECRET: appSecret,
      LOG_LEVEL: 'warn',
      TRUST_PROXY: '1',
      DRAIN_SECONDS: '5',
    })
  const servers = new Map<number, ServerProcess>()
  let caddy: ChildProcess | undefined
  try {
    caddy = await startCaddy(folder)
    if (!caddy) return say('Rolling restart: not measured, because Caddy is not installed')
    for (const port of PORTS) servers.set(port, await start(port))
    await untilHealthy()
    const own = database.pharmacies.filter(({ baseId }) => baseId === null)[3]
    if (!own) throw new Error('there is no pharmacy')
    const headers = await signInTo(PROXY, own.email)
    const requests = startRequests(PROXY, headers, database.recordIds)
    await pause(3_000)
    for (const port of PORTS) {
      await servers.get(port)?.stop()
      servers.set(port, await start(port))
      // What Caddy takes to send requests to it again; `--wait` of Compose takes longer.
      await pause(6_000)
    }
    const { sent, failures, changed } = await requests.stop()
    const lost = await lostChanges(database.url, own.id, changed)
    if (failures.length + lost > 0) missed.push('rolling restart')
    say(
      `Rolling restart: ${sent} requests, ${failures.length} failed (goal: 0); ${changed.size} orders changed, ` +
        `${lost} changes lost${failures.length > 0 ? `: ${[...new Set(failures.map(({ reason }) => reason))].join(', ')}` : ''}`,
    )
  } finally {
    caddy?.kill('SIGTERM')
    for (const server of servers.values()) await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startCaddy(folder: string) {
  const text = (await readFile(caddyfile, 'utf8')).replace(
    'server-1:3000 server-2:3000',
    PORTS.map((port) => `127.0.0.1:${port}`).join(' '),
  )
  const config = join(folder, 'Caddyfile')
  await writeFile(config, `{\n\tadmin off\n}\n${text}`)
  const child = spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
    env: { PATH: process.env['PATH'], HOME: folder, PUBLIC_URL: PROXY },
    stdio: 'ignore',
  })
  const isStarted = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true))
    child.once('error', () => resolve(false))
  })
  return isStarted ? child : undefined
}

async function untilHealthy(): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const reply = await fetch(`${PROXY}/readyz`).catch(() => undefined)
    if (reply?.ok) return
    await pause(100)
  }
  throw new Error('Caddy does not answer')
}
