import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { password } from './database.ts'
import { processorSeconds } from './processor-time.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

export type ServerProcess = {
  url: string
  memory(): Promise<number>
  /** Processor seconds since its start. */
  processor(): Promise<number>
  stop(): Promise<void>
}

/** As the image and the systemd unit begin it. */
const ENVIRONMENT = { NODE_ENV: 'production', MALLOC_ARENA_MAX: '1' }
const FLAGS = ['--min-semi-space-size=4', '--max-semi-space-size=4']

/** Starts a server on that port and waits until it answers. */
export async function startProcess(
  args: string[],
  port: number,
  env: Record<string, string>,
): Promise<ServerProcess> {
  const { PATH = '', HOME = '' } = process.env
  const child: ChildProcess = spawn(process.execPath, [...FLAGS, ...args], {
    cwd: root,
    env: { PATH, HOME, ...ENVIRONMENT, PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries += 1) {
    if (await fetch(`${url}/readyz`).catch(() => undefined)) break
    if (child.exitCode !== null || tries > 300) throw new Error(`${args.join(' ')} did not start`)
    await pause(100)
  }
  return {
    url,
    /** Megabytes of resident memory. */
    async memory() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
    },
    processor: () => processorSeconds(child.pid ?? 0),
    async stop() {
      child.kill('SIGTERM')
      while (child.exitCode === null && child.signalCode === null) await pause(50)
    },
  }
}

const Session = z.object({ access_token: z.string() })

/** @returns the headers of a signed-in user of the pharmacy */
export async function signInTo(url: string, email: string): Promise<Record<string, string>> {
  const reply = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { access_token: token } = Session.parse(await reply.json())
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
}
