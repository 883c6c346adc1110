import { REALTIME_API_KEY } from '@bancone/contract/realtime'
import {
  REALTIME_SUBSCRIBE_STATES,
  type RealtimeChannel,
  RealtimeClient,
} from '@supabase/realtime-js'
import { z } from 'zod/mini'
import type { Channel, ChannelEvents } from './channel.ts'
import { pharmacySession } from './session.ts'

/** Delays before a topic closed by the server is joined again. */
const PAUSES_MS = [1_000, 2_000, 5_000, 10_000]

const HEARTBEAT_MS = 30_000

const Refusal = z.object({ reason: z.string() })

/** Whether the server rejected the join. The client reports a broken connection as an error too. */
function isRefusal(error: Error | undefined): boolean {
  return !(error?.cause instanceof Event) && Refusal.safeParse(error?.cause).success
}

/** Disconnected clients for reuse: a client never removes its listeners from the window. */
const idleClients: RealtimeClient[] = []

function createClient(): RealtimeClient {
  return new RealtimeClient(`${location.origin.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: REALTIME_API_KEY },
    heartbeatIntervalMs: HEARTBEAT_MS,
    // Called before each heartbeat too, so that the server has a new token before the old one expires.
    accessToken: () => pharmacySession.accessToken(),
  })
}

async function release(client: RealtimeClient) {
  await client.disconnect()
  // Removes the topics at once, since nothing can be sent any more.
  await client.removeAllChannels()
  idleClients.push(client)
}

/**
 * Subscribes to a private topic with the Realtime client, which reconnects and rejoins by itself.
 *
 * @throws where the browser has no WebSocket
 */
export function openChannel(topic: string, events: ChannelEvents): Channel {
  const client = idleClients.pop() ?? createClient()
  let channel: RealtimeChannel | null = null
  let closed = false
  let closeCount = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  async function join() {
    // The client sends the token that it has at the time of the join.
    await client.setAuth().catch(() => undefined)
    if (closed) return
    const joining = client
      .channel(topic, { config: { private: true } })
      .on('broadcast', { event: '*' }, ({ event, payload }: { event: string; payload?: unknown }) =>
        events.broadcast(event, payload),
      )
    try {
      channel = joining.subscribe(onStatus)
    } catch {
      // A browser may forbid WebSockets: `subscribe` then throws. The next `ensureConnected` tries again.
      void client.removeChannel(joining)
    }
  }

  function onStatus(status: REALTIME_SUBSCRIBE_STATES, error?: Error) {
    if (closed) return
    if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) {
      closeCount = 0
      events.subscribed()
    } else if (status === REALTIME_SUBSCRIBE_STATES.CLOSED) {
      channel = null
      events.closed()
      // The client does not rejoin a topic that the server has closed.
      timer = setTimeout(() => void join(), PAUSES_MS[closeCount] ?? PAUSES_MS.at(-1))
      closeCount += 1
    } else if (isRefusal(error)) events.denied()
    else events.disconnected()
  }

  async function reconnect() {
    await client.disconnect()
    if (closed) return
    if (channel !== null) return client.connect()
    clearTimeout(timer)
    await join()
  }

  void join()
  return {
    ensureConnected() {
      if (client.isConnected() && channel !== null) void client.sendHeartbeat()
      else if (!client.isConnecting()) void reconnect()
    },
    reconnect: () => void reconnect(),
    close() {
      closed = true
      clearTimeout(timer)
      void release(client)
    },
  }
}
