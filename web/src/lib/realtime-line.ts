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

const Refusal = z.object({ reason: z.string() })

/** The server's own 'no', and not a connection that broke, of which the client makes an error too. */
function isRefusal(error: Error | undefined): boolean {
  return !(error?.cause instanceof Event) && Refusal.safeParse(error?.cause).success
}

/** Follows a private topic with the client of the Realtime protocol, which reconnects and rejoins by itself. */
export function openLine(topic: string, events: LineEvents): Line {
  const client = new RealtimeClient(`${location.origin.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: REALTIME_KEY },
    // Asked before each heartbeat too, so that the server has a new token before the old one expires.
    accessToken: () => pharmacySession.accessToken(),
  })
  let channel: RealtimeChannel | null = null
  let closed = false
  let ends = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  async function join() {
    // The client puts the token into the join that it has at that moment.
    await client.setAuth().catch(() => undefined)
    if (closed) return
    channel = client
      .channel(topic, { config: { private: true } })
      .on('broadcast', { event: '*' }, ({ event, payload }: { event: string; payload?: unknown }) =>
        events.told(event, payload),
      )
      .subscribe(follow)
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
      void client.disconnect()
    },
  }
}
