import { onTestFinished, vi } from 'vitest'

/** Fakes audio: the played files, and whether autoplay is allowed. */
export function fakeSound() {
  const speaker = { played: [] as string[], allowed: true, paused: 0 }
  vi.stubGlobal(
    'Audio',
    class {
      currentTime = 0
      #file: string

      constructor(file: string) {
        this.#file = file
      }

      play() {
        if (!speaker.allowed) {
          return Promise.reject(new DOMException('A gesture is needed', 'NotAllowedError'))
        }
        speaker.played.push(this.#file)
        return Promise.resolve()
      }

      pause() {
        speaker.paused += 1
      }
    },
  )
  return speaker
}

/** Fakes the Web Locks API, first come, first served. */
export function fakeLocks() {
  let last: Promise<unknown> = Promise.resolve()
  const locks = {
    request<T>(_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<T>) {
      const turn = last.then(() => {
        signal.throwIfAborted()
        return work()
      })
      last = turn.catch(() => undefined)
      return turn
    },
  }
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'locks')
  })
  return {
    /** Another tab requests the lock. */
    taken(): { release: () => void } {
      let release = () => {}
      void locks.request('', { signal: new AbortController().signal }, () => {
        return new Promise<void>((resolve) => {
          release = resolve
        })
      })
      return { release: () => release() }
    },
  }
}

/** Fakes the AudioContext of a browser that blocks sounds until a gesture. `allowed`: a gesture now resolves that. */
export function fakeAudioContext() {
  const browser = { allowed: false }
  class FakeAudioContext extends EventTarget {
    state = 'suspended'

    resume() {
      if (!browser.allowed) return new Promise<void>(() => undefined)
      this.state = 'running'
      this.dispatchEvent(new Event('statechange'))
      return Promise.resolve()
    }

    close() {
      this.state = 'closed'
      return Promise.resolve()
    }
  }
  vi.stubGlobal('AudioContext', FakeAudioContext)
  return browser
}
