import { ROME } from '@bancone/contract/dates'
import type { OrderStatus } from '@bancone/contract/orders'
import {
  cities,
  doorNotes,
  endings,
  firstNames,
  lastNames,
  openings,
  prescriptions,
  products,
  streets,
} from './demo-words.ts'
import { random } from './random.ts'

/** The base and the table of the demo's first pharmacy. */
export const DEMO_BASE_ID = 'appSanMarcoDemo01'
export const DEMO_TABLE_ID = 'tblOrdiniDemo0001'
export const DEMO_TOKEN = 'patSanMarcoDemo01.bancone'

export type DemoOrder = {
  /** ms since 1970 */
  createdAt: number
  customer: string
  phone: string | null
  address: string | null
  product: string
  status: OrderStatus
  /** A path of the sandbox. */
  image: string | null
}

const DAY = 24 * 60 * 60_000

/** Orders of the last four months up to now, oldest first, as a pharmacy's customers write them. */
export function demoOrders(options: { count: number; now: Date; seed: number }): DemoOrder[] {
  const next = random(options.seed)
  const now = options.now.getTime()
  const times = Array.from({ length: options.count }, (_, n) => {
    // The last dozen came today, or yesterday before closing; the others thin out with their age.
    const age = n < 12 ? (n + next()) * 25 * 60_000 : next() ** 1.6 * 120 * DAY + 6 * 60 * 60_000
    return duringOpening(now - age, now, next)
  })
  return times
    .toSorted((a, b) => a - b)
    .map((createdAt, place) => withPrescription(demoOrder(createdAt, now, next), place))
}

/** One new order, created now. */
export function liveOrder(counter: number, now: Date): DemoOrder {
  const next = random(counter * 7919 + 17)
  const order = { ...demoOrder(now.getTime(), now.getTime(), next), status: 'In attesa' } as const
  return withPrescription(order, counter)
}

/** Two of five orders ask for a prescription medicine; one of five has its codes. */
function withPrescription(order: DemoOrder, place: number): DemoOrder {
  if (place % 5 !== 3) return order
  const codes = prescriptions[Math.floor(place / 5) % prescriptions.length] ?? ''
  const digits = String(place).padStart(4, '0')
  return { ...order, product: `${order.product}${codes.replaceAll('####', digits)}` }
}

function demoOrder(createdAt: number, now: number, next: () => number): DemoOrder {
  const pick = <T>(from: readonly T[]): T => {
    const chosen = from[Math.floor(next() * from.length)]
    if (chosen === undefined) throw new Error('nothing to choose from')
    return chosen
  }
  const wish = next() < 0.2 ? `${pick(products)} e poi ${pick(products)}` : pick(products)
  const text = `${pick(openings)}${wish}${pick(endings)}`
  return {
    createdAt,
    customer: `${pick(firstNames)} ${pick(lastNames)}`,
    phone: next() < 0.04 ? null : phone(next),
    address:
      next() < 0.06
        ? null
        : `${pick(streets)} ${1 + Math.floor(next() * 180)}${pick(doorNotes)}, ${pick(cities)}`,
    product: text.charAt(0).toUpperCase() + text.slice(1),
    status: status((now - createdAt) / DAY, next()),
    image: next() < 0.125 ? `/images/${1 + Math.floor(next() * 90)}.png` : null,
  }
}

/** Formats the number in one of the ways people write it. */
function phone(next: () => number): string {
  const prefix = 320 + Math.floor(next() * 29)
  const digits = String(Math.floor(next() * 10_000_000)).padStart(7, '0')
  const [a, b] = [digits.slice(0, 3), digits.slice(3)]
  const ways = [
    `${prefix} ${a} ${b}`,
    `${prefix}${digits}`,
    `+39${prefix}${digits}`,
    `+39 ${prefix} ${a}${b}`,
    `${prefix}-${digits}`,
    `0039 ${prefix} ${digits}`,
  ]
  return ways[Math.floor(next() * ways.length)] ?? digits
}

/** Old orders are done; today's are mostly pending. */
function status(days: number, chance: number): OrderStatus {
  if (days < 0.35) {
    if (chance < 0.7) return 'In attesa'
    return chance < 0.85 ? 'Prenotato in Giornata' : 'Confermato'
  }
  if (days < 2) {
    if (chance < 0.25) return 'In attesa'
    if (chance < 0.45) return 'Prenotato in Giornata'
    return chance < 0.65 ? 'Prenotato Domani' : 'Confermato'
  }
  if (chance < 0.86) return 'Confermato'
  if (chance < 0.97) return 'Annullato'
  return chance < 0.985 ? 'Prenotato in Giornata' : 'Prenotato Domani'
}

const hour = new Intl.DateTimeFormat('en-GB', {
  timeZone: ROME,
  hour: 'numeric',
  hourCycle: 'h23',
})

/** Moves orders of the night into business hours, never into the future. */
function duringOpening(time: number, now: number, next: () => number): number {
  const recent = now - time < 6 * 60 * 60_000
  const at = Number(hour.format(time))
  if (recent || (at >= 8 && at < 20)) return Math.round(time)
  const moved = time + (13 - at) * 60 * 60_000 + (next() - 0.5) * 9 * 60 * 60_000
  return Math.round(Math.min(moved, now - next() * 60 * 60_000 - 60_000))
}
