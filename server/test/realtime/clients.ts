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

/** Options that tests of newer and older clients share. */
export function optionsOf({ key = KEY, heartbeatIntervalMs }: Options): RealtimeClientOptions {
  return {
    params: { apikey: key },
    ...(heartbeatIntervalMs !== undefined && { heartbeatIntervalMs }),
    reconnectAfterMs: () => 50,
    // Node 20 has no WebSocket. The library's type is the browser's, which is compatible.
    transport: WebSocket as unknown as NonNullable<RealtimeClientOptions['transport']>,
  }
}

export const urlOf = ({ origin }: Listening) => `${origin.replace('http', 'ws')}/realtime/v1`

/** A client with its own socket, closed at the end of the test. */
export async function clientOf(server: Listening, options: Options = {}): Promise<RealtimeClient> {
  return prepareClient(new RealtimeClient(urlOf(server), optionsOf(options)), options.token)
}

/** Sets the client's token, and disconnects it at the end of the test. */
export async function prepareClient(
  client: RealtimeClient,
  token: string | null = null,
): Promise<RealtimeClient> {
  if (token) await client.setAuth(token)
  onTestFinished(async () => {
    // Refused channels would be retried forever.
    for (const channel of client.getChannels()) void channel.unsubscribe()
    await client.disconnect()
  })
  return client
}

export type Joined = {
  channel: RealtimeChannel
  /** The states passed to the `subscribe` callback. */
  states: string[]
  /** The received broadcasts. */
  broadcasts: { event: string; payload: unknown }[]
  /** The received system messages. */
  system: string[]
}

type ChannelConfig = RealtimeChannelOptions['config']

/** Begins to join a channel. */
export function open(
  client: RealtimeClient,
  topic: string,
  config: Partial<ChannelConfig> = {},
): Joined & { errors: string[] } {
  const channel = client.channel(topic, { config: { private: true, ...config } })
  const [states, system, errors]: [string[], string[], string[]] = [[], [], []]
  const broadcasts: Joined['broadcasts'] = []
  channel.on(
    'broadcast',
    { event: '*' },
    ({ event, payload }) => void broadcasts.push({ event, payload }),
  )
  channel.on('system', {}, (told: { message?: string }) => {
    system.push(told.message ?? '')
  })
  channel.subscribe((state, error) => {
    states.push(state)
    if (error instanceof Error) errors.push(error.message)
  })
  return { channel, states, broadcasts, system, errors }
}

/** Joins a channel; fails the test if it is refused. */
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

/** The reason for which a channel is refused; fails the test if it is not. */
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

/** The time that a test waits for an expected event. */
export const soon = { timeout: 10_000, interval: 5 }

/** Waits until the condition holds; the error names what was awaited. */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  await vi.waitUntil(isSo, soon).catch(() => {
    throw new Error(`in vain: ${what}`)
  })
}

/** The newer client warns on the console when it falls back to HTTP. */
export function forgetWarnings(): void {
  // oxlint-disable-next-line eslint/no-console
  vi.mocked(console.warn).mockClear()
}
