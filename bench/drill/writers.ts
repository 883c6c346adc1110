import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { OrderStatus } from '@bancone/contract/orders'
import { z } from 'zod'
import { call, type Pharmacy } from './people.ts'

/** Milliseconds since 1970, as the clock of the database, which is that of this machine. */
type Attempt = { firstSentAt: number; acknowledgedAt?: number }

type StatusChange = Attempt & { status: OrderStatus }

/** An order that a writer has made, or tried to. Its customer has a name of its own. */
export type WrittenOrder = Attempt & {
  pharmacy: Pharmacy
  customer: string
  recordId?: string
  /** One after the other; only the last one may be without an acknowledgement. */
  statuses: StatusChange[]
}

/** What the writers did. */
export type Ledger = {
  orders: WrittenOrder[]
  /** When a change was acknowledged, and when its request was sent. */
  acknowledged: { sentAt: number; at: number }[]
  failed: { at: number; why: string }[]
}

export type Writers = { ledger: Ledger; stop(): Promise<void> }

/** Milliseconds between two changes of a writer: 25 changes a second in all. */
const EVERY_MS = 480

const Made = z.object({ id: z.string() })

/** A writer of each pharmacy, who makes orders and changes their statuses until it is stopped. */
export function startWriters(fronts: string[], pharmacies: Pharmacy[]): Writers {
  const ledger: Ledger = { orders: [], acknowledged: [], failed: [] }
  const stopping = new AbortController()
  let names = 0

  /** @returns the response when it is a good one */
  async function send(
    attempt: Attempt,
    front: string,
    path: string,
    request: Parameters<typeof call>[2],
  ) {
    const sentAt = Date.now()
    try {
      const reply = await call(front, path, request)
      if (reply.status >= 300) throw new Error(String(reply.status))
      const at = Date.now()
      attempt.acknowledgedAt = at
      ledger.acknowledged.push({ sentAt, at })
      return reply
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      ledger.failed.push({ at: Date.now(), why })
      return undefined
    }
  }

  async function makeOrder(pharmacy: Pharmacy, nextFront: () => string) {
    names += 1
    const order: WrittenOrder = {
      pharmacy,
      customer: `Cliente ${names}`,
      firstSentAt: Date.now(),
      statuses: [],
    }
    ledger.orders.push(order)
    const headers = { ...pharmacy.headers, 'idempotency-key': randomUUID() }
    const fields = { Cliente: order.customer, Ordine: 'Tachipirina 1000, una confezione' }
    // A program that got no answer sends it again, with the same key.
    for (;;) {
      const reply = await send(order, nextFront(), '/api/orders', {
        method: 'POST',
        headers,
        body: { fields },
      })
      if (reply) {
        order.recordId = Made.parse(reply.body).id
        return order
      }
      if (stopping.signal.aborted) return undefined
      await pause(200)
    }
  }

  async function changeStatus(order: WrittenOrder, front: string): Promise<boolean> {
    const known = order.statuses.at(-1)?.status ?? 'In attesa'
    const others = OrderStatus.options.filter((status) => status !== known)
    const status = others[Math.floor(Math.random() * others.length)] ?? 'Confermato'
    const change: StatusChange = { status, firstSentAt: Date.now() }
    order.statuses.push(change)
    const reply = await send(change, front, `/api/airtable-orders/${order.recordId}`, {
      method: 'PATCH',
      headers: order.pharmacy.headers,
      body: { fields: { Stato: status } },
    })
    return reply !== undefined
  }

  async function write(pharmacy: Pharmacy, first: number): Promise<void> {
    let turn = first
    const nextFront = () => fronts[turn++ % fronts.length] ?? ''
    // One front while it answers, as a browser.
    let front = nextFront()
    let current: WrittenOrder | undefined
    let changes = 0
    while (!stopping.signal.aborted) {
      const next = pause(EVERY_MS * (0.8 + 0.4 * Math.random()))
      if (current === undefined || changes > 3) {
        current = await makeOrder(pharmacy, () => {
          const used = front
          front = nextFront()
          return used
        })
        changes = 0
      } else if (await changeStatus(current, front)) {
        changes += 1
      } else {
        // The change may take effect yet, so that no other one may follow it.
        current = undefined
        front = nextFront()
      }
      await next
    }
  }

  const writing = pharmacies.map(write)
  return {
    ledger,
    async stop() {
      stopping.abort()
      await Promise.all(writing)
    },
  }
}

/** The longest time without an acknowledgement in a period, in seconds. */
export function longestGap({ acknowledged }: Ledger, from: number, to: number): number {
  let last = from
  let longest = 0
  for (const { at } of acknowledged) {
    if (at < from || at > to) continue
    longest = Math.max(longest, at - last)
    last = at
  }
  return Math.max(longest, to - last) / 1_000
}
