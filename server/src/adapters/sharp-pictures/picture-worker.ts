import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PictureRendererError } from '../../ports/picture-renderer.ts'
import { ReadyMessage, RenderReply, type RenderTask } from './picture-messages.ts'

/** The program is beside this file, both in the sources and in the bundle. */
const extension = extname(import.meta.url)
const program = fileURLToPath(new URL(`./picture-process${extension}`, import.meta.url))
const loader = extension === '.ts' ? ['--import', import.meta.resolve('tsx')] : []

/** Time limit for the start of the process in milliseconds, on a busy machine. */
const START_MS = 30_000

const NOT_STARTED = 'pictures cannot be drawn: their process does not start'

/** A handle of the rendering process. */
export type PictureWorker = {
  pid: number | undefined
  /** Runs a task. @returns undefined when the process crashed @throws the reason of `signal` when it is aborted */
  run(task: RenderTask, signal: AbortSignal): Promise<RenderReply | undefined>
  /** Kills the process and resolves when it has ended. */
  end(): Promise<void>
}

/** Starts a rendering process. @throws PictureRendererError when it cannot be started */
export async function startPictureWorker(signal: AbortSignal): Promise<PictureWorker> {
  const child = fork(program, [], {
    execArgv: ['--max-old-space-size=64', ...loader],
    // No other variables: a process that decodes hostile files must not have secrets. MALLOC_ARENA_MAX saves memory.
    env: { MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const gone = new AbortController()
  child.once('exit', () => gone.abort())
  child.on('error', () => {
    // The process could not be started, or a message could not be sent; the caller checks `gone` and ends it.
    if (child.pid === undefined) gone.abort()
  })
  lowerPriority(child)

  const message = async (stop: AbortSignal): Promise<unknown> => {
    const received: unknown[] = await once(child, 'message', {
      signal: AbortSignal.any([gone.signal, stop]),
    })
    return received[0]
  }
  const end = async () => {
    child.kill('SIGKILL')
    if (!gone.signal.aborted) await once(gone.signal, 'abort')
  }

  try {
    const greeting = ReadyMessage.parse(
      await message(AbortSignal.any([AbortSignal.timeout(START_MS), signal])),
    )
    if (greeting !== 'ready') throw new Error(greeting.failed)
  } catch (error) {
    await end()
    signal.throwIfAborted()
    throw new PictureRendererError(NOT_STARTED, { cause: error })
  }
  idle(child)

  return {
    pid: child.pid,
    end,
    async run(task, stop) {
      busy(child)
      try {
        child.send(task)
        return RenderReply.parse(await message(stop))
      } catch {
        await end()
        stop.throwIfAborted()
        return undefined
      } finally {
        idle(child)
      }
    },
  }
}

/**
 * Lowers the priority, so that HTTP requests come first. Called before the process has threads: on Linux each thread
 * inherits the priority of the thread that started it.
 */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has already ended, which is handled elsewhere.
  }
}

/** Allows the server to exit while the process is idle, which ends the process, too. */
function idle(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

function busy(child: ChildProcess): void {
  child.ref()
  child.channel?.ref()
}
