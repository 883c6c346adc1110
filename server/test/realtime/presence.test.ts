import type { RealtimeChannel } from '@supabase/realtime-js'
import { describe, expect, it, vi } from 'vitest'
import { connectDatabase } from '../../src/database/database.ts'
import { breakableConnection } from '../breakable-connection.ts'
import { clientOf, soon, until } from './clients.ts'
import {
  anotherServer,
  type Listening,
  newPharmacy,
  type Pharmacy,
  realtimeServer,
} from './servers.ts'

const timing = { heartbeatInterval: 100, nodeTimeout: 1_000 }

let other: Listening & { stop(): Promise<void> }
let pharmacy: Pharmacy
const server = await realtimeServer({ realtime: { timing } })

type Seen = {
  channel: RealtimeChannel
  disconnect(): Promise<unknown>
  /** The presence state by key. */
  state(): Record<string, unknown[]>
  /** `join key` and `leave key`, in order. */
  events: string[]
}

async function screen(key: string, at: Listening = server): Promise<Seen> {
  const client = await clientOf(at, { token: pharmacy.token })
  const channel = client.channel(pharmacy.topic, {
    config: { private: true, presence: { key, enabled: true } },
  })
  const events: string[] = []
  let synced = false
  channel.on('presence', { event: 'sync' }, () => {
    synced = true
  })
  channel.on('presence', { event: 'join' }, ({ key: who }) => void events.push(`join ${who}`))
  channel.on('presence', { event: 'leave' }, ({ key: who }) => void events.push(`leave ${who}`))
  channel.subscribe()
  await until(() => synced, 'the state')
  return {
    channel,
    events,
    disconnect: async () => client.disconnect(),
    state: () =>
      Object.fromEntries(
        Object.entries(channel.presenceState()).map(([who, all]) => [
          who,
          all.map(({ presence_ref: _ref, ...said }) => said),
        ]),
      ),
  }
}

function sees(who: Seen, state: Record<string, unknown[]>): Promise<void> {
  return vi.waitFor(() => expect(who.state()).toEqual(state), soon)
}

describe('presence', () => {
  it('of one is seen by all, in either process, and by those who come later', async () => {
    pharmacy = await newPharmacy(server)
    other = await anotherServer(server.database, { realtime: { timing } })
    const anna = await screen('anna')
    const bruno = await screen('bruno', other)
    expect(await anna.channel.track({ page: 1 })).toBe('ok')
    for (const who of [anna, bruno]) await sees(who, { anna: [{ page: 1 }] })
    expect(await bruno.channel.track({ page: 2 })).toBe('ok')
    const carla = await screen('carla', other)
    for (const who of [anna, bruno, carla]) {
      await sees(who, { anna: [{ page: 1 }], bruno: [{ page: 2 }] })
    }
    expect(anna.events).toEqual(['join anna', 'join bruno'])
  })

  it('may be changed, and ends with untrack, with leaving and with the socket', async () => {
    pharmacy = await newPharmacy(server)
    other = await anotherServer(server.database, { realtime: { timing } })
    const anna = await screen('anna')
    const bruno = await screen('bruno', other)
    const carla = await screen('carla')
    await anna.channel.track({ page: 1 })
    await bruno.channel.track({ page: 2 })
    await anna.channel.track({ page: 9 })
    await sees(carla, { anna: [{ page: 9 }], bruno: [{ page: 2 }] })
    await sees(bruno, { anna: [{ page: 9 }], bruno: [{ page: 2 }] })

    expect(await anna.channel.untrack()).toBe('ok')
    for (const who of [anna, bruno, carla]) await sees(who, { bruno: [{ page: 2 }] })
    await anna.channel.track({ page: 3 })
    await sees(carla, { bruno: [{ page: 2 }], anna: [{ page: 3 }] })
    await bruno.channel.unsubscribe()
    await sees(carla, { anna: [{ page: 3 }] })
    await anna.disconnect()
    await sees(carla, {})
  })

  it('ends with the process that stops', async () => {
    pharmacy = await newPharmacy(server)
    other = await anotherServer(server.database, { realtime: { timing } })
    const anna = await screen('anna')
    const bruno = await screen('bruno', other)
    await bruno.channel.track({})
    await sees(anna, { bruno: [{}] })
    // The client would reconnect to a server that has stopped.
    void bruno.channel.unsubscribe()
    await other.stop()
    await sees(anna, {})
  })
})

