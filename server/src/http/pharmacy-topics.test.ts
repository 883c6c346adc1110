import { expect, it, vi } from 'vitest'
import { broadcastDatabaseEvents } from './pharmacy-topics.ts'

it('broadcasts the first event of orders at once, and those that follow as one, for each pharmacy', async () => {
  const topics: string[] = []
  const listeners = new Map<string, (payload: string) => unknown>()
  const events = {
    on(channel: string, listener: (payload: string) => unknown) {
      listeners.set(channel, listener)
      return () => {}
    },
  }
  broadcastDatabaseEvents(events, { broadcast: (topic) => topics.push(topic), topics: () => [] })
  const notify = (pharmacyId: string) => void listeners.get('orders_changed')?.(pharmacyId)
  const a = 'pharmacy:a'
  for (const pharmacyId of ['a', 'a', 'a', 'b']) notify(pharmacyId)
  await vi.waitFor(() => expect(topics).toEqual([a, 'pharmacy:b', a]))
  notify('a')
  await vi.waitFor(() => expect(topics).toEqual([a, 'pharmacy:b', a, a]))
})
