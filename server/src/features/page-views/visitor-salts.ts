import { createHmac } from 'node:crypto'
import { addDays, type Day, dayOf, endOfDay } from '@bancone/contract/dates'
import ipaddr from 'ipaddr.js'
import type { Clock } from '../../ports/clock.ts'
import { SALT_REMAINS_MS, type VisitorSaltsStore } from './visitor-salts.store.ts'

/** Cached no longer than this, in case that the clock is set back. */
const CACHE_MS = 60 * 60_000

/**
 * What visitors are known by. `yesterday`: in the first half hour of a day, if there was a visitor on the day before.
 */
export type Salts = { today: Buffer; yesterday: Buffer | null }

export type VisitorSalts = ReturnType<typeof createVisitorSalts>

/** Caches the salts, each no longer than it is in the database. */
export function createVisitorSalts(
  store: Pick<VisitorSaltsStore, 'find' | 'ofToday'>,
  clock: Clock,
) {
  const cached = new Map<Day, { until: number; salt: Promise<Buffer | null> }>()

  function read(day: Day, load: () => Promise<Buffer | null>): Promise<Buffer | null> {
    const known = cached.get(day)
    const now = clock.now()
    if (known && now < known.until) return known.salt
    const entry = { until: endOfDay(day) + SALT_REMAINS_MS, salt: load() }
    const forget = () => {
      if (cached.get(day) === entry) cached.delete(day)
    }
    cached.set(day, entry)
    setTimeout(forget, Math.min(CACHE_MS, Math.max(0, entry.until - now))).unref()
    // A failed reading is not cached.
    entry.salt.catch(forget)
    return entry.salt
  }

  return {
    async now(): Promise<Salts> {
      const now = clock.now()
      const day = dayOf(now)
      const before = addDays(day, -1)
      const isEarly = now < endOfDay(before) + SALT_REMAINS_MS
      const [today, yesterday] = await Promise.all([
        read(day, () => store.ofToday(day, now)),
        isEarly ? read(before, () => store.find(before)) : null,
      ])
      if (!today) throw new Error('there is no salt of today')
      return { today, yesterday }
    },
  }
}

/** 132 bits: collisions among the visitors of a day are ruled out. */
const LENGTH = 22

/**
 * Pseudonym of a visitor, instead of an IP address. Without the salt it can neither be traced to the visitor nor be
 * linked with their other pseudonyms; the salt is deleted after its day.
 */
export function visitorHash(salt: Buffer, ...parts: string[]): string {
  // JSON, so that different lists never give the same text.
  const text = JSON.stringify(parts)
  return createHmac('sha256', salt).update(text).digest('base64url').slice(0, LENGTH)
}

/** The network of an address without what leads to a household: the first 24 bits of IPv4, 48 of IPv6. */
export function visitorNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return ''
  const parsed = ipaddr.process(address)
  const bytes = parsed.toByteArray().slice(0, parsed.kind() === 'ipv4' ? 3 : 6)
  return bytes.join('.')
}
