import {
  type RealtimeChannel,
  type RealtimeChannelOptions,
  RealtimeClient,
  type RealtimeClientOptions,
} from '@supabase/realtime-js'
import { RealtimeClient as OlderRealtimeClient } from 'realtime-js-2.11'
import { it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Listening } from './servers.ts'

/** Both generations of the official client, unchanged, and the newer one in the older wire format. */
export const generations = ['2.109', '2.109 in version 1', '2.11'] as const
export type Generation = (typeof generations)[number]

export const KEY = 'bancone'

type Options = {
  token?: string | null
  key?: string
  heartbeatIntervalMs?: number
}

/** A screen: with a socket of its own, closed at the end of the test. */
export async function clientOf(
  generation: Generation,
  server: Listening,
  { token = null, key = KEY, heartbeatIntervalMs }: Options = {},
): Promise<RealtimeClient> {
  const url = `${server.origin.replace('http', 'ws')}/realtime/v1`
  const options: RealtimeClientOptions = {
    params: { apikey: key },
    ...(heartbeatIntervalMs !== undefined && { heartbeatIntervalMs }),
    reconnectAfterMs: () => 50,
  }
  const client = generation === '2.11' ? older(url, options) : newer(url, options, generation)
  if (token) await client.setAuth(token)
  onTestFinished(async () => {
    // What was refused tries again for ever otherwise.
    for (const channel of client.getChannels()) void channel.unsubscribe()
    await client.disconnect()
  })
  return client
}

function newer(url: string, options: RealtimeClientOptions, generation: Generation) {
  return new RealtimeClient(url, {
    ...options,
    vsn: generation === '2.109' ? '2.0.0' : '1.0.0',
    // Node 20 has none of its own. The library means the browser's, which takes the same.
    transport: WebSocket as unknown as NonNullable<RealtimeClientOptions['transport']>,
  })
}

/** It finds a transport by itself, and takes none that it is given: it would never listen to it. */
function older(url: string, options: RealtimeClientOptions): RealtimeClient {
  const client = new OlderRealtimeClient(url, {
    params: { apikey: KEY, ...options.params },
    ...(options.heartbeatIntervalMs && { heartbeatIntervalMs: options.heartbeatIntervalMs }),
    reconnectAfterMs: () => 50,
  })
  // Two classes with private members are never assignable. What the tests call of the older one has
  // the shape the newer one declares.
  return client as unknown as RealtimeClient
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

/** A test of what only one generation of the client does. For the other there is none to be skipped. */
export function itFor(applies: boolean): (sentence: string, test: () => Promise<void>) => void {
  return applies ? (sentence, test) => it(sentence, test) : () => {}
}