describe('presence', () => {
  it('of a process that died is taken away by another', async () => {
    pharmacy = await newPharmacy(server)
    const dead = '00000000-0000-4000-8000-000000000000'
    await server.database.pool.query(
      `insert into realtime_nodes (id, seen_at) values ($1, now() + interval '1 hour')`,
      [dead],
    )
    await server.database.pool.query(
      `insert into realtime_presences (node_id, topic, key, ref, meta)
       values ($1, $2, 'ghost', 'ref', '{"n":1,"phx_ref":"ref"}')`,
      [dead, pharmacy.topic],
    )
    const anna = await screen('anna')
    await sees(anna, { ghost: [{ n: 1 }] })
    await server.database.pool.query(
      `update realtime_nodes set seen_at = now() - interval '1 hour' where id = $1`,
      [dead],
    )
    await sees(anna, {})
    expect(anna.events).toEqual(['join ghost', 'leave ghost'])
  })

  it('of a process that was taken for dead is there again', async () => {
    pharmacy = await newPharmacy(server)
    const anna = await screen('anna')
    await anna.channel.track({ n: 1 })
    await sees(anna, { anna: [{ n: 1 }] })
    await server.database.pool.query('delete from realtime_nodes')
    await until(() => anna.events.length === 2, 'it is told anew')
    const bruno = await screen('bruno')
    await sees(bruno, { anna: [{ n: 1 }] })
  })

  it('is told anew when the line to the database was broken and the table emptied', async () => {
    pharmacy = await newPharmacy(server)
    const line = await breakableConnection(server.database.url)
    const connection = connectDatabase(line.url)
    const later = { realtime: { timing: { heartbeatInterval: 60_000 } } }
    const far = await anotherServer({ ...connection, url: line.url }, later)
    const [anna, bruno] = [await screen('anna', far), await screen('bruno', far)]
    await anna.channel.track({ n: 1 })
    await sees(bruno, { anna: [{ n: 1 }] })
    line.down(true)
    // Unlogged tables are empty after a crash.
    await server.database.pool.query('truncate realtime_nodes, realtime_presences')
    expect(await anna.channel.untrack()).toBe('error')
    await bruno.channel.track({ n: 2 })
    line.down(false)
    for (const who of [anna, bruno]) await sees(who, { bruno: [{ n: 2 }] })
    await sees(await screen('carla'), { bruno: [{ n: 2 }] })
    await far.stop()
    await connection.close()
  })

  it('is made known by those who say so, however small their config', async () => {
    pharmacy = await newPharmacy(server)
    const anna = await screen('anna')
    const client = await clientOf(server, { token: pharmacy.token })
    const channel = client.channel(pharmacy.topic, { config: { private: true } })
    channel.subscribe()
    await until(() => channel.state === 'joined', 'the join')
    await channel.track({ n: 1 })
    await until(() => Object.keys(anna.state()).length === 1, 'somebody')
    const [key = ''] = Object.keys(anna.state())
    expect(key).toMatch(/^[0-9a-f-]{36}$/)
    await until(() => key in channel.presenceState(), 'itself')
  })

  it('is neither large nor changed all the time', async () => {
    pharmacy = await newPharmacy(server)
    const anna = await screen('anna')
    expect(await anna.channel.track({ text: 'x'.repeat(3_000) })).toBe('error')
    for (let n = 0; n < 9; n += 1) expect(await anna.channel.track({ n })).toBe('ok')
    expect(await anna.channel.track({ n: 10 })).toBe('error')
    await sees(anna, { anna: [{ n: 8 }] })
  })
})
