import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

const Place = z.object({
  url: z.string(),
  token: z.string(),
  baseId: z.string(),
  tableId: z.string(),
})

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export type Place = z.infer<typeof Place>

/** Starts the sandbox as a separate process, and reads where it listens. */
export async function startProgram(env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => kill(child))
  for await (const line of createInterface({ input: child.stdout })) {
    return { place: Place.parse(JSON.parse(line)), kill: () => kill(child) }
  }
  throw new Error('the sandbox ended without a word')
}

/** With SIGKILL. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
