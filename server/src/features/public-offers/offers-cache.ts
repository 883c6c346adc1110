import { createHash } from 'node:crypto'
import { endOfDay } from '@bancone/contract/dates'
import type { PublicOffers, PublicPharmacy } from '@bancone/contract/public-offers'
import { createCache, createSingleFlight, type IsValid } from '../../platform/cache.ts'
import type { Clock } from '../../ports/clock.ts'
import { pageStatus, type ShownOffers } from './public-offers.rules.ts'
import type { FoundOffers } from './public-offers.service.ts'

/**
 * What is known of a pharmacy's offers, by its code: enough to tell which page a URL means, and whether the pages
 * rendered from them may be sent. The offers themselves are not cached.
 */
export type CacheEntry = ShownOffers &
  Pick<PublicPharmacy, 'isCounting' | 'hasOrderCodes'> & {
    pharmacyId: string
    /** Hash of everything that pages are rendered from. */
    digest: string
    /** Milliseconds since 1970 at which its day ends, and at which it was last validated. */
    until: number
    validatedAt: number
    /** It was invalidated; an entry also becomes stale with time. */
    isStale: boolean
  }

/** Cached pharmacies. */
const MAX_ENTRIES = 2_000

/** Milliseconds for which a validated entry is fresh while the notifications of changes are disconnected. */
const FRESH_MS = 10_000
/** Milliseconds for which a stale entry may then be served if it cannot be revalidated. */
const STALE_IF_ERROR_MS = 5 * 60_000

/** Milliseconds between two attempts to revalidate it. */
const RETRY_MS = 2_000

/** `entry`: null when the pharmacy does not exist. */
export type CacheRead = { content: PublicOffers; entry: CacheEntry | null }

type Dependencies = {
  read(code: string): Promise<FoundOffers>
  /** Milliseconds since the notifications of changes were lost; 0 while connected. */
  disconnectedMs(): number
  clock: Clock
}

export type OffersCache = ReturnType<typeof createOffersCache>

/**
 * Cache of pharmacies' offers, in the terms of HTTP: an entry is fresh until a change is notified or its day ends. A
 * stale one is revalidated: when the offers that are read have its digest, it and the pages rendered from it are fresh
 * again; else another entry replaces it, and its pages are stale for ever.
 */
export function createOffersCache({ read, disconnectedMs, clock }: Dependencies) {
  const entries = createCache<CacheEntry>({ max: MAX_ENTRIES })
  const readings = createSingleFlight<CacheRead>()

  function isFresh(entry: CacheEntry): boolean {
    const now = clock.now()
    const isRecent = disconnectedMs() < FRESH_MS || now - entry.validatedAt < FRESH_MS
    return !entry.isStale && now < entry.until && isRecent
  }

  async function load(code: string, key: string, isValid: IsValid): Promise<CacheRead> {
    const validatedAt = clock.now()
    const found = await read(code)
    const { content } = found
    const entry = toEntry(found, validatedAt)
    const known = entries.get(key)
    if (!entry) {
      if (known) known.isStale = true
      return { content, entry }
    }
    // A change during the reading may be in its result or not: the result is returned, but not cached.
    const isOutdated = !isValid([entry.pharmacyId])
    // The database treats more spellings as equal than `codeKey`; each would be cached.
    const isAlias = codeKey(entry.code) !== key
    if (isOutdated || isAlias) return { content, entry: { ...entry, isStale: true } }
    if (known?.digest === entry.digest) {
      known.validatedAt = validatedAt
      known.isStale = false
      return { content, entry: known }
    }
    entries.set(key, entry)
    return { content, entry }
  }

  return {
    isFresh,

    /** The entry of a code, if it is fresh. */
    fresh(code: string): CacheEntry | undefined {
      const known = entries.get(codeKey(code))
      return known && isFresh(known) ? known : undefined
    },

    /** Reads the offers; concurrent callers share one reading. */
    revalidate(code: string): Promise<CacheRead> {
      const key = codeKey(code)
      return readings.run(key, (isValid) => load(code, key, isValid))
    },

    /**
     * After a failed revalidation: an entry of which no change is known counts as fresh until the next attempt, unless
     * notifications have been disconnected for too long.
     */
    extendAfterError(code: string): void {
      const known = entries.get(codeKey(code))
      if (known && disconnectedMs() <= STALE_IF_ERROR_MS)
        known.validatedAt = clock.now() - FRESH_MS + RETRY_MS
    },

    /** The offers of a pharmacy have changed. @param pharmacyId undefined for all */
    invalidate(pharmacyId?: string): void {
      readings.invalidate(pharmacyId)
      for (const entry of entries.values()) {
        if (pharmacyId === undefined || entry.pharmacyId === pharmacyId) entry.isStale = true
      }
    },
  }
}

/** Normalizes a code, so that its spellings share one entry. */
function codeKey(code: string): string {
  return code.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function toEntry({ content, pharmacyId }: FoundOffers, validatedAt: number): CacheEntry | null {
  const { pharmacy, offers, categories, arranged, error, day } = content
  if (!pharmacy || pharmacyId === null) return null
  return {
    pharmacyId,
    code: pharmacy.pharmacy_id,
    status: pageStatus(error),
    isCounting: pharmacy.isCounting,
    hasOrderCodes: pharmacy.hasOrderCodes,
    categories,
    arranged,
    offerIds: new Set(offers.map(({ id }) => id)),
    digest: createHash('sha256')
      .update(JSON.stringify([pharmacyId, content]))
      .digest('base64url'),
    until: endOfDay(day),
    validatedAt,
    isStale: false,
  }
}
