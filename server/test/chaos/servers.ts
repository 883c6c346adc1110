import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Milliseconds within which a started server must respond. */
const STARTS_WITHIN = 60_000

export type ChaosServer = {
  url: string
  /** Resolves once it is ready. */
  start(): Promise<void>
  kill(signal: NodeJS.Signals): Promise<void>
  /** The output of processes that ended without being killed. */
  complaints(): string[]
  dispose(): Promise<void>
}

/** A server process on a port, which can be killed and restarted. */
export function chaosServer(port: number, env: Record<string, string>): ChaosServer {
  const url = `http://127.0.0.1:${port}`
  const complaints: string[] = []
  let child: ChildProcess | undefined
  let killed = false

  async function start(): Promise<void> {
    const { PATH = '', HOME = '' } = process.env
    killed = false
    const started = spawn(process.execPath, ['dist/server/main.js'], {
      cwd: root,
      env: { PATH, HOME, PORT: String(port), LOG_LEVEL: 'fatal', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child = started
    let served = false
    let said = ''
    started.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    started.once('exit', (code, signal) => {
      // A process without a database ends by design; the supervisor restarts it.
      if (!killed && served)
        complaints.push(`ended by itself (${code ?? signal}): ${said.slice(-2_000)}`)
    })
    const until = Date.now() + STARTS_WITHIN
    while (Date.now() < until && started.exitCode === null) {
      const reply = await fetch(`${url}/readyz`).catch(() => undefined)
      served = reply?.status === 200
      if (served) return
      await pause(100)
    }
    if (!killed && Date.now() < until) return start()
  }

  async function kill(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    killed = true
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  return {
    url,
    start,
    kill,
    complaints: () => complaints,
    dispose: () => kill('SIGTERM'),
  }
}
