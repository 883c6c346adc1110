import {
  type RealtimeChannel,
  type RealtimeChannelOptions,
  RealtimeClient,
  type RealtimeClientOptions,
} from '@supabase/realtime-js'
import { onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Listening } from './servers.ts'

export const KEY = 'bancone'

type Options = {
  token?: string | null
  key?: string
  heartbeatIntervalMs?: number
}

/** What the newer client, and the tests of the older one, begin with. */
export function optionsOf({ key = KEY, heartbeatIntervalMs }: Options): RealtimeClientOptions {
  return {
    params: { apikey: key },
    ...(heartbeatIntervalMs !== undefined && { heartbeatIntervalMs }),
    reconnectAfterMs: () => 50,
    // Node 20 has none of its own. The library means the browser's, which takes the same.
    transport: WebSocket as unknown as NonNullable<RealtimeClientOptions['transport']>,
  }
}

export const urlOf = ({ origin }: Listening) => `${origin.replace('http', 'ws')}/realtime/v1`

/** A screen: with a socket of its own, closed at the end of the test. */
export async function clientOf(server: Listening, options: Options = {}): Promise<RealtimeClient> {
  return begun(new RealtimeClient(urlOf(server), optionsOf(options)), options.token)
}

/** A client that has that token, and ends with the test. */
export async function begun(
  client: RealtimeClient,
  token: string | null = null,
): Promise<RealtimeClient> {
  if (token) await client.setAuth(token)
  onTestFinished(async () => {
    // What was refused tries again for ever otherwise.
    for (const channel of client.getChannels()) void channel.unsubscribe()
    await client.disconnect()
  })
  return client
}

export type Joined = {
  channel: RealtimeChannel
  /** What `subscribe` told, as it came. */
  states: string[]
  /** The broadcasts, as they came. */
  heard: { event: string; payload: unknown }[]
  /** The system messages. */
  system: string[]
}

type ChannelConfig = RealtimeChannelOptions['config']

/** A channel that is being joined. */
export function open(
  client: RealtimeClient,
  topic: string,
  config: Partial<ChannelConfig> = {},
): Joined & { errors: string[] } {
  const channel = client.channel(topic, { config: { private: true, ...config } })
  const [states, system, errors]: [string[], string[], string[]] = [[], [], []]
  const heard: Joined['heard'] = []
  channel.on(
    'broadcast',
    { event: '*' },
    ({ event, payload }) => void heard.push({ event, payload }),
  )
  channel.on('system', {}, (told: { message?: string }) => {
    system.push(told.message ?? '')
  })
  channel.subscribe((state, error) => {
    states.push(state)
    if (error instanceof Error) errors.push(error.message)
  })
  return { channel, states, heard, system, errors }
}

/** A channel that has been joined; fails the test if it was refused. */
export async function join(
  client: RealtimeClient,
  topic: string,
  config: Partial<ChannelConfig> = {},
): Promise<Joined> {
  const opened = open(client, topic, config)
  await vi.waitUntil(() => {
    if (opened.errors.length > 0) throw new Error(opened.errors.join())
    return opened.states.includes('SUBSCRIBED')
  }, soon)
  return opened
}

/** Why a channel is refused; fails the test if it is not. */
export async function refusal(
  client: RealtimeClient,
  topic: string,
  config: Partial<ChannelConfig> = {},
): Promise<string> {
  const { states, errors } = open(client, topic, config)
  await vi.waitUntil(() => states.length > 0, soon)
  if (states.includes('SUBSCRIBED')) throw new Error('was not refused')
  return errors[0] ?? ''
}

/** How long a test waits for what must come. */
export const soon = { timeout: 10_000, interval: 5 }

/** Until it is true; what was awaited is in the message when it never is. */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  await vi.waitUntil(isSo, soon).catch(() => {
    throw new Error(`in vain: ${what}`)
  })
}

/** The newer one says on the console that it sends by HTTP what cannot go by the socket. */
export function forgetWarnings(): void {
  // oxlint-disable-next-line eslint/no-console
  vi.mocked(console.warn).mockClear()
}
