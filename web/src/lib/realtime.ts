import {
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Channel, ChannelEvents, OpenChannel } from './channel.ts'
import { loadWhenIdle } from './when-idle.ts'

/**
 * State of the realtime connection: being opened, connected, lost and reconnecting, or unavailable for now. In state
 * 'off' it keeps trying.
 */
export type RealtimeState = 'connecting' | 'live' | 'reconnecting' | 'off'

export type RealtimeListener = Pick<ChannelEvents, 'subscribed' | 'broadcast'> & {
  /** The server rejected the subscription or closed the topic: the user may have lost access. */
  recheckAccess: () => void
}

/** A connection that is not restored within this time counts as 'off'. */
const RECONNECT_TIMEOUT_MS = 30_000
/** The client does not reconnect in a hidden page. We do, because the page still raises notifications. */
const HIDDEN_RETRY_MS = 15_000

/** The code of the client is loaded with the first channel, so that it does not delay the page. */
const openChannelLazily: OpenChannel = (topic, events) => {
  let channel: Channel | null = null
  let closed = false
  function load() {
    loadWhenIdle(() => import('./realtime-channel.ts'))
      .then(({ openChannel }) => {
        if (!closed) channel ??= openChannel(topic, events)
      })
      // The code could not be loaded, or the browser has no WebSocket: no live updates for now.
      .catch(() => undefined)
  }
  load()
  return {
    ensureConnected: () => (channel ? channel.ensureConnected() : load()),
    reconnect: () => (channel ? channel.reconnect() : load()),
    close() {
      closed = true
      channel?.close()
    },
  }
}

/** Opens channels; tests provide a fake. */
export const OpenChannelContext = createContext<OpenChannel>(openChannelLazily)

function createRealtimeStore(openChannel: OpenChannel) {
  let state: RealtimeState = 'connecting'
  let offTimer: ReturnType<typeof setTimeout> | undefined
  const subscribers = new Set<() => void>()

  function setState(next: RealtimeState) {
    if (next === 'live' || next === 'off') clearTimeout(offTimer)
    else if (next !== state) offTimer = setTimeout(setState, RECONNECT_TIMEOUT_MS, 'off')
    if (next === state) return
    state = next
    for (const onChange of subscribers) onChange()
  }

  function disconnected() {
    if (state === 'live') setState('reconnecting')
  }

  /** @returns unsubscribes */
  function follow(topic: string, listener: RealtimeListener): () => void {
    state = 'off'
    setState('connecting')
    const channel = openChannel(topic, {
      subscribed() {
        setState('live')
        listener.subscribed()
      },
      disconnected,
      denied() {
        if (state === 'off') return
        setState('off')
        listener.recheckAccess()
      },
      closed() {
        disconnected()
        listener.recheckAccess()
      },
      broadcast: (event, payload) => listener.broadcast(event, payload),
    })
    const onVisible = () => {
      if (document.visibilityState === 'visible') channel.ensureConnected()
    }
    const retry = setInterval(() => {
      if (state !== 'live' && document.visibilityState === 'hidden') channel.ensureConnected()
    }, HIDDEN_RETRY_MS)
    // A server on this machine is reachable without a network, so 'offline' is no reason to stop: reconnect in both
    // cases.
    window.addEventListener('offline', channel.reconnect)
    window.addEventListener('online', channel.reconnect)
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearInterval(retry)
      clearTimeout(offTimer)
      window.removeEventListener('offline', channel.reconnect)
      window.removeEventListener('online', channel.reconnect)
      document.removeEventListener('visibilitychange', onVisible)
      channel.close()
    }
  }

  function subscribe(onChange: () => void): () => void {
    subscribers.add(onChange)
    return () => subscribers.delete(onChange)
  }

  return { follow, subscribe, state: () => state }
}

/** Subscribes to a topic while it is not null. @param topic null while it is not known yet */
export function useRealtime(topic: string | null, listener: RealtimeListener): RealtimeState {
  const openChannel = useContext(OpenChannelContext)
  const [realtime] = useState(() => createRealtimeStore(openChannel))
  const subscribed = useEffectEvent(listener.subscribed)
  const recheckAccess = useEffectEvent(listener.recheckAccess)
  const broadcast = useEffectEvent(listener.broadcast)
  useEffect(() => {
    if (topic === null) return
    return realtime.follow(topic, {
      subscribed: () => subscribed(),
      recheckAccess: () => recheckAccess(),
      broadcast: (event, payload) => broadcast(event, payload),
    })
  }, [realtime, topic])
  return useSyncExternalStore(realtime.subscribe, realtime.state)
}
