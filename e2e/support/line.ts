import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { App } from './app.ts'

export type Line = {
  /** The address of that server at the other end. */
  url: string
  /** From now on nothing gets through, of what is open neither. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** A connection to the server that can be cut: a browser that is offline keeps the streams it has. */
export async function openLine(app: App): Promise<Line> {
  const sockets = new Set<Socket>()
  let isCut = false
  const relay = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(Number(new URL(app.url).port), '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const address = relay.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut() {
      isCut = true
      end()
    },
    mend() {
      isCut = false
    },
    async close() {
      relay.close()
      end()
      await once(relay, 'close')
    },
  }
}
