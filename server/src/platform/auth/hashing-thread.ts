import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'
import { z } from 'zod'

/** What the thread computes: a new hash, or whether a hash is that of the password. */
type Task =
  | { kind: 'hash'; password: string; cost: Options }
  | { kind: 'verify'; hash: string; password: string }

const Reply = z.union([
  z.object({ value: z.union([z.string(), z.boolean()]) }),
  z.object({ failed: z.string() }),
])

/** The thread keeps its memory, some 10 MB, for so long after its last task. */
const IDLE_MS = 30_000

/**
 * The thread's program. On Linux a thread has a priority of its own: it computes while nothing else wants the processor.
 * Elsewhere it has that of the process. The package's asynchronous functions would use the threads of the whole process.
 */
const program = `
  const { readlinkSync } = require('node:fs')
  const { constants, setPriority } = require('node:os')
  const { parentPort, workerData } = require('node:worker_threads')
  try {
    const [thread] = readlinkSync('/proc/thread-self').split('/').slice(-1)
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {}
  const { hashSync, verifySync } = require(workerData)
  parentPort.on('message', (task) => {
    try {
      const value = task.kind === 'hash'
        ? hashSync(task.password, task.cost)
        : verifySync(task.hash, task.password)
      parentPort.postMessage({ value })
    } catch (error) {
      parentPort.postMessage({ failed: error.message })
    }
  })
`

let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined

/**
 * Computes in a thread of its own, with a low priority, one task after the other: the caller waits for the result before
 * it gives the next task. @throws what the package throws, for example for an unreadable hash
 */
export async function computeHash(task: Task): Promise<string | boolean> {
  const current = (thread ??= start())
  clearTimeout(idle)
  current.ref()
  try {
    // Not that of a window, which has an origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    current.postMessage(task)
    const [reply] = z.tuple([Reply]).parse(await once(current, 'message'))
    if ('failed' in reply) throw new Error(reply.failed)
    return reply.value
  } finally {
    current.unref()
    idle = setTimeout(end, IDLE_MS, current).unref()
  }
}

function start(): Worker {
  const path = createRequire(import.meta.url).resolve('@node-rs/argon2')
  const worker = new Worker(program, { eval: true, workerData: path })
  // The next task starts another one.
  worker.once('exit', () => {
    if (thread === worker) thread = undefined
  })
  return worker
}

function end(worker: Worker): void {
  if (thread === worker) thread = undefined
  void worker.terminate()
}
