const SOUND = '/sounds/notification.mp3'
const EVERY_MS = 10_000
const LOCK = 'bancone-sound'
/** User gestures after which a browser lets a page play sound. */
export const GESTURES = ['click', 'keydown', 'pointerup'] as const

export type Bell = {
  /** Rings at once, because something else has arrived. */
  strike: () => void
  /** Retries after the browser has blocked the sound; must be called by a click. */
  unblock: () => void
  stop: () => void
}

/** Loads the sound. Some browsers permit sounds for each element, so that a page uses the same for all of them. */
export function createSpeaker(): HTMLAudioElement {
  return new Audio(SOUND)
}

/**
 * Rings every ten seconds until it is stopped, in one tab of the browser only: the next tab takes over when that one
 * is closed, or its sound is blocked.
 *
 * @param sound of `createSpeaker`
 * @param onBlocked called with whether the browser blocks the sound until a user gesture
 */
export function startBell(sound: HTMLAudioElement, onBlocked: (blocked: boolean) => void): Bell {
  const end = new AbortController()
  let strikeAgain = () => {}
  let unblock = () => {}

  /** Resolves when the bell is stopped (false) or blocked (true). */
  function ring(): Promise<boolean> {
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setInterval> | undefined
      const finish = (blocked: boolean) => {
        clearInterval(timer)
        strikeAgain = () => {}
        resolve(blocked)
      }
      const strike = () => {
        sound.currentTime = 0
        // Any other error, such as a file that could not be loaded, may be temporary.
        sound.play().catch((error: unknown) => {
          if (error instanceof DOMException && error.name === 'NotAllowedError') finish(true)
        })
      }
      strikeAgain = () => {
        clearInterval(timer)
        timer = setInterval(strike, EVERY_MS)
        strike()
      }
      end.signal.addEventListener('abort', () => finish(false), { once: true })
      strikeAgain()
    })
  }

  /** Resolves after a user gesture, or when the bell is stopped. */
  function touched(): Promise<void> {
    return new Promise((resolve) => {
      const touch = new AbortController()
      unblock = () => {
        // Within the gesture, as some browsers require; afterwards the bell may ring without one.
        sound.play().catch(() => undefined)
        touch.abort()
        resolve()
      }
      for (const gesture of GESTURES)
        document.addEventListener(gesture, unblock, { signal: touch.signal })
      end.signal.addEventListener('abort', () => (touch.abort(), resolve()), { once: true })
    })
  }

  async function run() {
    while (!end.signal.aborted) {
      const blocked = await alone(end.signal, ring)
      if (!blocked) return
      onBlocked(true)
      await touched()
      unblock = () => {}
      onBlocked(false)
    }
  }

  // Stopped while another tab was ringing.
  void run().catch(() => undefined)

  return {
    strike: () => strikeAgain(),
    unblock: () => unblock(),
    stop() {
      end.abort()
      sound.pause()
    },
  }
}

/** Waits for a lock among the tabs; without locks, all of them ring. */
async function alone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work()
  return navigator.locks.request(LOCK, { signal }, work)
}
