import { publicOffersPath } from '@bancone/contract/pages'
import type { PublicOffers } from '@bancone/contract/public-offers'
import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import type { Clock } from '../../ports/clock.ts'
import type { DrawnPages, DrawnPart, FinishedPage } from './drawn-pages.ts'
import type { Read, Standing, Standings } from './page-standings.ts'
import {
  type AskedPage,
  askedKey,
  isPharmacyCode,
  knownSearch,
  openedOffer,
  pageKey,
  readSearch,
} from './public-offers.rules.ts'

/** Bytes of pages that are remembered, compressed: the first pages of some 400 pharmacies. */
const REMEMBERED_BYTES = 12 * 1024 * 1024

/** Pages that are made at once: what else the process does comes between them. */
const MADE_AT_ONCE = 2

/** Pages that may wait for that: searches, which anybody can make up, and those that links lead to. */
const MOST_WAITING = 100

/** A page, or the path where it is. */
export type FoundPage = { page: FinishedPage } | { movedTo: string }

/** The part of a pharmacy's pages that is asked for, and under which key it is kept. */
type Wanted = DrawnPart & { key: string }

type Dependencies = {
  standings: Standings
  drawn: DrawnPages
  clock: Clock
  log: { warn(details: object, message: string): void }
  /** Bytes of pages that are remembered, other than usual. */
  most?: number
}

export type PublicPages = ReturnType<typeof createPublicPages>

/** The pages that customers see: made once, and then sent from memory until something of them changes. */
export function createPublicPages({ standings, drawn, clock, log, most }: Dependencies) {
  const pages = new LRUCache<string, { page: FinishedPage; standing: Standing }>({
    maxSize: most ?? REMEMBERED_BYTES,
    sizeCalculation: ({ page: { br, gzip } }) => br.byteLength + gzip.byteLength + 1024,
  })
  const making = new Map<string, { standing: Standing; done: Promise<FinishedPage> }>()
  const queue = new PQueue({ concurrency: MADE_AT_ONCE })

  /** What is in memory under that key, if it still holds. */
  function kept(key: string): FinishedPage | undefined {
    const known = pages.get(key)
    return known && standings.isBelieved(known.standing) ? known.page : undefined
  }

  /** Once for all who ask for it meanwhile; when too many wait, it cannot be. */
  function make(content: PublicOffers, standing: Standing, wanted: Wanted): Promise<FinishedPage> {
    const under = making.get(wanted.key)
    if (under?.standing === standing) return under.done
    const priority = wanted.search === null ? 1 : 0
    if (queue.sizeBy({ priority }) >= MOST_WAITING) return drawn.refusal(null)
    const made = async () => {
      const status = wanted.offer === '' ? 404 : standing.status
      const page = { ...(await drawn.draw(content, wanted)), status, until: standing.until }
      if (standings.isCurrent(standing)) pages.set(wanted.key, { page, standing })
      return page
    }
    const done = queue.add(made, { priority }).finally(() => {
      if (making.get(wanted.key)?.done === done) making.delete(wanted.key)
    })
    making.set(wanted.key, { standing, done })
    return done
  }

  /** What can be said without reading anything, if that still holds. */
  function atHand(standing: Standing, asked: AskedPage): FoundPage | undefined {
    if (!standings.isBelieved(standing)) return undefined
    if (standing.code !== asked.code || !asked.isPlain) return movedTo(standing, asked)
    const page = kept(wantedOf(standing, asked).key)
    return page && { page }
  }

  async function find(asked: AskedPage): Promise<FoundPage> {
    const { code } = asked
    if (!isPharmacyCode(code)) return { page: await drawn.refusal('ID farmacia non valido') }
    if (standings.isNobodys(code)) return { page: await drawn.refusal('Farmacia non trovata') }
    const last = standings.get(code)
    const found = last && atHand(last, asked)
    if (found) return found
    let read: Read
    try {
      read = await standings.read(code)
    } catch (error) {
      const asItWas = last && standings.mayStand(last) && atHand(last, asked)
      if (!asItWas) throw error
      log.warn({ err: error }, 'a public page is shown as it was')
      return asItWas
    }
    const { content, standing } = read
    if (!standing) return { page: await drawn.refusal('Farmacia non trovata') }
    if (standing.code !== code || !asked.isPlain) return movedTo(standing, asked)
    const wanted = wantedOf(standing, asked)
    return { page: kept(wanted.key) ?? (await make(content, standing, wanted)) }
  }

  return {
    now: (): number => clock.now(),

    /** What is in memory for an address as it was asked for. */
    remembered: (url: string): FinishedPage | undefined => kept(askedKey(url)),

    find,

    /** The page that says that it could not be loaded. */
    failed: (): Promise<FinishedPage> => drawn.refusal(null),
  }
}

function movedTo({ code }: Standing, { offerId }: AskedPage): FoundPage {
  const path = publicOffersPath(code)
  return { movedTo: offerId === null ? path : `${path}/${encodeURIComponent(offerId)}` }
}

/** Without offers all addresses of a pharmacy are one. */
function wantedOf(
  { code, status, offerIds, categories }: Standing,
  { offerId, query }: AskedPage,
): Wanted {
  const isShown = status === 200
  const offer = isShown ? openedOffer(offerIds, offerId) : null
  const search = isShown ? knownSearch(readSearch(query), categories) : null
  return { key: pageKey(code, offer, search), offer, search }
}
