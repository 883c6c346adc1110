const SOUND = '/sounds/notification.mp3'
const EVERY_MS = 10_000
const LOCK = 'bancone-order-sound'
/** With one of these a browser lets a page be heard. */
const GESTURES = ['click', 'keydown', 'pointerup'] as const

export type OrderBell = {
  /** Once more at once: something else has come. */
  strike: () => void
  /** Tries again where the browser has kept it silent; a click must have asked for it. */
  unblock: () => void
  stop: () => void
}

/** Rings once, so that one hears how loud it is. */
export async function tryBell(): Promise<void> {
  await new Audio(SOUND).play()
}

/**
 * Rings every ten seconds until it is stopped, in one tab of the browser only: the next takes over when
 * that one goes, or is not allowed to be heard.
 *
 * @param onBlocked told whether the browser keeps it silent until somebody touches the page
 */
export function startOrderBell(onBlocked: (blocked: boolean) => void): OrderBell {
  const sound = new Audio(SOUND)
  const end = new AbortController()
  let strikeAgain = () => {}
  let unblock = () => {}

  /** Resolves when the bell is stopped (false) or kept silent (true). */
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
        // Any other failure, as of a file that could not be loaded, may be over the next time.
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

  /** Resolves when somebody has touched the page, or the bell is stopped. */
  function touched(): Promise<void> {
    return new Promise((resolve) => {
      const touch = new AbortController()
      unblock = () => {
        // Within the gesture, as some browsers demand; after it the bell may ring by itself.
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

/** Waits for its turn among the tabs; a browser that cannot take turns lets all of them. */
async function alone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work()
  return navigator.locks.request(LOCK, { signal }, work)
}
