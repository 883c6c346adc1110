import { z } from 'zod'
import { pharmacySession } from '../../lib/session.ts'

const SCRIPT = '/orderCheckWorker.js'
const API_URL = '/api/airtable-orders'
const INTERVAL_MS = 60_000

/** What it posts; the script itself explains it. */
const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ORDERS_FETCHED'), pharmacyId: z.string(), data: z.unknown() }),
  z.object({ type: z.literal('TOKEN_NEEDED'), pharmacyId: z.string() }),
  z.object({ type: z.literal('FETCH_FAILED'), pharmacyId: z.string(), status: z.number() }),
])

export type OrderWorkerOptions = {
  pharmacyId: string
  /** The first page of all orders as the server gave it: whoever takes it parses it. */
  onOrders: (answer: unknown) => void
  /** The status of the server's answer; 0 when there was none. */
  onFailure: (status: number) => void
  /** It does not run: its script could not be loaded or broke. */
  onBroken: () => void
}

/**
 * Looks for orders every minute, outside the page, whose timers sleep while nobody looks at it.
 *
 * @returns what stops it
 * @throws where the browser starts no workers
 */
export function startOrderWorker(options: OrderWorkerOptions): () => void {
  const { pharmacyId, onOrders, onFailure, onBroken } = options
  const worker = new Worker(SCRIPT)
  let stopped = false
  let given = ''

  function tell(message: Record<string, unknown>) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
    worker.postMessage(message)
  }

  function give(token: string | null) {
    if (stopped || token === null || token === given) return
    given = token
    tell({ type: 'token', token })
  }

  async function begin() {
    // One that cannot be renewed just now is refused, and then the worker asks for another.
    const token = await pharmacySession.accessToken().catch(() => null)
    if (stopped) return
    given = token ?? pharmacySession.current()?.accessToken ?? ''
    tell({ apiUrl: API_URL, pharmacyId, token: given, interval: INTERVAL_MS })
  }

  worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const parsed = Message.safeParse(data)
    if (!parsed.success || parsed.data.pharmacyId !== pharmacyId) return
    const message = parsed.data
    switch (message.type) {
      case 'ORDERS_FETCHED':
        onOrders(message.data)
        // Renewed in time for the next look, so that none is wasted on a token that has expired.
        return void pharmacySession.accessToken().then(give, () => undefined)
      case 'TOKEN_NEEDED':
        return void pharmacySession.renewed(given).then(give, () => undefined)
      case 'FETCH_FAILED':
        return onFailure(message.status)
    }
  })
  worker.addEventListener('error', onBroken)
  void begin()

  return () => {
    stopped = true
    worker.terminate()
  }
}
