import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { ensureBuilt } from '../../scripts/build.mjs'
import { temporaryFolder } from './temporary-folder.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

// Built programs, because they start three times as fast as from the sources.
await ensureBuilt()

/** The path of a program of the server, as `npm start` runs it. */
export function builtProgram(
  name: 'main' | 'admin-create' | 'keys-rotate' | 'backup' | 'restore' | 'export' | 'import',
): string {
  return join(root, 'dist', 'server', `${name}.js`)
}

export type Program = {
  pid: number | undefined
  output(): string
  /** Resolves when the text was printed; rejects when the program ended without it. */
  printed(text: string): Promise<void>
  end(signal: NodeJS.Signals): Promise<number | null>
  ended: Promise<number | null>
}

/** Runs a built program with that environment only. */
export function run(
  name: Parameters<typeof builtProgram>[0],
  env: Record<string, string>,
  args: string[] = [],
): Program {
  return runNode([builtProgram(name), ...args], env)
}

/** Runs the server on a free port, in a new data folder unless the environment names one. */
export async function startServer(env: Record<string, string> = {}) {
  const port = await freePort()
  const dataDir = env['DATA_DIR'] ?? (await temporaryFolder())
  const program = run('main', { PORT: String(port), DATA_DIR: dataDir, ...env })
  return { program, dataDir, url: `http://127.0.0.1:${port}` }
}

/** The error message of a program that exits with code 1: one line. */
export async function refusal(program: Program): Promise<string> {
  expect(await program.ended).toBe(1)
  const lines = program.output().trim().split('\n')
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

/** Runs Node with those arguments and that environment only, until the end of the test, or as `atEnd` registers it. */
export function runNode(
  args: string[],
  env: Record<string, string>,
  atEnd?: (work: () => Promise<void>) => void,
): Program {
  return runCommand(process.execPath, args, env, 'SIGTERM', atEnd)
}

/** Runs a command like `runNode`, and ends it with that signal. */
export function runCommand(
  file: string,
  args: string[],
  env: Record<string, string>,
  lastSignal: NodeJS.Signals,
  atEnd: (work: () => Promise<void>) => void = onTestFinished,
): Program {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(file, args, {
    cwd: root,
    env: { PATH, HOME, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      for (const listener of listeners) listener()
    })
  }
  const ended = once(child, 'close').then(() => child.exitCode)
  atEnd(async () => {
    child.kill(lastSignal)
    await ended
  })
  return {
    pid: child.pid,
    output: () => text,
    printed: (wanted) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (text.includes(wanted)) resolve()
        }
        listeners.add(look)
        look()
        void ended.then(() => {
          const how = child.signalCode ?? `code ${child.exitCode}`
          reject(new Error(`ended by ${how} without "${wanted}": ${text}`))
        })
      }),
    async end(signal) {
      child.kill(signal)
      return ended
    },
    ended,
  }
}

/** A port in use until the end of the test. */
export async function busyPort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  onTestFinished(() => {
    server.close()
  })
  return port
}

/**
 * A free port, below those of outgoing connections: one that the system gives away by itself could be taken before the
 * program listens.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isFree) return freePort()
  server.close()
  await once(server, 'close')
  return port
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}
