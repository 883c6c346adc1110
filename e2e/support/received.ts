import type { BrowserContext, Response } from 'playwright-core'

type Received = { from: string; bytes: Buffer }

export type ReceivedBytes = {
  /** From now on keeps what the pages of that window receive. */
  follow(context: BrowserContext): void
  /** How many responses of the server's interfaces were read whole. */
  replies(): Promise<number>
  /**
   * Which of the secrets occurs, as it is or as JSON writes it, and in what.
   * @param secrets by what they are
   */
  find(secrets: Record<string, string[]>): Promise<string[]>
}

/** Collects the bodies of all responses and the messages of all sockets that browsers receive. */
export function collectReceived(): ReceivedBytes {
  const received: Received[] = []
  const reading: Promise<void>[] = []

  async function read(response: Response): Promise<void> {
    const from = `${response.request().method()} ${new URL(response.url()).pathname}`
    // A page that was left has no body any more.
    const bytes = await response.body().catch(() => undefined)
    if (bytes) received.push({ from, bytes })
  }

  async function all(): Promise<Received[]> {
    await Promise.all(reading)
    return received
  }

  return {
    follow(context) {
      context.on('response', (response) => reading.push(read(response)))
      context.on('page', (page) =>
        page.on('websocket', (socket) =>
          socket.on('framereceived', ({ payload }) =>
            received.push({ from: 'a socket', bytes: Buffer.from(payload) }),
          ),
        ),
      )
    },
    async replies() {
      return (await all()).filter(({ from }) => / \/(api|auth)\//.test(from)).length
    },
    async find(secrets) {
      const found = (await all()).flatMap(({ from, bytes }) =>
        Object.entries(secrets).flatMap(([what, values]) =>
          values.some((value) => bytes.includes(value) || bytes.includes(inJson(value)))
            ? [`${what} in ${from}`]
            : [],
        ),
      )
      return [...new Set(found)].toSorted()
    },
  }
}

const inJson = (value: string) => JSON.stringify(value).slice(1, -1)
