import { listOrders } from '@bancone/contract/orders'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FakeChannels, setVisibility } from '../../../test/fake-channel.ts'
import { fakeNotifications } from '../../../test/fake-notifications.ts'
import { fakeSound } from '../../../test/fake-sound.ts'
import { newOrder, orders, pageOf } from '../../../test/fixtures.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'

/** The dashboard, live, of a pharmacy that has seen these orders. */
async function open() {
  const state = { held: orders(5) }
  const lines = new FakeChannels()
  const api = serverWith([]).on(listOrders, ({ query }) => pageOf(state.held, query))
  renderApp('/', api, { openChannel: lines.openChannel })
  await screen.findByText('Cliente 5')
  await waitFor(() => expect(lines.opened).not.toEqual([]))
  lines.emit(({ subscribed }) => subscribed())
  await screen.findByText('In tempo reale')
  const happens = (held: typeof state.held) => {
    state.held = held
    lines.emit(({ broadcast }) => broadcast('orders', {}))
  }
  return { happens }
}

function hide() {
  setVisibility('hidden')
  onTestFinished(() => setVisibility('visible'))
}

test('a hidden tab raises a notification for an order that was not there, whatever its number', async () => {
  const { raised } = fakeNotifications('granted')
  const { happens } = await open()
  hide()
  const late = newOrder(6, { 'ID Ordine': 'B-2', Ordine: 'Cosa segreta' })
  happens([late, ...orders(5)])
  await waitFor(() => expect(raised).toHaveLength(1))
  expect(raised[0]).toMatchObject({
    title: 'Bancone - Nuovi ordini',
    options: { body: 'Hai 1 nuovo ordine', tag: 'new-orders', requireInteraction: true },
  })
  // Read again it is not new again; the next one takes the place of the notification, for both.
  happens([{ ...late, fields: { ...late.fields, Cliente: 'Corretto' } }, ...orders(5)])
  await screen.findByText('Corretto')
  expect(raised).toHaveLength(1)
  happens([newOrder(7, { 'ID Ordine': 0 }), late, ...orders(5)])
  await waitFor(() => expect(raised).toHaveLength(2))
  expect(raised[1]?.options).toMatchObject({ body: 'Hai 2 nuovi ordini', tag: 'new-orders' })
})

test('a device that wants it sounds from the arrival until the order is seen on any device', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  localStorage.setItem('orderSound', 'true')
  const speaker = fakeSound()
  const { happens } = await open()
  expect(speaker.played).toEqual([])
  happens([newOrder(6), ...orders(5)])
  await waitFor(() => expect(speaker.played).toHaveLength(1))
  await act(() => vi.advanceTimersByTimeAsync(10_500))
  expect(speaker.played).toHaveLength(2)
  happens(orders(6))
  await waitFor(() => expect(screen.queryByText('Nuovo')).toBeNull())
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(speaker.played).toHaveLength(2)
})
