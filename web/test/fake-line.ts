import { act } from '@testing-library/react'
import type { Connect, LineEvents } from '../src/lib/line.ts'

type Opened = { topic: string; events: LineEvents; checks: number; renewals: number; open: boolean }

/** Lines to a server that the test plays. */
export class FakeLines {
  readonly opened: Opened[] = []

  readonly connect: Connect = (topic, events) => {
    const line: Opened = { topic, events, checks: 0, renewals: 0, open: true }
    this.opened.push(line)
    return {
      check: () => (line.checks += 1),
      renew: () => (line.renewals += 1),
      close: () => (line.open = false),
    }
  }

  /** The line that was opened last. */
  get last(): Opened {
    const line = this.opened.at(-1)
    if (!line) throw new Error('No line was opened')
    return line
  }

  /** Something happens on it, and the page takes it in. */
  happens(what: (events: LineEvents) => void) {
    act(() => what(this.last.events))
  }
}

/** What the page is told when it becomes visible, or is not any more. */
export function setVisibility(state: DocumentVisibilityState) {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => state === 'hidden' })
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}
