import { act } from '@testing-library/react'
import type { ChannelEvents, OpenChannel } from '../src/lib/channel.ts'

type OpenedChannel = {
  topic: string
  events: ChannelEvents
  checks: number
  renewals: number
  open: boolean
}

/** Realtime channels whose server side is played by the test. */
export class FakeChannels {
  readonly opened: OpenedChannel[] = []

  readonly openChannel: OpenChannel = (topic, events) => {
    const line: OpenedChannel = { topic, events, checks: 0, renewals: 0, open: true }
    this.opened.push(line)
    return {
      ensureConnected: () => (line.checks += 1),
      reconnect: () => (line.renewals += 1),
      close: () => (line.open = false),
    }
  }

  /** The channel that was opened last. */
  get last(): OpenedChannel {
    const line = this.opened.at(-1)
    if (!line) throw new Error('No line was opened')
    return line
  }

  /** Fires events of the last channel inside `act`. */
  emit(what: (events: ChannelEvents) => void) {
    act(() => what(this.last.events))
  }
}

/** Sets `document.visibilityState` and fires its event. */
export function setVisibility(state: DocumentVisibilityState) {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => state === 'hidden' })
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}
