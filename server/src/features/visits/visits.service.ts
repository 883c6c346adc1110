import { randomUUID } from 'node:crypto'
import type { VisitDevice } from '@bancone/contract/analytics'
import type { Input } from '@bancone/contract/endpoint'
import type { recordVisit, VisitHeaders, VisitKind } from '@bancone/contract/visits'
import { isbot } from 'isbot'
import { createCache } from '../../platform/cache.ts'
import { rethrowRateLimitAs } from '../../platform/rate-limit-error.ts'
import {
  type Limit,
  networkOf,
  type RateLimits,
  TooManyRequests,
} from '../../platform/rate-limits.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Exclusions } from './exclusions.ts'
import { type VisitorSalts, visitorHash, visitorNetwork } from './visitor-salts.ts'
import { exclusionOf, type RequestHeaders, referrerOrigin, sourceOf } from './visits.rules.ts'
import type { Counting, StoredVisit } from './visits.store.ts'

export const visitLimits = {
  // Per network and pharmacy: customers inside the shop, and those of a mobile provider, share a network.
  'visits-of-network': { points: 600, seconds: 600 },
  // Per pharmacy, over all networks.
  'visits-of-pharmacy': { points: 20_000, seconds: 600 },
} as const satisfies Record<string, Limit>

/**
 * How many visitors of a pharmacy are told apart in a network and a day. The network of a shop, or of a mobile provider, has
 * fewer kinds of browsers. All others are one visitor, so that made-up browsers are no visitors.
 */
export const MAX_NETWORK_VISITORS = 50

/** Networks whose visitors are remembered, in this process. */
const MAX_NETWORKS = 10_000

/** The pharmacy of a public page. `isCounting` is also false where its offers are not shown. */
export type PagePharmacy = Counting & { pharmacyId: string }

export type VisitLimitName = keyof typeof visitLimits

type Visit = Input<typeof recordVisit>['body']
type CountedVisit = Omit<Visit, 'kind'> & { kind: Exclude<VisitKind, 'staff'> }

type Dependencies = {
  /** The pharmacy of a code, regardless of case; null when there is none. */
  pharmacyOfPage(code: string): Promise<PagePharmacy | null>
  salts: VisitorSalts
  /** Resolves when the visit is stored. */
  add(visit: StoredVisit): Promise<void>
  exclusions: Pick<Exclusions, 'add'>
  limits: Pick<RateLimits<VisitLimitName>, 'take'>
  /** The origin of this application. */
  ownOrigin: string
  clock: Clock
}

export type VisitsService = ReturnType<typeof createVisits>

/** Counts visits of public pages. The answer does not reveal whether a visit was counted. */
export function createVisits(dependencies: Dependencies) {
  const { pharmacyOfPage, salts, add, exclusions, limits, ownOrigin, clock } = dependencies

  const visitorsOf = createCache<Set<string>>({ max: MAX_NETWORKS })

  /** Whether the visitor of a network is one of those that are told apart. Both are pseudonyms of today. */
  function isDistinguished(network: string, visitor: string): boolean {
    const known = visitorsOf.get(network) ?? new Set()
    if (known.size < MAX_NETWORK_VISITORS) known.add(visitor)
    visitorsOf.set(network, known)
    return known.has(visitor)
  }

  /** @throws AppError `visits.too_many` */
  async function take(pharmacyId: string, kind: VisitKind, ip: string): Promise<void> {
    const { today } = await salts.now()
    const network = visitorHash(today, pharmacyId, networkOf(ip))
    try {
      // In sequence: a network over its limit must not use up the pharmacy's.
      await limits.take({ limit: 'visits-of-network', subject: network })
      await limits.take({ limit: 'visits-of-pharmacy', subject: pharmacyId })
    } catch (error) {
      if (kind === 'view' && error instanceof TooManyRequests) exclusions.add(pharmacyId, 'limit')
      return rethrowRateLimitAs('visits.too_many')(error)
    }
  }

  async function store(
    pharmacy: PagePharmacy,
    visit: CountedVisit,
    userAgent: string,
    ip: string,
  ): Promise<void> {
    const { today, yesterday } = await salts.now()
    const network = [pharmacy.pharmacyId, visitorNetwork(ip)]
    const own = [...network, userAgent]
    const parts = isDistinguished(visitorHash(today, ...network), visitorHash(today, ...own))
      ? own
      : network
    const visitor = {
      pharmacy_id: pharmacy.pharmacyId,
      happened_at: new Date(clock.now()).toISOString(),
      visitor: visitorHash(today, ...parts),
      visitor_before: yesterday && visitorHash(yesterday, ...parts),
      session_id: randomUUID(),
    }
    await add({ ...visitor, ...(await detailsOf(pharmacy, visit, userAgent)) })
  }

  async function detailsOf(pharmacy: PagePharmacy, visit: CountedVisit, userAgent: string) {
    const { kind, referrer, tag, offerIds, code } = visit
    if (kind !== 'view') {
      const hasCode = kind === 'whatsapp_tapped' && pharmacy.hasOrderCodes
      return { kind, offer_ids: offerIds, code: hasCode ? code : null }
    }
    const origin = referrerOrigin(referrer)
    const { name, device } = await browserOf(userAgent)
    const source = sourceOf({ tag, origin, userAgent, own: ownOrigin })
    return { kind, user_agent: name, referrer: origin, source, device }
  }

  return {
    /** @param ip is neither stored nor logged */
    async record(visit: Visit, headers: VisitHeaders, ip: string): Promise<void> {
      const pharmacy = await pharmacyOfPage(visit.pharmacyId)
      if (!pharmacy?.isCounting) return
      // Counted where the page was requested.
      if (exclusionOf(headers, isbot) !== null) return
      const { kind } = visit
      const { pharmacyId } = pharmacy
      await take(pharmacyId, kind, ip)
      if (kind === 'staff') exclusions.add(pharmacyId, 'staff')
      else await store(pharmacy, { ...visit, kind }, headers['user-agent'], ip)
    },

    /** Counts the request of a public page by a program, or by a visitor who opted out; others count with its script. */
    pageRequested(
      { pharmacyId, isCounting }: Omit<PagePharmacy, 'hasOrderCodes'>,
      headers: RequestHeaders,
    ): void {
      const reason = isCounting ? exclusionOf(headers, isbot) : null
      if (reason !== null) exclusions.add(pharmacyId, reason)
    },
  }
}

const devices: ReadonlyMap<string | undefined, VisitDevice> = new Map([
  ['mobile', 'phone'],
  ['tablet', 'tablet'],
] as const)

/**
 * What a browser says of itself, for example `Chrome · Android`. The client writes its `User-Agent` freely, so only
 * names from a list are returned.
 */
async function browserOf(userAgent: string): Promise<{ name: string; device: VisitDevice }> {
  const { default: bowser } = await import('bowser')
  const { browser, os, platform } = bowser.parse(userAgent)
  const names = [listed(browser.name, bowser.BROWSER_MAP), listed(os.name, bowser.OS_MAP)]
  return {
    name: names.filter((name) => name !== null).join(' · '),
    device: devices.get(platform.type) ?? 'computer',
  }
}

function listed(name: string | undefined, names: Record<string, string>): string | null {
  return name !== undefined && Object.values(names).includes(name) ? name : null
}
