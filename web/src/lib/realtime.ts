import {
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Connect, Line, LineEvents } from './line.ts'

/**
 * What is known of the line to the server: it is being opened, news come at once, it broke and is being
 * repaired, or it cannot be had for now. Also while 'off' it goes on trying.
 */
export type RealtimeState = 'connecting' | 'live' | 'reconnecting' | 'off'

export type RealtimeListener = Pick<LineEvents, 'joined' | 'told'> & {
  /** The server does not want us on this line: perhaps who is signed in may not be here any more. */
  doubted: () => void
}

/** A line that does not come back within this time counts as none. */
const PATIENCE_MS = 30_000
/** The client does not repair the line of a page nobody sees. We do, for that page's notifications. */
const HIDDEN_RETRY_MS = 15_000

/** The client comes with the first line: the page does not wait for it. */
const connectLater: Connect = (topic, events) => {
  let line: Line | null = null
  let closed = false
  function load() {
    import('./realtime-line.ts')
      .then(({ openLine }) => {
        if (!closed) line ??= openLine(topic, events)
      })
      // Without its code, or in a browser without WebSocket, there is no line for now, and nothing to doubt.
      .catch(() => undefined)
  }
  load()
  return {
    check: () => (line ? line.check() : load()),
    renew: () => (line ? line.renew() : load()),
    close() {
      closed = true
      line?.close()
    },
  }
}

/** How lines are opened. Tests give another way. */
export const RealtimeConnect = createContext<Connect>(connectLater)

function createRealtime(connect: Connect) {
  let state: RealtimeState = 'connecting'
  let patience: ReturnType<typeof setTimeout> | undefined
  const viewers = new Set<() => void>()

  function set(next: RealtimeState) {
    if (next === 'live' || next === 'off') clearTimeout(patience)
    else if (next !== state) patience = setTimeout(set, PATIENCE_MS, 'off')
    if (next === state) return
    state = next
    for (const viewer of viewers) viewer()
  }

  function lost() {
    if (state === 'live') set('reconnecting')
  }

  /** @returns what ends it */
  function follow(topic: string, listener: RealtimeListener): () => void {
    state = 'off'
    set('connecting')
    const line = connect(topic, {
      joined() {
        set('live')
        listener.joined()
      },
      lost,
      refused() {
        if (state === 'off') return
        set('off')
        listener.doubted()
      },
      ended() {
        lost()
        listener.doubted()
      },
      told: (event, payload) => listener.told(event, payload),
    })
    const onVisible = () => {
      if (document.visibilityState === 'visible') line.check()
    }
    const retry = setInterval(() => {
      if (state !== 'live' && document.visibilityState === 'hidden') line.check()
    }, HIDDEN_RETRY_MS)
    // Without a network a server on this very machine can be reached all the same, so both are a renewal.
    window.addEventListener('offline', line.renew)
    window.addEventListener('online', line.renew)
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearInterval(retry)
      clearTimeout(patience)
      window.removeEventListener('offline', line.renew)
      window.removeEventListener('online', line.renew)
      document.removeEventListener('visibilitychange', onVisible)
      line.close()
    }
  }

  function subscribe(viewer: () => void): () => void {
    viewers.add(viewer)
    return () => viewers.delete(viewer)
  }

  return { follow, subscribe, state: () => state }
}

/** Follows a topic for as long as it is given. @param topic null while there is nothing to follow yet */
export function useRealtime(topic: string | null, listener: RealtimeListener): RealtimeState {
  const connect = useContext(RealtimeConnect)
  const [realtime] = useState(() => createRealtime(connect))
  const joined = useEffectEvent(listener.joined)
  const doubted = useEffectEvent(listener.doubted)
  const told = useEffectEvent(listener.told)
  useEffect(() => {
    if (topic === null) return
    return realtime.follow(topic, {
      joined: () => joined(),
      doubted: () => doubted(),
      told: (event, payload) => told(event, payload),
    })
  }, [realtime, topic])
  return useSyncExternalStore(realtime.subscribe, realtime.state)
}
