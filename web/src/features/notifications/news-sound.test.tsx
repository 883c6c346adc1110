import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { fakeLocks, fakeSound } from '../../../test/fake-sound.ts'
import { NewsSound } from './pharmacy-alerts.tsx'

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

/** A page with that many unseen orders. */
async function open(unseen: number, wanted: string | null = 'true') {
  if (wanted !== null) localStorage.setItem('orderSound', wanted)
  const speaker = fakeSound()
  const { rerender, unmount } = render(<NewsSound unseen={unseen} arrivals={null} />)
  await wait(0)
  const see = async (count: number) => {
    rerender(<NewsSound unseen={count} arrivals={null} />)
    await wait(0)
  }
  return { speaker, see, unmount }
}

beforeEach(() => {
  vi.useFakeTimers()
})

test('new orders are heard at once and every ten seconds, until they are seen', async () => {
  const { speaker, see } = await open(0)
  expect(speaker.played).toEqual([])
  await see(1)
  expect(speaker.played).toEqual(['/sounds/notification.mp3'])
  await wait(9_900)
  expect(speaker.played).toHaveLength(1)
  await wait(20_200)
  expect(speaker.played).toHaveLength(4)
  await see(0)
  await wait(60_000)
  expect(speaker.played).toHaveLength(4)
})

test('a further order is heard at once, one less is not', async () => {
  const { speaker, see } = await open(1)
  await wait(4_000)
  await see(2)
  expect(speaker.played).toHaveLength(2)
  await see(1)
  expect(speaker.played).toHaveLength(2)
  await wait(9_900)
  expect(speaker.played).toHaveLength(2)
  await wait(200)
  expect(speaker.played).toHaveLength(3)
})

test.each([null, 'false'])('without the wish for it (%s) nothing is heard', async (wanted) => {
  const { speaker, see } = await open(1, wanted)
  await see(3)
  await wait(30_000)
  expect(speaker.played).toEqual([])
})

test('a page that is left is silent', async () => {
  const { speaker, unmount } = await open(1)
  unmount()
  await wait(60_000)
  expect(speaker.played).toHaveLength(1)
})

test('one tab of the browser rings; the next takes over when that one goes', async () => {
  const tabs = fakeLocks()
  const other = tabs.taken()
  const { speaker } = await open(1)
  await wait(30_000)
  expect(speaker.played).toEqual([])
  other.release()
  await wait(0)
  expect(speaker.played).toHaveLength(1)
})

test('orders seen while another tab was ringing are not heard here later', async () => {
  const tabs = fakeLocks()
  const other = tabs.taken()
  const { speaker, see } = await open(1)
  await see(0)
  other.release()
  await wait(30_000)
  expect(speaker.played).toEqual([])
})

test('kept silent by the browser it asks for a touch, and then rings', async () => {
  const { speaker, see } = await open(0)
  speaker.allowed = false
  await see(1)
  const prompt = screen.getByRole('button', { name: 'Tocca per attivare il suono' })
  await wait(30_000)
  expect(speaker.played).toEqual([])
  speaker.allowed = true
  fireEvent.click(prompt)
  await wait(0)
  expect(screen.queryByRole('button')).toBeNull()
  const heard = speaker.played.length
  expect(heard).toBeGreaterThan(0)
  await wait(10_000)
  expect(speaker.played).toHaveLength(heard + 1)
})

test('any touch of the page will do; and the tabs that may be heard do not wait for it', async () => {
  const tabs = fakeLocks()
  const { speaker, see } = await open(0)
  speaker.allowed = false
  await see(1)
  const other = tabs.taken()
  await wait(0)
  speaker.allowed = true
  fireEvent.keyDown(document.body, { key: 'a' })
  await wait(0)
  expect(screen.queryByRole('button')).toBeNull()
  // The touch itself is answered; then it is the other tab that rings.
  expect(speaker.played).toHaveLength(1)
  await wait(30_000)
  expect(speaker.played).toHaveLength(1)
  other.release()
  await wait(0)
  expect(speaker.played).toHaveLength(2)
})

test('the prompt goes when the orders have been seen elsewhere', async () => {
  const { speaker, see } = await open(0)
  speaker.allowed = false
  await see(1)
  await see(0)
  expect(screen.queryByRole('button')).toBeNull()
})
