import { onTestFinished, vi } from 'vitest'
import { z } from 'zod/mini'

const Frame = z.tuple([
  z.nullable(z.string()),
  z.nullable(z.string()),
  z.string(),
  z.string(),
  z.record(z.string(), z.unknown()),
])

/** A WebSocket whose server side is played by the test, with frames of the Realtime protocol 2.0.0. */
export class FakeSocket {
  static opened: FakeSocket[] = []
  /** The browser forbids WebSockets. */
  static forbidden = false
  readonly url: string
  readyState = 0
  bufferedAmount = 0
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: Event) => void) | null = null
  onerror: (() => void) | null = null
  /** The frames that the client has sent. */
  readonly sent: { topic: string; event: string; payload: Record<string, unknown> }[] = []
  #joined: { topic: string; ref: string | null } | null = null
  /** The reply to a join. */
  answer: Record<string, unknown> = { status: 'ok', response: {} }

  constructor(url: string | URL) {
    this.url = String(url)
    FakeSocket.opened.push(this)
    if (FakeSocket.forbidden) throw new DOMException('It is insecure', 'SecurityError')
  }

  static install() {
    FakeSocket.opened = []
    FakeSocket.forbidden = false
    vi.stubGlobal('WebSocket', FakeSocket)
    onTestFinished(() => void vi.unstubAllGlobals())
  }

  static get last(): FakeSocket {
    const socket = FakeSocket.opened.at(-1)
    if (!socket) throw new Error('No socket was opened')
    return socket
  }

  send(data: unknown) {
    if (typeof data !== 'string') throw new Error('The client has nothing to broadcast')
    const [joinRef, ref, topic, event, payload] = Frame.parse(JSON.parse(data))
    this.sent.push({ topic, event, payload })
    if (event === 'phx_join') {
      this.#joined = { topic, ref: joinRef }
      this.#reply(joinRef, ref, topic, this.answer)
    } else if (event === 'heartbeat' && this.readyState === 1) {
      this.#reply(null, ref, topic, { status: 'ok', response: {} })
    }
  }

  close() {
    if (this.readyState === 3) return
    this.readyState = 3
    this.onclose?.(new Event('close'))
  }

  /** The server accepts the connection. */
  accept(answer = this.answer) {
    this.answer = answer
    this.readyState = 1
    this.onopen?.()
  }

  broadcast(event: string, payload: unknown) {
    this.#tell('broadcast', { type: 'broadcast', event, payload })
  }

  /** The server closes the topic. */
  endTopic() {
    this.#tell('phx_close', {})
  }

  #tell(event: string, payload: unknown) {
    if (!this.#joined) throw new Error('No topic was joined')
    this.#give(this.#joined.ref, null, this.#joined.topic, event, payload)
  }

  /** In a microtask: not before the client has finished sending. */
  #reply(joinRef: string | null, ref: string | null, topic: string, answer: unknown) {
    queueMicrotask(() => this.#give(joinRef, ref, topic, 'phx_reply', answer))
  }

  #give(...frame: unknown[]) {
    this.onmessage?.({ data: JSON.stringify(frame) })
  }
}
