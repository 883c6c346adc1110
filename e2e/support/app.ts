import { inject } from 'vitest'
import { copyDataFolder, removeDataFolder } from './data-folder.ts'
import { freePort, type Program, startProgram, until } from './process.ts'

export const accounts = {
  sanMarco: 'farmacia@demo.bancone.it',
  garibaldi: 'garibaldi@demo.bancone.it',
  admin: 'admin@demo.bancone.it',
  /** A colleague at San Marco. */
  giulia: 'giulia@demo.bancone.it',
} as const
export const password = 'Bancone-demo-1'

export type App = {
  url: string
  dataDir: string
  program(): Program
  /** Starts it again on the same folder and port, after it ended. */
  start(): Promise<void>
  /** Waits until it can answer. */
  ready(): Promise<void>
  /** Ends it in order. */
  stop(): Promise<void>
  /** Ends it in order and removes its folder. */
  dispose(): Promise<void>
  token(email: string): Promise<string>
}

/** The built application as a process of its own, on a copy of the demo's data folder. */
export async function startApp(env: Record<string, string> = {}): Promise<App> {
  return startAppOn(await copyDataFolder(inject('demoFolder')), env)
}

/** The same on that data folder, which `dispose` removes. */
export async function startAppOn(dataDir: string, env: Record<string, string> = {}): Promise<App> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let program: Program | undefined

  function ready(): Promise<void> {
    return until('the server to be ready', async () => {
      const reply = await fetch(`${url}/readyz`).catch(() => undefined)
      return reply?.status === 200
    })
  }

  async function start(): Promise<void> {
    const started = startProgram(['dist/server/main.js'], {
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      DEMO_ORDER_EVERY: '0',
      ...env,
    })
    program = started
    const ended = started.ended.then((code) => {
      throw new Error(`the server ended with ${code}: ${started.output()}`)
    })
    await Promise.race([ready(), ended])
  }

  async function stop(): Promise<void> {
    await program?.end('SIGTERM')
  }

  await start()
  return {
    url,
    dataDir,
    start,
    ready,
    program() {
      if (!program) throw new Error('the server was not started')
      return program
    },
    stop,
    async dispose() {
      await stop()
      await removeDataFolder(dataDir)
    },
    async token(email) {
      const reply = await fetch(`${url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      })
      const body: unknown = await reply.json()
      if (typeof body === 'object' && body !== null && 'access_token' in body) {
        return String(body.access_token)
      }
      throw new Error(`could not sign in: ${reply.status}`)
    },
  }
}
