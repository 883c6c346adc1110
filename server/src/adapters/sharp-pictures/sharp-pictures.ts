import PQueue from 'p-queue'
import {
  type DrawingRenderer,
  type PictureRenderer,
  PictureRendererError,
  type RenderPriority,
} from '../../ports/picture-renderer.ts'
import type { CardRenderer } from '../../ports/share-card.ts'
import type { RenderReply, RenderTask } from './picture-messages.ts'
import { type PictureWorker, startPictureWorker } from './picture-worker.ts'

type Options = {
  /** Milliseconds without a task after which the rendering process is ended. */
  idleMs?: number
  /** CPU time limit per picture in milliseconds; a normal picture takes less than two seconds. */
  computeMs?: number
  /**
   * Time limit per picture in milliseconds. For `high` and `normal` priority it includes the wait in the queue and is
   * below the server's `connectionTimeout`; for `background` it begins when rendering begins.
   */
  timeoutMs?: number
  /** Memory use in bytes above which the rendering process is replaced by a new one. */
  maxMemory?: number
  /** The longest queue per priority. */
  maxWaiting?: number
  onStart?: (pid: number | undefined) => void
}

const queuePriority: Record<RenderPriority, number> = { high: 2, normal: 1, background: 0 }

/**
 * Renders pictures with sharp, one at a time, in a separate process, so that a hostile picture cannot exhaust the
 * server's memory or crash it. The process is started on demand and ended when it is idle.
 */
export function createSharpPictures(
  options: Options = {},
): PictureRenderer & CardRenderer & DrawingRenderer {
  const { idleMs = 30_000, computeMs = 20_000, timeoutMs = 50_000 } = options
  const { maxMemory = 300 * 1024 * 1024, maxWaiting = 200 } = options
  const queue = new PQueue({ concurrency: 1 })
  const underWay = new Set<AbortController>()
  let isClosed = false
  let worker: PictureWorker | undefined
  let rest: NodeJS.Timeout | undefined

  async function endWorker(): Promise<void> {
    clearTimeout(rest)
    const ending = worker
    worker = undefined
    await ending?.end()
  }

  async function run(task: RenderTask, signal: AbortSignal): Promise<RenderReply | undefined> {
    if (!worker) {
      worker = await startPictureWorker(signal)
      options.onStart?.(worker.pid)
    }
    let reply: RenderReply | undefined
    try {
      reply = await worker.run(task, signal)
    } finally {
      if (!reply?.again) await endWorker()
    }
    return reply
  }

  async function render(task: RenderTask, signal: AbortSignal) {
    clearTimeout(rest)
    // A crash may have an external cause, so the task is retried once; a second crash is attributed to the picture.
    const reply = (await run(task, signal)) ?? (await run(task, signal))
    if (worker) rest = setTimeout(() => void endWorker(), idleMs).unref()
    const outcome = reply?.outcome ?? 'unreadable'
    if (typeof outcome === 'object' && 'failed' in outcome) {
      throw new PictureRendererError(`a picture could not be read or written: ${outcome.failed}`)
    }
    return outcome
  }

  type Waiting = { priority: RenderPriority; signal?: AbortSignal | undefined }
  type Work = Pick<RenderTask, 'work' | 'to'>

  async function enqueue(work: Work, { priority, signal }: Waiting) {
    const level = queuePriority[priority]
    if (queue.sizeBy({ priority: level }) >= maxWaiting) {
      throw new PictureRendererError('too many pictures wait to be drawn')
    }
    if (isClosed) throw new PictureRendererError(CLOSED)
    signal?.throwIfAborted()
    const stop = new AbortController()
    const leave = () => stop.abort(signal?.reason)
    signal?.addEventListener('abort', leave)
    const isAwaited = priority !== 'background'
    let timer = isAwaited ? setTimeout(tooLong, timeoutMs, stop) : undefined
    // A separate signal for the queue: with `stop` it would begin the next task before the aborted one has ended.
    const waiting = new AbortController()
    const giveUp = () => waiting.abort(stop.signal.reason)
    stop.signal.addEventListener('abort', giveUp)
    const begin = () => {
      stop.signal.removeEventListener('abort', giveUp)
      timer ??= setTimeout(tooLong, timeoutMs, stop)
      return render({ ...work, computeMs, maxMemory }, stop.signal)
    }
    underWay.add(stop)
    try {
      return await queue.add(begin, { priority: level, signal: waiting.signal })
    } finally {
      underWay.delete(stop)
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
  }

  return {
    render(from, to, rendition, request) {
      return enqueue({ work: { from, rendition }, to }, request)
    },

    async renderCard(card, to, request) {
      const outcome = await enqueue({ work: { card }, to }, request)
      return typeof outcome === 'object' ? outcome : 'unreadable'
    },

    async renderDrawing(svg, to, request) {
      const outcome = await enqueue({ work: { drawing: svg }, to }, request)
      return typeof outcome === 'object' ? outcome : 'unreadable'
    },

    async close() {
      isClosed = true
      for (const stop of underWay) stop.abort(new PictureRendererError(CLOSED))
      await queue.onIdle()
      await endWorker()
    },
  }
}

const CLOSED = 'pictures are drawn no more'

function tooLong(stop: AbortController): void {
  stop.abort(new PictureRendererError('a picture took too long'))
}
