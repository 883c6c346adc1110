import { getPriorityBoard } from '@bancone/contract/priority'
import { acknowledgeArrivals, recordCounterPresence } from '@bancone/contract/priority-counters'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { FakeChannels } from '../../../../test/fake-channel.ts'
import { fakeNotifications, lookAway } from '../../../../test/fake-notifications.ts'
import { fakeAudioContext, fakeSound } from '../../../../test/fake-sound.ts'
import { boardOf, priorityServer, session } from '../../../../test/priority.ts'
import { renderApp } from '../../../../test/render-app.tsx'
import { failure, type StubApi } from '../../../../test/stub-api.ts'

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const arrival = (n: number) => session(n, { acknowledgedAt: null })
const bodies = (api: StubApi, path: string) =>
  api.requests.filter((each) => each.path === path).map(({ body }) => body)

/** A page of a pharmacy with priority access, whose realtime channel is connected; and its speaker. */
async function open(path = '/', board = boardOf()) {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const speaker = fakeSound()
  const { api, held } = priorityServer(board)
  api
    .on(recordCounterPresence, () => ({}))
    .on(acknowledgeArrivals, ({ body }) => {
      const waiting = held.board.waiting.map((each) =>
        body.prioritySessionIds.includes(each.id)
          ? { ...each, acknowledgedAt: new Date().toISOString() }
          : each,
      )
      held.board = { ...held.board, waiting }
      return {}
    })
  const lines = new FakeChannels()
  const view = renderApp(path, api, { openChannel: lines.openChannel })
  await waitFor(() => expect(bodies(api, getPriorityBoard.path)).not.toEqual([]))
  await waitFor(() => expect(lines.opened).not.toEqual([]))
  lines.emit(({ subscribed }) => subscribed())
  const arrive = (...waiting: ReturnType<typeof session>[]) => {
    held.board = { ...held.board, waiting }
    lines.emit(({ broadcast }) => broadcast('priority', {}))
  }
  return { api, held, lines, speaker, arrive, ...view }
}

