/**
 * Repeats the work, also in a hidden page, whose own timers browsers throttle to one run a minute.
 *
 * @returns a function that stops it
 */
export function startSteadyInterval(work: () => void, milliseconds: number): () => void {
  let timer: ReturnType<typeof setInterval> | undefined
  const fallBack = () => (timer = setInterval(work, milliseconds))
  const stop = () => clearInterval(timer)
  try {
    const worker = new Worker('/intervalWorker.js')
    worker.addEventListener('message', work)
    worker.addEventListener('error', fallBack)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
    worker.postMessage(milliseconds)
    return () => {
      worker.terminate()
      stop()
    }
  } catch {
    // The browser cannot start a worker.
    fallBack()
    return stop
  }
}
