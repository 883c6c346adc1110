import { act, render, screen } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { FakeChannels, setVisibility } from '../../test/fake-channel.ts'
import { OpenChannelContext, useRealtime } from './realtime.ts'

let lines: FakeChannels
let heard: string[]

beforeEach(() => {
  lines = new FakeChannels()
  heard = []
})

function Follower({ topic }: { topic: string | null }) {
  const state = useRealtime(topic, {
    subscribed: () => heard.push('joined'),
    recheckAccess: () => heard.push('doubted'),
    broadcast: (event, payload) => heard.push(`${event} ${JSON.stringify(payload)}`),
  })
  return <p data-testid="state">{state}</p>
}

const follower = (topic: string | null) => (
  <OpenChannelContext value={lines.openChannel}>
    <Follower topic={topic} />
  </OpenChannelContext>
)

const state = () => screen.getByTestId('state').textContent
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

function follow() {
  vi.useFakeTimers()
  return render(follower('pharmacy:1'))
}

test.each([
  ['is not there at first', false],
  ['breaks', true],
])('a line that %s and does not come in 30 seconds is off, until it comes', async (_case, once) => {
  follow()
  if (once) {
    lines.emit(({ subscribed }) => subscribed())
    await pass(60_000)
    lines.emit(({ disconnected }) => disconnected())
  }
  await pass(29_000)
  expect(state()).toBe(once ? 'reconnecting' : 'connecting')
  await pass(2_000)
  expect(state()).toBe('off')
  lines.emit(({ disconnected }) => disconnected())
  expect(state()).toBe('off')
  lines.emit(({ subscribed }) => subscribed())
  expect(state()).toBe('live')
})

test('one that breaks again and again has 30 seconds each time', async () => {
  follow()
  lines.emit(({ subscribed }) => subscribed())
  for (let time = 0; time < 3; time += 1) {
    lines.emit(({ disconnected }) => disconnected())
    await pass(20_000)
    expect(state()).toBe('reconnecting')
    lines.emit(({ subscribed }) => subscribed())
  }
  await pass(60_000)
  expect(state()).toBe('live')
})

test('a refusal is off at once, and makes doubt who is here; once', () => {
  follow()
  lines.emit(({ denied }) => denied())
  lines.emit(({ denied }) => denied())
  expect(state()).toBe('off')
  expect(heard).toEqual(['doubted'])
})

test('a topic that the server closes makes doubt, too', () => {
  follow()
  lines.emit(({ subscribed }) => subscribed())
  lines.emit(({ closed }) => closed())
  expect(state()).toBe('reconnecting')
  expect(heard).toEqual(['joined', 'doubted'])
})

test('a network that goes or comes renews the line', () => {
  follow()
  window.dispatchEvent(new Event('offline'))
  window.dispatchEvent(new Event('online'))
  expect(lines.last.renewals).toBe(2)
})

test('a page that is looked at again checks its line', () => {
  onTestFinished(() => setVisibility('visible'))
  follow()
  setVisibility('hidden')
  expect(lines.last.checks).toBe(0)
  setVisibility('visible')
  expect(lines.last.checks).toBe(1)
})

test('a hidden page repairs its connection by itself', async () => {
  onTestFinished(() => setVisibility('visible'))
  follow()
  await pass(16_000)
  expect(lines.last.checks).toBe(0)
  setVisibility('hidden')
  await pass(30_000)
  expect(lines.last.checks).toBe(2)
  lines.emit(({ subscribed }) => subscribed())
  await pass(60_000)
  expect(lines.last.checks).toBe(2)
})

test('another topic is another line, and without one there is none', () => {
  const { rerender, unmount } = follow()
  rerender(follower('pharmacy:2'))
  expect(lines.opened.map(({ topic, open }) => [topic, open])).toEqual([
    ['pharmacy:1', false],
    ['pharmacy:2', true],
  ])
  unmount()
  expect(lines.last.open).toBe(false)
  render(follower(null))
  expect(lines.opened).toHaveLength(2)
})
