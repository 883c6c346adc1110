import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createSeenOffers } from './page-tracker.ts'

let told: string[][]
let offers: ReturnType<typeof createSeenOffers>
let observer: Observer

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'IntersectionObserver',
    vi.fn(function make(tell: Tell) {
      observer = new Observer(tell)
      return observer
    }),
  )
  hide(false)
  told = []
  offers = createSeenOffers((ids) => told.push(ids))
})

type Tell = (entries: { target: Element; isIntersecting: boolean }[]) => void

class Observer {
  watched = new Set<Element>()
  tell: Tell
  constructor(tell: Tell) {
    this.tell = tell
  }
  observe(element: Element) {
    this.watched.add(element)
  }
  unobserve(element: Element) {
    this.watched.delete(element)
  }
}

/** On the screen, or not. */
function show(target: Element, isIntersecting: boolean) {
  if (observer.watched.has(target)) observer.tell([{ target, isIntersecting }])
}

function hide(hidden: boolean) {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
  document.dispatchEvent(new Event('visibilitychange'))
}

function card(id: string): Element {
  const element = document.createElement('li')
  element.dataset['offer'] = id
  offers.watch(element)
  return element
}

test('an offer is seen after a second on the screen, and told ten seconds later', () => {
  const [one, other] = [card('one'), card('other')]
  show(one, true)
  show(other, true)
  vi.advanceTimersByTime(999)
  show(other, false)
  vi.advanceTimersByTime(10_000)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual([['one']])
})

test('an offer is seen once, and told at once when the page is left', () => {
  show(card('one'), true)
  vi.advanceTimersByTime(1_000)
  hide(true)
  expect(told).toEqual([['one']])
  hide(false)
  show(card('one'), true)
  vi.advanceTimersByTime(20_000)
  expect(told).toEqual([['one']])
})

test('an offer is not seen behind a dialog, nor in the background', () => {
  const dialog = document.body.appendChild(document.createElement('dialog'))
  onTestFinished(() => dialog.remove())
  dialog.setAttribute('open', '')
  show(card('one'), true)
  vi.advanceTimersByTime(20_000)
  dialog.removeAttribute('open')
  hide(true)
  vi.advanceTimersByTime(20_000)
  hide(false)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1_000)
  window.dispatchEvent(new Event('pagehide'))
  expect(told).toEqual([['one']])
})

test('an offer that is not on the page any more is not seen', () => {
  const element = document.createElement('li')
  element.dataset['offer'] = 'one'
  const stop = offers.watch(element)
  show(element, true)
  stop()
  vi.advanceTimersByTime(20_000)
  expect(told).toEqual([])
})

test('offers are told in portions', () => {
  for (let n = 0; n < 101; n += 1) show(card(`offer ${n}`), true)
  vi.advanceTimersByTime(11_000)
  expect(told.map((ids) => ids.length)).toEqual([100, 1])
})
