import { z } from 'zod/mini'
import { pharmacySession } from '../../../lib/session.ts'

const SCRIPT = '/orderCheckWorker.js'
const API_URL = '/api/airtable-orders'
const INTERVAL_MS = 60_000

/** Messages of the worker; documented in its script. */
const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ORDERS_FETCHED'), pharmacyId: z.string(), data: z.unknown() }),
  z.object({ type: z.literal('TOKEN_NEEDED'), pharmacyId: z.string() }),
  z.object({ type: z.literal('FETCH_FAILED'), pharmacyId: z.string(), status: z.number() }),
])

export type OrderWorkerOptions = {
  pharmacyId: string
  /** Called with the unparsed response of the first page of all orders. */
  onOrders: (answer: unknown) => void
  /** Status of the response; 0 without a response. */
  onFailure: (status: number) => void
  /** The worker does not run: its script failed to load, or crashed. */
  onBroken: () => void
}

/**
 * Polls for orders every minute in a worker, because browsers throttle the timers of hidden pages.
 *
 * @returns a function that stops it
 * @throws when the browser cannot start a worker
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
    // A token that cannot be refreshed now is rejected by the server, and the worker asks for another.
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
        // Refreshed ahead of the next poll, so that no poll fails because of an expired token.
        return void pharmacySession.accessToken().then(give, () => undefined)
      case 'TOKEN_NEEDED':
        return void pharmacySession.refreshAfterUnauthorized(given).then(give, () => undefined)
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
