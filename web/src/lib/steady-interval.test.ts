import { expect, test, vi } from 'vitest'
import { runPublicScript } from '../../test/public-script.ts'
import { startSteadyInterval } from './steady-interval.ts'

test('a worker keeps the time, so that a hidden page does not slow it down', () => {
  vi.useFakeTimers()
  const ended = vi.fn<() => void>()
  /** Runs the script of the page's worker with the timers of this test. */
  class ScriptWorker extends EventTarget {
    terminate = ended
    readonly #scope = new EventTarget()
    constructor(path: string) {
      super()
      const postMessage = () => this.dispatchEvent(new MessageEvent('message', { data: null }))
      const self = Object.assign(this.#scope, { postMessage })
      runPublicScript(path.slice(1), { self, setInterval })
    }
    postMessage(data: unknown) {
      this.#scope.dispatchEvent(new MessageEvent('message', { data }))
    }
  }
  vi.stubGlobal('Worker', ScriptWorker)
  const work = vi.fn<() => void>()
  const stop = startSteadyInterval(work, 20_000)
  vi.advanceTimersByTime(60_000)
  expect(work).toHaveBeenCalledTimes(3)
  stop()
  expect(ended).toHaveBeenCalledOnce()
})

test('without workers the page keeps the time itself', () => {
  vi.useFakeTimers()
  const work = vi.fn<() => void>()
  const stop = startSteadyInterval(work, 20_000)
  vi.advanceTimersByTime(40_000)
  stop()
  vi.advanceTimersByTime(40_000)
  expect(work).toHaveBeenCalledTimes(2)
})
