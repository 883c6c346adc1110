import { createHash } from 'node:crypto'
import { endOfDay } from '@bancone/contract/dates'
import type { PublicOffers } from '@bancone/contract/public-offers'
import { LRUCache } from 'lru-cache'
import { createSingleFlight, type IsValid } from '../../platform/cache.ts'
import type { Clock } from '../../ports/clock.ts'
import { pageStatus } from './public-offers.rules.ts'
import type { FoundOffers } from './public-offers.service.ts'

/**
 * Cached facts about a pharmacy's offers, by its code: enough to tell which page a URL means, and whether the pages
 * rendered from them are current. The offers themselves are not cached.
 */
export type CacheEntry = {
  pharmacyId: string
  /** The canonical spelling. */
  code: string
  status: number
  categories: readonly string[]
  offerIds: ReadonlySet<string>
  /** Hash of everything that pages are rendered from. */
  digest: string
  /** Milliseconds since 1970 at which its day ends, and at which it was read. */
  until: number
  readAt: number
  /** Needs revalidation: it was invalidated, evicted or has expired. */
  isStale: boolean
}

/** Cached pharmacies. */
const MAX_ENTRIES = 2_000

/** Milliseconds for which an entry is fresh while the notifications of changes are disconnected. */
const FRESH_MS = 10_000
/**
 * Milliseconds for which a stale entry may then still be served if it cannot be read again, and between two attempts.
 */
const MAX_STALE_MS = 5 * 60_000
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

/** Cache of pharmacies' offers; an entry is valid until a change is notified. */
export function createOffersCache({ read: readOffers, disconnectedMs, clock }: Dependencies) {
  const entries = new LRUCache<string, CacheEntry>({
    max: MAX_ENTRIES,
    dispose: (entry) => {
      entry.isStale = true
    },
  })
  const readings = createSingleFlight<CacheRead>()

  async function load(code: string, key: string, isValid: IsValid): Promise<CacheRead> {
    const readAt = clock.now()
    const found = await readOffers(code)
    const { content, pharmacyId } = found
    const fresh = toEntry(found, readAt)
    // A change during the reading may be in its result or not: the result is returned, but not cached.
    const isOutdated = !isValid(pharmacyId === null ? undefined : [pharmacyId])
    // The database treats more spellings as equal than `codeKey`; each would be cached.
    const isAlias = fresh !== null && codeKey(fresh.code) !== key
    if (isOutdated || isAlias) return { content, entry: fresh && { ...fresh, isStale: true } }
    if (!fresh) {
      entries.delete(key)
      return { content, entry: null }
    }
    const known = entries.get(key)
    if (known?.digest !== fresh.digest) {
      entries.set(key, fresh)
      return { content, entry: fresh }
    }
    // The change is not visible: the pages rendered before are still valid.
    known.readAt = readAt
    known.isStale = false
    return { content, entry: known }
  }

  return {
    isFresh: (entry: CacheEntry): boolean =>
      !entry.isStale &&
      clock.now() < entry.until &&
      (disconnectedMs() < FRESH_MS || clock.now() - entry.readAt < FRESH_MS),

    /** A stale entry may be current: reading it again may find it unchanged. */
    isCurrent: (entry: CacheEntry): boolean => entries.peek(codeKey(entry.code)) === entry,

    get: (code: string): CacheEntry | undefined => entries.get(codeKey(code)),

    /** Reads the offers; concurrent callers share one reading. */
    read(code: string): Promise<CacheRead> {
      const key = codeKey(code)
      return readings.run(key, (isValid) => load(code, key, isValid))
    },

    /**
     * Whether a stale entry may be served after it could not be read again (stale-if-error): no change is known, but
     * none would be notified. The entry then counts as fresh until the next attempt.
     */
    mayServeStale(entry: CacheEntry): boolean {
      if (disconnectedMs() > MAX_STALE_MS) return false
      entry.readAt = clock.now() - FRESH_MS + RETRY_MS
      return true
    },

    /** Invalidates the entry of a changed pharmacy. @param pharmacyId undefined for all */
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

function toEntry({ content, pharmacyId }: FoundOffers, readAt: number): CacheEntry | null {
  const { pharmacy, offers, categories, error, day } = content
  if (!pharmacy || pharmacyId === null) return null
  return {
    pharmacyId,
    code: pharmacy.pharmacy_id,
    status: pageStatus(error),
    categories,
    offerIds: new Set(offers.map(({ id }) => id)),
    digest: createHash('sha256')
      .update(JSON.stringify([pharmacyId, content]))
      .digest('base64url'),
    until: endOfDay(day),
    readAt,
    isStale: false,
  }
}
