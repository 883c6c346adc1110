import { createHash } from 'node:crypto'
import type { PublicOffers } from '@bancone/contract/public-offers'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../ports/clock.ts'
import { endOfDay, pageStatus } from './public-offers.rules.ts'
import type { FoundOffers } from './public-offers.service.ts'

/**
 * What is remembered of a pharmacy's offers, by its code: enough to know which page is meant, and whether those that
 * were made of them still hold. The offers themselves are not.
 */
export type Standing = {
  pharmacyId: string
  /** In its canonical form. */
  code: string
  status: number
  categories: readonly string[]
  offerIds: ReadonlySet<string>
  /** Of everything that pages are made of. */
  digest: string
  /** Milliseconds since 1970 at which its day ends, and at which it was read. */
  until: number
  readAt: number
  /** Something has changed since, or it is remembered no more. */
  isDoubted: boolean
}

/** Pharmacies that are remembered, and codes which are nobody's. */
const MOST = { standings: 2_000, unknown: 5_000 }

/** Milliseconds for which something is believed while nothing is heard of changes. */
const BELIEVED_MS = 10_000
/** Milliseconds for which it is still shown then, if it cannot be read; and between two attempts. */
const SHOWN_MS = 5 * 60_000
const RETRY_MS = 2_000

/** `heard`: the pharmacies that something has changed of since it began; '' means all. */
type Reading = { heard: Set<string>; done: Promise<Read> }

/** `standing`: null where there is no such pharmacy. */
export type Read = { content: PublicOffers; standing: Standing | null }

type Dependencies = {
  read(code: string): Promise<FoundOffers>
  /** For how many milliseconds nothing has been heard of changes; 0 while all is heard. */
  deafFor(): number
  clock: Clock
}

export type Standings = ReturnType<typeof createStandings>

/** What is known of pharmacies' offers, until it is heard that they have changed. */
export function createStandings({ read: readOffers, deafFor, clock }: Dependencies) {
  const standings = new LRUCache<string, Standing>({
    max: MOST.standings,
    dispose: (standing) => {
      standing.isDoubted = true
    },
  })
  const unknown = new LRUCache<string, { readAt: number }>({ max: MOST.unknown })
  /** Those that may still be joined, by code; and all. */
  const readings = new Map<string, Reading>()
  const underWay = new Set<Reading>()

  const isRecent = (readAt: number) => deafFor() < BELIEVED_MS || clock.now() - readAt < BELIEVED_MS

  async function take(code: string, heard: ReadonlySet<string>): Promise<Read> {
    const key = codeKey(code)
    const readAt = clock.now()
    const found = await readOffers(code)
    const { content, pharmacyId } = found
    const fresh = standingOf(found, readAt)
    // What has come in between may be in it or not: it answers who asked before, and is forgotten.
    const isSpoiled = pharmacyId === null ? heard.size > 0 : heard.has('') || heard.has(pharmacyId)
    // The database takes more spellings for one than we do; each would be remembered.
    const isOdd = fresh !== null && codeKey(fresh.code) !== key
    if (isSpoiled || isOdd) return { content, standing: fresh && { ...fresh, isDoubted: true } }
    if (!fresh) {
      if (content.error === 'Farmacia non trovata') unknown.set(key, { readAt })
      standings.delete(key)
      return { content, standing: null }
    }
    const known = standings.get(key)
    if (known?.digest !== fresh.digest) {
      standings.set(key, fresh)
      return { content, standing: fresh }
    }
    // What changed is not shown: the pages that were made are as good as new ones.
    known.readAt = readAt
    known.isDoubted = false
    return { content, standing: known }
  }

  return {
    isBelieved: (standing: Standing): boolean =>
      !standing.isDoubted && clock.now() < standing.until && isRecent(standing.readAt),

    /** It may be doubted, and then be found to hold. */
    isCurrent: (standing: Standing): boolean => standings.peek(codeKey(standing.code)) === standing,

    get: (code: string): Standing | undefined => standings.get(codeKey(code)),

    /** Whether it is known that no pharmacy has this code. */
    isNobodys(code: string): boolean {
      const known = unknown.get(codeKey(code))
      return known !== undefined && isRecent(known.readAt)
    },

    /** Reads them; who asks meanwhile waits for the same. */
    read(code: string): Promise<Read> {
      const key = codeKey(code)
      const joined = readings.get(key)
      if (joined) return joined.done
      const heard = new Set<string>()
      const done = take(code, heard).finally(() => {
        underWay.delete(reading)
        if (readings.get(key) === reading) readings.delete(key)
      })
      const reading: Reading = { heard, done }
      readings.set(key, reading)
      underWay.add(reading)
      return done
    },

    /**
     * Whether it may be shown although it could not be read again: nothing is known to have changed, but it would
     * not be heard of. Then it is believed until the next attempt.
     */
    mayStand(standing: Standing): boolean {
      if (deafFor() > SHOWN_MS) return false
      standing.readAt = clock.now() - BELIEVED_MS + RETRY_MS
      return true
    },

    /** Something of a pharmacy has changed. @param pharmacyId empty: of all */
    doubt(pharmacyId: string): void {
      unknown.clear()
      for (const { heard } of underWay) heard.add(pharmacyId)
      readings.clear()
      for (const standing of standings.values()) {
        if (pharmacyId === '' || standing.pharmacyId === pharmacyId) standing.isDoubted = true
      }
    },
  }
}

/** The same however a code is written: made-up spellings of one are one. */
function codeKey(code: string): string {
  return code.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function standingOf({ content, pharmacyId }: FoundOffers, readAt: number): Standing | null {
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
    isDoubted: false,
  }
}
