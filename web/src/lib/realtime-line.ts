import { REALTIME_KEY } from '@bancone/contract/realtime'
import {
  REALTIME_SUBSCRIBE_STATES,
  type RealtimeChannel,
  RealtimeClient,
} from '@supabase/realtime-js'
import { z } from 'zod'
import type { Line, LineEvents } from './line.ts'
import { pharmacySession } from './session.ts'

/** Pauses before a topic that the server has closed is joined again. */
const PAUSES_MS = [1_000, 2_000, 5_000, 10_000]

const HEARTBEAT_MS = 30_000

const Refusal = z.object({ reason: z.string() })

/** The server's own 'no', and not a connection that broke, of which the client makes an error too. */
function isRefusal(error: Error | undefined): boolean {
  return !(error?.cause instanceof Event) && Refusal.safeParse(error?.cause).success
}

/** Clients whose line was closed. One never stops listening to the window, so it is used again. */
const idle: RealtimeClient[] = []

function createClient(): RealtimeClient {
  return new RealtimeClient(`${location.origin.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: REALTIME_KEY },
    heartbeatIntervalMs: HEARTBEAT_MS,
    // Asked before each heartbeat too, so that the server has a new token before the old one expires.
    accessToken: () => pharmacySession.accessToken(),
  })
}

async function retire(client: RealtimeClient) {
  await client.disconnect()
  // Nothing is sent any more: the topics go at once.
  await client.removeAllChannels()
  idle.push(client)
}

/**
 * Follows a private topic with the client of the Realtime protocol, which reconnects and rejoins by itself.
 *
 * @throws where the browser has no WebSocket
 */
export function openLine(topic: string, events: LineEvents): Line {
  const client = idle.pop() ?? createClient()
  let channel: RealtimeChannel | null = null
  let closed = false
  let ends = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  async function join() {
    // The client puts the token into the join that it has at that moment.
    await client.setAuth().catch(() => undefined)
    if (closed) return
    const joining = client
      .channel(topic, { config: { private: true } })
      .on('broadcast', { event: '*' }, ({ event, payload }: { event: string; payload?: unknown }) =>
        events.told(event, payload),
      )
    try {
      channel = joining.subscribe(follow)
    } catch {
      // A browser that may open none says so at once. The next check tries again.
      void client.removeChannel(joining)
    }
  }

  function follow(status: REALTIME_SUBSCRIBE_STATES, error?: Error) {
    if (closed) return
    if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) {
      ends = 0
      events.joined()
    } else if (status === REALTIME_SUBSCRIBE_STATES.CLOSED) {
      channel = null
      events.ended()
      // The client does not come back by itself to what the server has closed.
      timer = setTimeout(() => void join(), PAUSES_MS[ends] ?? PAUSES_MS.at(-1))
      ends += 1
    } else if (isRefusal(error)) events.refused()
    else events.lost()
  }

  async function renew() {
    await client.disconnect()
    if (closed) return
    if (channel !== null) return client.connect()
    clearTimeout(timer)
    await join()
  }

  void join()
  return {
    check() {
      if (client.isConnected() && channel !== null) void client.sendHeartbeat()
      else if (!client.isConnecting()) void renew()
    },
    renew: () => void renew(),
    close() {
      closed = true
      clearTimeout(timer)
      void retire(client)
    },
  }
}