test('an arrival is on every page with the event: toast, count, title and sound, until it is seen', async () => {
  const { api, arrive, speaker, user } = await open('/orders/day')
  expect(speaker.played).toEqual([])
  arrive(arrival(3), session(9))
  expect(await screen.findByText('Nuovo cliente arrivato!')).toBeDefined()
  expect(screen.getByText('Cliente 3 · Ordine 1003')).toBeDefined()
  expect(screen.getByText('È arrivato un cliente')).toBeDefined()
  const link = screen.getByRole('link', { name: /^Priority/ })
  expect(within(link).getByText('2 clienti in attesa')).toBeDefined()
  expect(document.title).toMatch(/^\(1\) /)
  expect(document.title).not.toContain('Cliente 3')
  await waitFor(() => expect(speaker.played).toHaveLength(1))
  await wait(20_000)
  expect(speaker.played).toHaveLength(3)
  await user.click(screen.getByRole('button', { name: 'Ho visto' }))
  await waitFor(() => expect(screen.queryByText('È arrivato un cliente')).toBeNull())
  expect(bodies(api, acknowledgeArrivals.path)).toEqual([{ prioritySessionIds: [session(3).id] }])
  expect(document.title).not.toMatch(/^\(/)
  await wait(30_000)
  expect(speaker.played).toHaveLength(3)
})

test('an arrival that is acknowledged without a connection is silent at once, and sent when it is back', async () => {
  const { api, arrive, speaker, user } = await open()
  const arrived = arrival(3)
  arrive(arrived)
  await waitFor(() => expect(speaker.played).toHaveLength(1))
  api.on(acknowledgeArrivals, () => failure('service.unavailable'))
  await user.click(screen.getByRole('button', { name: 'Ho visto' }))
  expect(screen.queryByText('È arrivato un cliente')).toBeNull()
  expect(await screen.findByText('Il suono è spento solo su questo dispositivo')).toBeDefined()
  // The board is read meanwhile, and still has the arrival.
  await wait(30_000)
  expect(speaker.played).toHaveLength(1)
  expect(screen.queryByText('È arrivato un cliente')).toBeNull()
  const sent = () => bodies(api, acknowledgeArrivals.path).length
  const before = sent()
  api.on(acknowledgeArrivals, () => ({}))
  arrive(arrived)
  await waitFor(() => expect(sent()).toBeGreaterThan(before))
  // Who is put back arrives again, and is heard.
  arrive({ ...arrived, arrivedAt: '2026-01-05T10:00:00.000Z' })
  expect(await screen.findByText('È arrivato un cliente')).toBeDefined()
})

test('what is acknowledged on another screen is silent here too', async () => {
  const { arrive, speaker } = await open()
  arrive(arrival(3))
  await waitFor(() => expect(speaker.played).toHaveLength(1))
  arrive(session(3))
  await waitFor(() => expect(screen.queryByText('È arrivato un cliente')).toBeNull())
  await wait(30_000)
  expect(speaker.played).toHaveLength(1)
})

test('Visualizza takes note and leads to the customer, who is new for five seconds', async () => {
  const { api, arrive, user } = await open('/orders/day')
  arrive(arrival(3))
  await screen.findByText('È arrivato un cliente')
  const bar = screen.getByText('È arrivato un cliente').closest('[role=status]')
  if (!(bar instanceof HTMLElement)) throw new Error('There is no bar')
  await user.click(within(bar).getByRole('button', { name: /Visualizza$/ }))
  const heading = await screen.findByRole('heading', { name: 'Cliente 3' })
  expect(location.pathname).toBe('/priority')
  expect(bodies(api, acknowledgeArrivals.path)).toEqual([{ prioritySessionIds: [session(3).id] }])
  await waitFor(() => expect(document.activeElement).toBe(heading.closest('li')))
  expect(screen.getByText('NUOVO')).toBeDefined()
  await wait(6_000)
  expect(screen.queryByText('NUOVO')).toBeNull()
})

test('each arrival is announced once, also after a reload; a customer who comes back has arrived again', async () => {
  const arrived = arrival(3)
  const first = await open()
  first.arrive(arrived)
  await screen.findByText('Nuovo cliente arrivato!')
  first.unmount()
  const again = await open('/', boardOf({ waiting: [arrived] }))
  await screen.findByText('È arrivato un cliente')
  await wait(500)
  expect(screen.queryByText('Nuovo cliente arrivato!')).toBeNull()
  again.arrive({ ...arrived, arrivedAt: '2026-01-05T10:00:00.000Z', timesNotPresent: 1 })
  expect(await screen.findByText('Nuovo cliente arrivato!')).toBeDefined()
})

test('a hidden page raises a notification without a name', async () => {
  const { raised } = fakeNotifications('granted')
  vi.spyOn(window, 'focus').mockReturnValue()
  const { arrive } = await open()
  lookAway(true)
  arrive(arrival(3))
  await waitFor(() => expect(raised).toHaveLength(1))
  expect(raised[0]).toMatchObject({
    title: 'Nuovo cliente arrivato!',
    options: { body: '1 cliente in attesa', tag: 'arrivals' },
  })
  // Not within `act`, which the loading of the page would outlast.
  await waitFor(() => {
    raised[0]?.click()
    expect(location.pathname).toBe('/priority')
  })
  expect(await screen.findByRole('heading', { name: 'Gestione Accesso Prioritario' })).toBeDefined()
})

test('a blocked sound is said before the first arrival, and then the title flashes', async () => {
  const audio = fakeAudioContext()
  const { arrive, speaker, user } = await open()
  speaker.allowed = false
  await wait(1_000)
  // In the header, of which all else keeps clear, as the arrival below.
  const header = within(screen.getByRole('banner'))
  const enable = await header.findByRole('button', { name: 'Attiva suoni' })
  arrive(arrival(3))
  await header.findByText('È arrivato un cliente')
  await waitFor(() => expect(document.title).toBe('Cliente in attesa!'))
  await wait(1_000)
  expect(document.title).toMatch(/^\(1\) /)
  speaker.allowed = true
  audio.allowed = true
  await user.click(enable)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Attiva suoni' })).toBeNull())
  expect(speaker.played.length).toBeGreaterThan(0)
  await wait(3_000)
  expect(document.title).toMatch(/^\(1\) /)
})

test('an open page says every twenty seconds that it is there, and at which desk', async () => {
  localStorage.setItem('bancone-desk', 'Banco 1')
  const { api } = await open()
  const said = () => bodies(api, recordCounterPresence.path)
  await waitFor(() => expect(said()).toHaveLength(1))
  expect(said()[0]).toEqual({ deviceId: localStorage.getItem('bancone-device'), desk: 'Banco 1' })
  await wait(41_000)
  expect(said()).toHaveLength(3)
})

test('without realtime events arrivals are found within ten seconds', async () => {
  const { held, lines } = await open()
  lines.emit(({ disconnected }) => disconnected())
  // What the connection had caused to be read.
  await wait(2_000)
  held.board = boardOf({ waiting: [arrival(3)] })
  await wait(11_000)
  expect(await screen.findByText('È arrivato un cliente')).toBeDefined()
})
