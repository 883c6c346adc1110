import PQueue from 'p-queue'
import { type PictureMaker, PictureMakerError, type Urgency } from '../../ports/picture-maker.ts'
import type { CardMaker } from '../../ports/share-card.ts'
import type { DrawingAnswer, DrawingTask } from './picture-messages.ts'
import { type PictureWorker, startPictureWorker } from './picture-worker.ts'

type Options = {
  /** Milliseconds without a picture after which the process that draws ends. */
  idleMs?: number
  /** Milliseconds of computing for a picture; a normal one takes less than two thousand. */
  computeMs?: number
  /**
   * Milliseconds for the answer, on a machine that is busy. Whoever waits is told before their connection is
   * taken for dead (`connectionTimeout`), so that theirs begin at once; those of others with their turn.
   */
  patienceMs?: number
  /** Bytes of memory with which the process that draws is followed by another. */
  mostMemory?: number
  /** So many of one urgency may wait. */
  mostWaiting?: number
  onStart?: (pid: number | undefined) => void
}

const priority: Record<Urgency, number> = { looking: 2, sending: 1, background: 0 }

/**
 * Draws pictures with sharp, one at a time, in a process of its own: what a hostile one takes in memory or
 * breaks is not the server's. The process is there from the first picture on, until there was none for a while.
 */
export function createSharpPictures(options: Options = {}): PictureMaker & CardMaker {
  const { idleMs = 30_000, computeMs = 20_000, patienceMs = 50_000 } = options
  const { mostMemory = 300 * 1024 * 1024, mostWaiting = 200 } = options
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

  async function ask(task: DrawingTask, signal: AbortSignal): Promise<DrawingAnswer | undefined> {
    if (!worker) {
      worker = await startPictureWorker(signal)
      options.onStart?.(worker.pid)
    }
    let answer: DrawingAnswer | undefined
    try {
      answer = await worker.ask(task, signal)
    } finally {
      if (!answer?.again) await endWorker()
    }
    return answer
  }

  async function draw(task: DrawingTask, signal: AbortSignal) {
    clearTimeout(rest)
    // A process that ended may have been ended by somebody; twice is the picture's doing.
    const answer = (await ask(task, signal)) ?? (await ask(task, signal))
    if (worker) rest = setTimeout(() => void endWorker(), idleMs).unref()
    const outcome = answer?.outcome ?? 'unreadable'
    if (typeof outcome === 'object' && 'failed' in outcome) {
      throw new PictureMakerError(`a picture could not be read or written: ${outcome.failed}`)
    }
    return outcome
  }

  type Waiting = { urgency: Urgency; signal?: AbortSignal | undefined }
  type Work = Pick<DrawingTask, 'work' | 'to'>

  async function enqueue(work: Work, { urgency, signal }: Waiting) {
    const level = priority[urgency]
    if (queue.sizeBy({ priority: level }) >= mostWaiting) {
      throw new PictureMakerError('too many pictures wait to be drawn')
    }
    if (isClosed) throw new PictureMakerError(CLOSED)
    signal?.throwIfAborted()
    const stop = new AbortController()
    const leave = () => stop.abort(signal?.reason)
    signal?.addEventListener('abort', leave)
    const isAwaited = urgency !== 'background'
    let patience = isAwaited ? setTimeout(tooLong, patienceMs, stop) : undefined
    // The queue's own: it would begin the next one before what is given up has ended.
    const waiting = new AbortController()
    const giveUp = () => waiting.abort(stop.signal.reason)
    stop.signal.addEventListener('abort', giveUp)
    const begin = () => {
      stop.signal.removeEventListener('abort', giveUp)
      patience ??= setTimeout(tooLong, patienceMs, stop)
      return draw({ ...work, computeMs, mostMemory }, stop.signal)
    }
    underWay.add(stop)
    try {
      return await queue.add(begin, { priority: level, signal: waiting.signal })
    } finally {
      underWay.delete(stop)
      clearTimeout(patience)
      signal?.removeEventListener('abort', leave)
    }
  }

  return {
    make(from, to, drawing, waiting) {
      return enqueue({ work: { from, drawing }, to }, waiting)
    },

    async drawCard(card, to, waiting) {
      const outcome = await enqueue({ work: { card }, to }, waiting)
      return typeof outcome === 'object' ? outcome : 'unreadable'
    },

    async close() {
      isClosed = true
      for (const stop of underWay) stop.abort(new PictureMakerError(CLOSED))
      await queue.onIdle()
      await endWorker()
    },
  }
}

const CLOSED = 'pictures are drawn no more'

function tooLong(stop: AbortController): void {
  stop.abort(new PictureMakerError('a picture took too long'))
}
