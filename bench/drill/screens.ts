import { once, setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { call, type Pharmacy } from './people.ts'

export type Screens = {
  /** Milliseconds since 1970 of the moment when all screens of the pharmacies had shown those customers. */
  allShow(customers: Map<Pharmacy, string>): Promise<number>
  close(): void
}

type Screen = { pharmacy: Pharmacy; shown: Map<string, number> }

const SCREENS_EACH = 5

/** As the page joins again, and as it reads again what it could not read. */
const JOIN_PAUSES_MS = [1_000, 2_000, 5_000, 10_000]
const READ_PAUSES_MS = [500, 1_000, 2_000, 4_000]

const Page = z.object({ records: z.array(z.object({ fields: z.object({ Cliente: z.string() }) })) })
const Told = z.tuple([z.unknown(), z.unknown(), z.string(), z.string(), z.unknown()])

/**
 * Open pages of orders, without their browser: a socket that has joined the pharmacy's topic, and the first page, which is
 * read when the socket has joined and when it is told of orders. Nothing else makes them read.
 */
export async function openScreens(fronts: string[], pharmacies: Pharmacy[]): Promise<Screens> {
  const closing = new AbortController()
  // Every screen listens to it.
  setMaxListeners(0, closing.signal)
  const sockets = new Set<WebSocket>()
  const screens: Screen[] = []

  function createReader({ pharmacy, shown }: Screen, front: string) {
    let wanted = 0
    let isReading = false
    return async () => {
      wanted += 1
      if (isReading) return
      isReading = true
      for (let read = 0, failures = 0; read < wanted && !closing.signal.aborted; ) {
        const reading = wanted
        const { headers } = pharmacy
        const reply = await call(front, '/api/airtable-orders?page=1', { headers }).catch(
          () => null,
        )
        const page = Page.safeParse(reply?.body)
        if (page.success) {
          for (const { fields } of page.data.records) {
            if (!shown.has(fields.Cliente)) shown.set(fields.Cliente, Date.now())
          }
          read = reading
        } else {
          await pause(READ_PAUSES_MS[failures] ?? READ_PAUSES_MS.at(-1))
          failures += 1
        }
      }
      isReading = false
    }
  }

  async function follow(screen: Screen, front: string, joined: () => void): Promise<void> {
    const read = createReader(screen, front)
    for (let failures = 0; !closing.signal.aborted; failures += 1) {
      const socket = new WebSocket(
        `${front.replace('http', 'ws')}/realtime/v1/websocket?apikey=bancone&vsn=2.0.0`,
        { perMessageDeflate: false, handshakeTimeout: 10_000 },
      )
      sockets.add(socket)
      const gone = once(socket, 'close')
      socket.on('error', () => {})
      socket.on('open', () => {
        const config = { private: true, presence: { enabled: false } }
        const token = screen.pharmacy.headers['authorization']?.slice('Bearer '.length)
        const topic = `realtime:pharmacy:${screen.pharmacy.id}`
        socket.send(JSON.stringify(['1', '1', topic, 'phx_join', { config, access_token: token }]))
      })
      let unanswered = 0
      const heartbeat = setInterval(() => {
        // A socket that answers no heartbeat is dead.
        if (unanswered > 0) socket.terminate()
        unanswered += 1
        if (socket.readyState === WebSocket.OPEN) {
          socket.send(JSON.stringify([null, '9', 'phoenix', 'heartbeat', {}]))
        }
      }, 30_000)
      socket.on('message', (data: Buffer) => {
        const [, ref, topic, event, payload] = Told.parse(JSON.parse(data.toString()))
        unanswered = 0
        if (topic === 'phoenix') return
        if (event === 'phx_reply' && ref === '1') {
          if (!JSON.stringify(payload).includes('"status":"ok"')) return socket.terminate()
          failures = 0
          joined()
          void read()
        } else if (event === 'broadcast') void read()
        else if (event === 'phx_close' || event === 'phx_error') socket.terminate()
      })
      await gone
      clearInterval(heartbeat)
      sockets.delete(socket)
      await pause(JOIN_PAUSES_MS[failures] ?? JOIN_PAUSES_MS.at(-1), undefined, {
        signal: closing.signal,
      }).catch(() => {})
    }
  }

  const allJoined: Promise<void>[] = []
  for (const pharmacy of pharmacies) {
    for (let n = 0; n < SCREENS_EACH; n += 1) {
      const screen: Screen = { pharmacy, shown: new Map() }
      screens.push(screen)
      const front = fronts[n % fronts.length] ?? ''
      allJoined.push(
        new Promise((resolve) => {
          void follow(screen, front, resolve)
        }),
      )
    }
  }
  await Promise.all(allJoined)

  return {
    async allShow(customers) {
      for (;;) {
        const times = screens.map(({ pharmacy, shown }) => shown.get(customers.get(pharmacy) ?? ''))
        const known = times.filter((time) => time !== undefined)
        if (known.length === screens.length) return Math.max(...known)
        await pause(50, undefined, { signal: closing.signal })
      }
    },
    close() {
      closing.abort()
      for (const socket of sockets) socket.terminate()
    },
  }
}
