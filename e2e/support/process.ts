import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export type Program = {
  pid: number
  output(): string
  /** Sends the signal and waits for the end. @returns the exit code, null after a kill */
  end(signal: NodeJS.Signals): Promise<number | null>
  ended: Promise<number | null>
}

const running = new Set<Program>()

/** The last warnings and errors that the running programs have logged. */
export function latestWarnings(): string {
  const lines = [...running].flatMap((program) => program.output().split('\n'))
  return lines
    .filter((line) => /^\{"level":[456]0/.test(line))
    .slice(-50)
    .join('\n')
}

/** Starts a Node program with that environment and nothing else of ours. */
export function startProgram(args: string[], env: Record<string, string>): Program {
  const { PATH = '', HOME = '' } = process.env
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null)
  const program: Program = {
    pid: child.pid ?? 0,
    output: () => text,
    ended,
    async end(signal) {
      child.kill(signal)
      return ended
    },
  }
  running.add(program)
  void ended.finally(() => running.delete(program))
  return program
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

/** Waits until the condition holds, a minute at most. */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
  seconds = 60,
): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (Date.now() < end) {
    if (await condition()) return
    await pause(50)
  }
  throw new Error(`waited ${seconds} seconds for: ${what}`)
}
