import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PictureMakerError } from '../../ports/picture-maker.ts'
import { DrawingAnswer, type DrawingTask, Greeting } from './picture-messages.ts'

/** It lies beside this file, as source and in the bundle. */
const extension = extname(import.meta.url)
const program = fileURLToPath(new URL(`./picture-process${extension}`, import.meta.url))
const loader = extension === '.ts' ? ['--import', import.meta.resolve('tsx')] : []

/** Milliseconds to start, on a machine that is busy. */
const START_MS = 30_000

const NOT_STARTED = 'pictures cannot be drawn: their process does not start'

export type PictureWorker = {
  pid: number | undefined
  /** @returns undefined when the process ended over it @throws the reason of `signal` */
  ask(task: DrawingTask, signal: AbortSignal): Promise<DrawingAnswer | undefined>
  /** At once, whatever it does; it is gone when this resolves. */
  end(): Promise<void>
}

/** Starts a process that draws pictures. @throws PictureMakerError when it cannot be started */
export async function startPictureWorker(signal: AbortSignal): Promise<PictureWorker> {
  const child = fork(program, [], {
    execArgv: ['--max-old-space-size=64', ...loader],
    // Nothing of ours: no secrets are where hostile files are read. Fewer pools of memory than one a thread.
    env: { MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const gone = new AbortController()
  child.once('exit', () => gone.abort())
  child.on('error', () => {
    // It was not started, or could not be told: `gone` is asked, and whatever is left of it ended.
    if (child.pid === undefined) gone.abort()
  })
  stepBack(child)

  const message = async (stop: AbortSignal): Promise<unknown> => {
    const said: unknown[] = await once(child, 'message', {
      signal: AbortSignal.any([gone.signal, stop]),
    })
    return said[0]
  }
  const end = async () => {
    child.kill('SIGKILL')
    if (!gone.signal.aborted) await once(gone.signal, 'abort')
  }

  try {
    const greeting = Greeting.parse(
      await message(AbortSignal.any([AbortSignal.timeout(START_MS), signal])),
    )
    if (greeting !== 'ready') throw new Error(greeting.failed)
  } catch (error) {
    await end()
    signal.throwIfAborted()
    throw new PictureMakerError(NOT_STARTED, { cause: error })
  }
  idle(child)

  return {
    pid: child.pid,
    end,
    async ask(task, stop) {
      busy(child)
      try {
        child.send(task)
        return DrawingAnswer.parse(await message(stop))
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
 * Whoever waits for an answer comes first. Before it has threads: on Linux each has a priority of its own,
 * that of the thread which started it.
 */
function stepBack({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, which is noticed elsewhere.
  }
}

/** Our own process may end while it has nothing to do, which ends it too. */
function idle(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

function busy(child: ChildProcess): void {
  child.ref()
  child.channel?.ref()
}
