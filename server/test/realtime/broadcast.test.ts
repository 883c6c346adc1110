import { describe, expect, it } from 'vitest'
import { clientOf, join, until } from './clients.ts'
import { anotherServer, newPharmacy, realtimeServer } from './servers.ts'

const server = await realtimeServer()
const pharmacy = await newPharmacy(server)

const screen = async (
  config: { broadcast?: { ack?: boolean; self?: boolean } } = {},
  at: { origin: string; port: number } = server,
) => join(await clientOf(at, { token: pharmacy.token }), pharmacy.topic, config)

const payloads = [
  { ids: ['rec1', 'rec2'], kind: 'added' },
  { nested: { list: [1, null, true, 'è'] } },
  {},
]

describe('a broadcast', () => {
  it('reaches every other screen, in order', async () => {
    const sender = await screen()
    const others = [await screen(), await screen()]
    for (const payload of payloads) {
      const sent = await sender.channel.send({ type: 'broadcast', event: 'news', payload })
      expect(sent).toBe('ok')
    }
    for (const { broadcasts } of others) {
      await until(() => broadcasts.length === payloads.length, 'all of them')
      expect(broadcasts).toEqual(payloads.map((payload) => ({ event: 'news', payload })))
    }
    expect(sender.broadcasts).toEqual([])
  })

  it('comes back to a sender that wants that', async () => {
    const sender = await screen({ broadcast: { self: true } })
    await sender.channel.send({ type: 'broadcast', event: 'news', payload: { n: 1 } })
    await until(() => sender.broadcasts.length > 0, 'their own')
    expect(sender.broadcasts).toEqual([{ event: 'news', payload: { n: 1 } }])
  })

  it('is acknowledged to a sender that wants that', async () => {
    const sender = await screen({ broadcast: { ack: true } })
    const send = (event: string) => sender.channel.send({ type: 'broadcast', event, payload: {} })
    expect(await send('news')).toBe('ok')
    expect(await send('a name that is too long for the protocol'.repeat(6))).toBe('error')
  })

  it('of the server comes to all in the channel, and to no other channel', async () => {
    const here = await screen()
    const other = await newPharmacy(server)
    const there = await join(await clientOf(server, { token: other.token }), other.topic)
    server.realtime.broadcast(pharmacy.topic, 'orders', { kind: 'added', ids: ['rec1'] })
    await server.realtime.publish({ topic: other.topic, event: 'last', payload: {} })
    await until(() => there.broadcasts.length > 0, 'the last')
    await until(() => here.broadcasts.length > 0, 'the first')
    expect(here.broadcasts).toEqual([
      { event: 'orders', payload: { kind: 'added', ids: ['rec1'] } },
    ])
    expect(there.broadcasts).toEqual([{ event: 'last', payload: {} }])
  })

  it('is not read by those who have left', async () => {
    const sender = await screen()
    const gone = await screen()
    const stays = await screen()
    await gone.channel.unsubscribe()
    await sender.channel.send({ type: 'broadcast', event: 'news', payload: {} })
    await until(() => stays.broadcasts.length > 0, 'the broadcast')
    expect(gone.broadcasts).toEqual([])
  })

  it('reaches the screens of another process once, small or large, in order', async () => {
    const other = await anotherServer(server.database)
    const sender = await screen({ broadcast: { ack: true, self: true } })
    const far = await screen({}, other)
    const sizes = [10, 300_000, 20, 9_000, 30]
    const sent = sizes.map((size) => {
      const payload = { text: 'à'.repeat(size) }
      return sender.channel.send({ type: 'broadcast', event: 'news', payload })
    })
    expect(await Promise.all(sent)).toEqual(sizes.map(() => 'ok'))
    await far.channel.send({ type: 'broadcast', event: 'back', payload: {} })
    const lengths = ({ broadcasts }: typeof far) =>
      broadcasts.map(({ payload }) => (payload as { text?: string }).text?.length)
    await until(() => far.broadcasts.length >= sizes.length, 'all of them there')
    expect(lengths(far)).toEqual(sizes)
    await until(() => sender.broadcasts.length > sizes.length, 'all of them here')
    expect(lengths(sender)).toEqual([...sizes, undefined])
  })
})

describe('broadcasts that are too many for the other processes', () => {
  const large = (topic: string) => ({ topic, event: 'e', payload: 'x'.repeat(100_000) })

  it('are refused rather than kept in memory', async () => {
    const wired = await anotherServer(server.database, {
      realtime: { limits: { outboxBytes: 250_000 } },
    })
    const { publish } = wired.realtime
    const told = await Promise.allSettled([1, 2, 3, 4].map(() => publish(large(pharmacy.topic))))
    expect(told.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ])
    await expect(publish(large(pharmacy.topic))).resolves.toBeUndefined()
  })

  it('are refused rather than kept in the database', async () => {
    const wired = await anotherServer(server.database, {
      realtime: { limits: { storedMessageBytes: 250_000 } },
    })
    const { publish } = wired.realtime
    await publish(large(pharmacy.topic))
    await publish(large(pharmacy.topic))
    await expect(publish(large(pharmacy.topic))).rejects.toMatchObject({ status: 503 })
    // A message that fits into a notification is not stored.
    await expect(publish({ ...large(''), payload: 'x' })).resolves.toBeUndefined()
  })
})

describe('bytes', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, n) => n)

  it('go to every screen, also in another process', async () => {
    const other = await anotherServer(server.database)
    const sender = await screen({ broadcast: { ack: true } })
    const receivers = [await screen(), await screen({}, other)]
    const send = (event: string, payload: unknown) =>
      sender.channel.send({ type: 'broadcast', event, payload })
    expect(await send('bytes', bytes.buffer)).toBe('ok')
    expect(await send('text', {})).toBe('ok')
    for (const { broadcasts } of receivers) {
      await until(() => broadcasts.length === 2, 'both')
      expect(broadcasts[0]?.event).toBe('bytes')
      expect(new Uint8Array(broadcasts[0]?.payload as ArrayBuffer)).toEqual(bytes)
    }
  })
})
