import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { z } from 'zod'
import type { Bench } from './bench.ts'
import { quantile } from './load.ts'
import { newAddress, signInTo } from './server-process.ts'

const SCREENS = 1_000
/** So many pharmacies, that every event reaches a tenth of the screens. */
const PHARMACIES = 10
const GOAL_MS = 250
const EVENTS = 10_000
const EVENTS_GOAL = 1_000
/** Orders a second while times are taken, and writers at once while events are counted. */
const PER_SECOND = 20
const SECONDS = 6
const WRITERS = 8
const PATIENCE_MS = 20_000
/** More than the moment within which orders are one event. */
const SETTLED_MS = 500

/** How soon a new order is on the screens, and whether it is on all of them: two processes, one database. */
export async function benchRealtime(bench: Bench): Promise<void> {
  // Both are behind one address, which their tokens name.
  const env = { PUBLIC_URL: 'http://bancone.example.it' }
  const servers = [await bench.serve(env), await bench.serve(env)]
  // Those whose orders are ours, so that nothing but the inserts changes them.
  const pharmacies = bench.database.own.slice(0, PHARMACIES)
  /** When the newest order of each pharmacy was begun, and each screen was last told of orders. */
  const begun: number[] = []
  const told: number[] = []
  const times: number[] = []
  let due = 0
  const screens: WebSocket[] = []
  const pharmacyOf = (screen: number) => screen % PHARMACIES
  const onOrders = (screen: number) => {
    told[screen] = performance.now()
    times.push(performance.now() - (begun[pharmacyOf(screen)] ?? 0))
  }
  /** The screens that have not been told since the newest order of their pharmacy was begun. */
  const untold = () => screens.filter((_, n) => (told[n] ?? 0) < (begun[pharmacyOf(n)] ?? 0)).length

  async function insert(n: number): Promise<void> {
    const id = `recL${String(n).padStart(13, '0')}`
    due += SCREENS / PHARMACIES
    begun[n % PHARMACIES] = performance.now()
    await bench.pool.query(
      `insert into pharmacy_orders (pharmacy_id, airtable_order_id, order_number, status,
         airtable_created, airtable_last) values ($1, $2, $3, 'In attesa', now(), now())`,
      [pharmacies[n % PHARMACIES]?.id, id, String(n)],
    )
  }

  /** Until all have arrived, or there is no hope. @returns how many have not, or too often */
  async function missing(): Promise<number> {
    for (let waited = 0; times.length < due && waited < PATIENCE_MS; waited += 50) await pause(50)
    return Math.abs(due - times.length)
  }

  try {
    const tokens: (string | undefined)[] = []
    for (const { email } of pharmacies) {
      const { authorization } = await signInTo(servers[0]?.url ?? '', email)
      tokens.push(authorization?.slice('Bearer '.length))
    }
    for (let n = 0; n < SCREENS; n += 1) {
      const at = pharmacyOf(n)
      const server = servers[Math.floor(n / PHARMACIES) % 2]?.url ?? ''
      const topic = `pharmacy:${pharmacies[at]?.id}`
      screens.push(await openScreen(server, topic, tokens[at], () => onOrders(n)))
    }
    for (let n = 0; n < PER_SECOND * SECONDS; n += 1) {
      const next = pause(1_000 / PER_SECOND)
      await insert(n)
      await next
    }
    const late = await missing()
    const p99 = quantile(times, 0.99)
    if (late > 0 || p99 >= GOAL_MS) bench.missed.push(`orders on ${SCREENS} screens`)
    bench.say(
      `From insert to screen, ${SCREENS} open on two processes: median ${quantile(times, 0.5).toFixed(1)} ms, ` +
        `p99 ${p99.toFixed(1)} ms (goal: p99 below ${GOAL_MS}), ${late} lost`,
    )

    const start = performance.now()
    let next = PER_SECOND * SECONDS
    const end = next + EVENTS
    await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        while (next < end) await insert(next++)
      }),
    )
    // Orders of a pharmacy within a moment are one event, whose end tells of the last one.
    await pause(SETTLED_MS)
    for (let waited = 0; untold() > 0 && waited < PATIENCE_MS; waited += 50) await pause(50)
    const lost = untold()
    const perSecond = EVENTS / ((Math.max(...told) - start) / 1_000)
    if (lost > 0 || perSecond < EVENTS_GOAL) bench.missed.push('events on all screens')
    bench.say(
      `${EVENTS} orders of ${WRITERS} writers, told on ${SCREENS} screens: ${perSecond.toFixed(0)}/s, ` +
        `${lost} screens not told of the last (goal: at least ${EVENTS_GOAL}/s, none)`,
    )
  } finally {
    for (const screen of screens) screen.terminate()
  }
}

const Broadcast = z.tuple([
  z.null(),
  z.null(),
  z.string(),
  z.literal('broadcast'),
  z.object({ event: z.literal('orders') }),
])

/**
 * A dashboard that is open, as far as the server can tell: a socket that has joined the pharmacy's topic.
 * @param onOrders is called for each event
 */
async function openScreen(
  server: string,
  topic: string,
  token: string | undefined,
  onOrders: () => void,
): Promise<WebSocket> {
  const url = `${server.replace('http', 'ws')}/realtime/v1/websocket?apikey=bancone&vsn=2.0.0`
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    headers: { 'x-forwarded-for': newAddress() },
  })
  await once(socket, 'open')
  const joined: Promise<unknown[]> = once(socket, 'message')
  const config = { private: true, presence: { enabled: false } }
  const join = ['1', '1', `realtime:${topic}`, 'phx_join', { config, access_token: token }]
  socket.send(JSON.stringify(join))
  const [answer] = await joined
  if (!String(answer).includes('"status":"ok"')) throw new Error(`not joined: ${String(answer)}`)
  socket.on('message', (data: Buffer) => {
    Broadcast.parse(JSON.parse(data.toString()))
    onOrders()
  })
  return socket
}
