import { describe, expect, it } from 'vitest'
import { type DemoOrder, demoOrders, liveOrder } from './demo-orders.ts'

const DAY = 24 * 60 * 60_000
const NOW = new Date('2026-03-10T16:40:00.000Z')
const ORDERS = demoOrders({ count: 480, now: NOW, seed: 1 })

/** The frequency of the most frequent value. */
function mostOf(values: (string | null)[]): number {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

const share = (orders: readonly DemoOrder[], has: (order: DemoOrder) => boolean) =>
  orders.filter(has).length / orders.length

const ageInDays = (order: DemoOrder) => (NOW.getTime() - order.createdAt) / DAY

describe('the orders of the demo', () => {
  it('are the same for the same seed and time, and others for another seed', () => {
    expect(demoOrders({ count: 480, now: NOW, seed: 1 })).toEqual(ORDERS)
    expect(ORDERS).toHaveLength(480)
    const others = demoOrders({ count: 480, now: NOW, seed: 2 })
    expect(others.map(({ product }) => product)).not.toEqual(ORDERS.map(({ product }) => product))
  })

  it('have come, oldest first, in about four months, at whatever hour the demo starts', () => {
    for (let hour = 0; hour < 7 * 24; hour += 5) {
      const now = Date.parse('2026-03-27T00:30:00.000Z') + hour * 60 * 60_000
      const orders = demoOrders({ count: 480, now: new Date(now), seed: 1 })
      const times = orders.map(({ createdAt }) => createdAt)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      expect(times.filter((at) => at > now || !Number.isInteger(at))).toEqual([])
      expect(now - (times[0] ?? 0)).toBeGreaterThan(100 * DAY)
      expect(now - (times[0] ?? 0)).toBeLessThan(123 * DAY)
      expect(new Set(times.map((at) => new Date(at).getUTCMonth())).size).toBeGreaterThan(3)
      expect(new Set(orders.map(({ status }) => status)).size).toBe(5)
    }
  })

  it('do not come all at one time, and more of them lately', () => {
    expect(mostOf(ORDERS.map(({ createdAt }) => String(createdAt)))).toBe(1)
    const lately = ORDERS.filter((order) => ageInDays(order) < 30).length
    const early = ORDERS.filter((order) => ageInDays(order) > 90).length
    expect(lately).toBeGreaterThan(early)
    expect(ORDERS.filter((order) => ageInDays(order) < 0.25).length).toBeGreaterThanOrEqual(12)
  })

  it('come by day, but for the latest', () => {
    const hour = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Rome',
      hour: 'numeric',
      hourCycle: 'h23',
    })
    const hours = ORDERS.filter((order) => ageInDays(order) > 1).map(({ createdAt }) =>
      Number(hour.format(createdAt)),
    )
    expect(hours.filter((at) => at < 7 || at > 20)).toEqual([])
    expect(new Set(hours).size).toBeGreaterThan(10)
  })

  it('have been dealt with when they are old, and wait when they are new', () => {
    const old = ORDERS.filter((order) => ageInDays(order) > 3)
    expect(old.filter(({ status }) => status === 'In attesa')).toEqual([])
    expect(share(old, ({ status }) => status === 'Confermato')).toBeGreaterThan(0.7)
    const fresh = ORDERS.filter((order) => ageInDays(order) < 0.35)
    expect(share(fresh, ({ status }) => status === 'In attesa')).toBeGreaterThan(0.4)
  })

  it('have Italian mobile numbers, written in several ways, and a few have none', () => {
    const phones = ORDERS.flatMap(({ phone }) => phone ?? [])
    const odd = phones.filter((phone) => {
      const digits = phone.replace(/^(?:\+39|0039)/, '').replaceAll(/[\s-]/g, '')
      return !/^3[2-4]\d{8}$/.test(digits)
    })
    expect(odd).toEqual([])
    const ways = new Set(phones.map((phone) => phone.replaceAll(/\d/g, '9')))
    expect(ways.size).toBeGreaterThanOrEqual(5)
    expect(mostOf(phones.map((phone) => phone.replaceAll(/\D/g, '')))).toBe(1)
    expect(phones.length).toBeLessThan(480)
    expect(phones.length).toBeGreaterThan(430)
  })

  it('have addresses with a number and a place, and a few have none', () => {
    const addresses = ORDERS.flatMap(({ address }) => address ?? [])
    expect(
      addresses.filter((address) => !/^\p{L}[\p{L}\s]+ \d{1,3}.*, .+$/u.test(address)),
    ).toEqual([])
    expect(addresses.length).toBeLessThan(480)
    expect(addresses.length).toBeGreaterThan(420)
    expect(mostOf(addresses)).toBeLessThanOrEqual(2)
  })

  it('come from many people, of whom none orders all the time', () => {
    const names = ORDERS.map(({ customer }) => customer)
    expect(names.filter((name) => !/^\p{Lu}[\p{L}' -]+ \p{Lu}[\p{L}' -]+$/u.test(name))).toEqual([])
    expect(new Set(names).size).toBeGreaterThan(300)
    expect(mostOf(names)).toBeLessThanOrEqual(5)
  })

  it('have a picture now and then', () => {
    const images = ORDERS.flatMap(({ image }) => image ?? [])
    expect(images.filter((image) => !/^\/images\/[1-9]\d?\.png$/.test(image))).toEqual([])
    expect(images.length).toBeGreaterThan(30)
    expect(images.length).toBeLessThan(120)
  })
})

describe('an order that has just come', () => {
  const live = (counter: number) => liveOrder(counter, NOW)

  it('waits, and is of this moment', () => {
    const orders = Array.from({ length: 200 }, (_, index) => live(481 + index))
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['In attesa']))
    expect(new Set(orders.map(({ createdAt }) => createdAt))).toEqual(new Set([NOW.getTime()]))
  })

  it('is the same for the same number, and another for the next', () => {
    expect(live(481)).toEqual(live(481))
    const orders = Array.from({ length: 200 }, (_, index) => live(481 + index))
    expect(mostOf(orders.map(({ customer }) => customer))).toBeLessThanOrEqual(5)
    expect(mostOf(orders.map(({ product }) => product))).toBeLessThanOrEqual(5)
    expect(mostOf(orders.map(({ phone }) => phone))).toBe(1)
  })
})
