import PQueue from 'p-queue'
import { TooManyRequests } from './rate-limits.ts'

/** The `retryAfter` of a full queue, in seconds. */
const RETRY_AFTER = 5

type Limits = {
  /** Maximum number of tasks that run at the same time, per key. */
  concurrency: number
  /** Maximum number of tasks that wait, per key and priority. */
  maxWaiting?: number
  /** Creates the error of a task that finds the queue full, if not `TooManyRequests`. */
  refusal?: () => Error
}

type Turn = {
  /** Tasks with different keys (for example, pharmacies) do not wait for each other. */
  key?: string
  /** Tasks with a higher priority start first. */
  priority?: number
  /** Rejects with the reason of the signal. A task that has started runs on, and holds its place. */
  signal?: AbortSignal
}

/** Runs the task when its turn comes. @throws the refusal when the queue is full */
export type BoundedQueue = <T>(task: () => Promise<T>, turn?: Turn) => Promise<T>

/** A queue of tasks in this process, or one queue per key. A queue is removed when it is idle. */
export function createBoundedQueue({
  concurrency,
  maxWaiting = Number.POSITIVE_INFINITY,
  refusal = () => new TooManyRequests('tasks', RETRY_AFTER),
}: Limits): BoundedQueue {
  const queues = new Map<string, PQueue>()

  function queueOf(key: string): PQueue {
    const known = queues.get(key)
    if (known) return known
    const queue = new PQueue({ concurrency })
    queue.on('idle', () => queues.delete(key))
    queues.set(key, queue)
    return queue
  }

  return async (task, { key = '', priority = 0, signal } = {}) => {
    const queue = queueOf(key)
    const mustWait = queue.pending >= concurrency
    if (mustWait && queue.sizeBy({ priority }) >= maxWaiting) throw refusal()
    return queue.add(task, { priority, ...(signal && { signal }) })
  }
}
