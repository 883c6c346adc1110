import { CallFailed, post, send } from './calls.ts'

/** Milliseconds between two readings while there is no stream. */
const POLL_MS = 10_000
/** A proxy may collect the events of a stream: then the first reading does not wait for the next poll. */
const FIRST_POLL_MS = 2_500
/** The server sends a comment every 15 seconds: a stream that is silent for longer is broken. */
const SILENT_MS = 40_000
const RETRY_MS = { first: 1_000, most: 30_000 }

export type Source<T> = {
  /** Paths of the stream and of the single reading, and the body of both. */
  events: string
  read: string
  body: object
  isState: (value: unknown) => value is T
}

type Handlers<T> = {
  onState(state: T): void
  /** The server refuses for good; nothing follows. */
  onRefused(failure: CallFailed): void
  /** Whether the state is followed as it changes. */
  onLive(isLive: boolean): void
}

/**
 * Follows a state by server-sent events. A stream that ends is opened again; meanwhile, when the page becomes visible
 * and when the network is back, the state is read by itself. Every event is the whole state, so that none is missed.
 *
 * @returns a function that stops
 */
export function followState<T>(source: Source<T>, handlers: Handlers<T>): () => void {
  const { events, read, body, isState } = source
  const stopped = new AbortController()
  let isLive = false
  let heardAt = Date.now()
  let retryMs = RETRY_MS.first
  let attempt = new AbortController()
  let wake = () => {}

  function setLive(to: boolean) {
    if (isLive !== to && !stopped.signal.aborted) handlers.onLive(to)
    isLive = to
  }

  function fail(error: unknown) {
    if (stopped.signal.aborted || !(error instanceof CallFailed)) return
    const { retryAfter } = error.failure
    if (retryAfter !== null) retryMs = Math.max(retryMs, retryAfter * 1000)
    if (!error.isFinal) return
    stop()
    handlers.onRefused(error)
  }

  function take(state: unknown) {
    if (!stopped.signal.aborted && isState(state)) handlers.onState(state)
  }

  function takeEvent(event: string) {
    for (const line of event.split('\n')) {
      if (line.startsWith('retry: ')) retryMs = Number(line.slice(7)) || retryMs
      if (line.startsWith('data: ')) {
        retryMs = RETRY_MS.first
        take(JSON.parse(line.slice(6)))
      }
    }
  }

  async function listen(): Promise<void> {
    attempt = new AbortController()
    heardAt = Date.now()
    const response = await send(events, body, attempt.signal)
    if (!response.body) return
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      heardAt = Date.now()
      setLive(true)
      const parts = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = parts.pop() ?? ''
      parts.forEach(takeEvent)
    }
  }

  async function follow(): Promise<void> {
    while (!stopped.signal.aborted) {
      await listen().catch(fail)
      setLive(false)
      if (stopped.signal.aborted) return
      // At random, because a server that stops sends all of its clients away at once.
      const wait = retryMs * (0.75 + Math.random() / 2)
      retryMs = Math.min(retryMs * 2, RETRY_MS.most)
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, wait)
      })
    }
  }

  const readNow = () => post(read, body, isState).then(take, fail)

  function poll() {
    if (Date.now() - heardAt > SILENT_MS) attempt.abort()
    if (!isLive && document.visibilityState === 'visible') void readNow()
  }

  /** A phone that was asleep has lost its connection, and may not know it. */
  function lookAgain() {
    if (document.visibilityState !== 'visible') return
    void readNow()
    if (Date.now() - heardAt > SILENT_MS / 2) attempt.abort()
    retryMs = RETRY_MS.first
    wake()
  }

  const timer = setInterval(poll, POLL_MS)
  const firstTimer = setTimeout(poll, FIRST_POLL_MS)
  document.addEventListener('visibilitychange', lookAgain)
  window.addEventListener('online', lookAgain)
  window.addEventListener('pageshow', onPageShow)
  function onPageShow({ persisted }: PageTransitionEvent) {
    if (persisted) lookAgain()
  }

  function stop() {
    stopped.abort()
    clearInterval(timer)
    clearTimeout(firstTimer)
    document.removeEventListener('visibilitychange', lookAgain)
    window.removeEventListener('online', lookAgain)
    window.removeEventListener('pageshow', onPageShow)
    attempt.abort()
    wake()
  }

  void follow()
  return stop
}
