import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { capturesKeys, guardAgainstScanners, runAlone } from './keys.ts'
import { onScan } from './scans.ts'

let started = 0

/** A page with a shortcut for every character, and what became of the keys. */
function page(html = '<button>Annullato</button>') {
  // Each test begins later than the keys of the one before.
  vi.useFakeTimers({ now: Date.now() + (started += 60_000) })
  document.body.innerHTML = html
  guardAgainstScanners()
  const done: string[] = []
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Shift' || capturesKeys(event.target)) return
    runAlone(event, () => done.push(event.key))
  }
  document.addEventListener('keydown', onKey)
  onTestFinished(() => {
    document.removeEventListener('keydown', onKey)
    // Other files use the same document.
    document.body.replaceChildren()
  })
  const focused = document.querySelector<HTMLElement>('body *') ?? document.body
  /** @returns whether the browser would do its own with the key */
  function press(key: string, milliseconds = 0, held: KeyboardEventInit = {}) {
    vi.advanceTimersByTime(milliseconds)
    const init = { key, bubbles: true, cancelable: true, ...held }
    return focused.dispatchEvent(new KeyboardEvent('keydown', init))
  }
  return { done, press, later: () => vi.advanceTimersByTime(1_000) }
}

beforeEach(() => document.body.replaceChildren())

test.each([
  ['a code of a pack', '8032853240234', 15],
  ['a code of a slow scanner', '8032853240234', 49],
  ['a codice fiscale', 'RSSMRA80A01H501U', 15],
  ['two digits', '12', 20],
])('%s is no shortcut, and its Enter presses nothing', (_, code, milliseconds) => {
  const { done, press, later } = page()
  for (const key of code) press(key, milliseconds)
  expect(press('Enter', milliseconds)).toBe(false)
  later()
  expect(done).toEqual([])
})

test('one character with Enter at once is a burst as well', () => {
  const { done, press, later } = page()
  press('5')
  expect(press('Enter', 20)).toBe(false)
  later()
  expect(done).toEqual([])
})

test('a computer that is busy in the middle of a code makes no key of it', () => {
  const { done, press, later } = page()
  for (const key of '80328') press(key, 10)
  press('5', 200)
  press('Enter', 200)
  later()
  expect(done).toEqual([])
})

test('Tab at the end of a code does not free the Enter behind it', () => {
  const { press } = page()
  for (const key of '80328') press(key, 10)
  press('Tab', 10)
  expect(press('Enter', 10)).toBe(false)
})

test('single keys are shortcuts, one by one, and Enter works as ever', () => {
  const { done, press, later } = page()
  press('j')
  press('Shift', 30)
  press('j', 61)
  press('2', 90)
  later()
  expect(done).toEqual(['j', 'j', '2'])
  press('Enter', 500)
  expect(done).toEqual(['j', 'j', '2', 'Enter'])
})

test('a key that is held down repeats at once', () => {
  const { done, press } = page()
  press('j')
  press('j', 500, { repeat: true })
  press('j', 30, { repeat: true })
  expect(done).toEqual(['j', 'j', 'j'])
})

test.each(['<input>', '<input type="search">', '<textarea></textarea>'])(
  'keys typed into %s are untouched',
  (html) => {
    const { press } = page(html)
    expect(Array.from('80328', (key) => press(key, 10))).toEqual([true, true, true, true, true])
    expect(press('Enter', 10)).toBe(true)
  },
)

test('a letter does not change a closed select: it opens the list, and a code does not', () => {
  const { press, later } = page('<select><option>In attesa</option></select>')
  const opened = vi.fn<() => void>()
  Object.assign(document.querySelector('select') ?? {}, { showPicker: opened })
  for (const key of 'A023') expect(press(key, 10)).toBe(false)
  later()
  expect(opened).not.toHaveBeenCalled()
  press('a')
  later()
  expect(opened).toHaveBeenCalledOnce()
})

test.each([
  ['is told to the one that listens next', 2_000, ['8032853240234']],
  ['is forgotten after 3 seconds', 3_000, []],
])('a scan to which nothing listens %s', (_, milliseconds, expected) => {
  const { press } = page()
  for (const key of '8032853240234') press(key, 15)
  press('Enter', 15)
  vi.advanceTimersByTime(milliseconds)
  const told: string[] = []
  onTestFinished(onScan((code) => told.push(code)))
  onScan((code) => told.push(`again ${code}`))()
  expect(told).toEqual(expected)
})
