import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { z } from 'zod'
import { password } from './database.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

export type ServerProcess = {
  url: string
  /** Megabytes of resident memory. */
  memory(): Promise<number>
  /** Processor seconds since its start. */
  processor(): Promise<number>
  stop(): Promise<void>
}

/** As the image and the systemd unit begin it. */
const ENVIRONMENT = { NODE_ENV: 'production', MALLOC_ARENA_MAX: '1', LOG_LEVEL: 'warn' }
const FLAGS = ['--min-semi-space-size=4', '--max-semi-space-size=4']

let nextPort = 3901

/** Starts a server on a port of its own and waits until it answers. */
export async function startProcess(
  args: string[],
  env: Record<string, string>,
): Promise<ServerProcess> {
  const port = nextPort
  nextPort += 1
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [...FLAGS, ...args], {
    cwd: root,
    env: { PATH, HOME, ...ENVIRONMENT, PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries += 1) {
    if (await fetch(`${url}/readyz`).catch(() => undefined)) break
    if (child.exitCode !== null || tries > 1_200) {
      child.kill()
      throw new Error(`${args.join(' ')} did not start`)
    }
    await pause(100)
  }
  return {
    url,
    async memory() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
    },
    processor: async () => (await processorOf(child.pid ?? 0))?.own ?? 0,
    async stop() {
      child.kill('SIGTERM')
      while (child.exitCode === null && child.signalCode === null) await pause(50)
    },
  }
}

/** Linux counts processor time in hundredths of a second for programs, whatever its clock. */
const TICKS = 100

/** The parent of a process and processor seconds, also of its threads; null when it has ended. */
async function processorOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  // The name of the program, in parentheses, may have spaces. Behind it: state, parent, …
  const values = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, ofEndedUser = 0, ofEndedSystem = 0] = values
    .slice(11, 15)
    .map(Number)
  return {
    parent: Number(values[1]),
    own: (user + system) / TICKS,
    ofEnded: (ofEndedUser + ofEndedSystem) / TICKS,
  }
}

/** Processor seconds of a database on this machine: of all its processes, also those that have ended. */
export async function databaseProcessor(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const first = (await processorOf(rows[0]?.pid ?? 0))?.parent ?? 0
  let seconds = (await processorOf(first))?.ofEnded ?? 0
  for (const name of await readdir('/proc')) {
    const found = Number(name) > 0 ? await processorOf(Number(name)) : null
    if (found && (Number(name) === first || found.parent === first)) seconds += found.own
  }
  return seconds
}

const Session = z.object({ access_token: z.string() })

/** @returns the headers of a signed-in user, who calls from an address of their own, so that no limit is met */
export async function signInTo(url: string, email: string): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': newAddress() }
  const reply = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  })
  const { access_token: token } = Session.parse(await reply.json())
  return { ...headers, authorization: `Bearer ${token}` }
}

let addresses = 0

export function newAddress(): string {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}
