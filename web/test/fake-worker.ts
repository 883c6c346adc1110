import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** A worker whose messages are sent by the test. */
export class FakeWorker extends EventTarget {
  static started: FakeWorker[] = []
  readonly posted: unknown[] = []
  readonly script: string
  terminated = false

  constructor(script: string) {
    super()
    this.script = script
    FakeWorker.started.push(this)
  }

  static install() {
    FakeWorker.started = []
    vi.stubGlobal('Worker', FakeWorker)
  }

  postMessage(message: unknown) {
    this.posted.push(message)
  }

  terminate() {
    this.terminated = true
  }

  say(message: object) {
    act(() => void this.dispatchEvent(new MessageEvent('message', { data: message })))
  }
}
