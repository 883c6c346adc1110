import { randomUUID } from 'node:crypto'
import type { PageViewDevice } from '@bancone/contract/analytics'
import type { Input } from '@bancone/contract/endpoint'
import type { PageEventHeaders, PageEventKind, recordPageEvent } from '@bancone/contract/page-views'
import { isbot } from 'isbot'
import { createCache } from '../../platform/cache.ts'
import {
  type Limit,
  networkOf,
  type RateLimits,
  rethrowRateLimitAs,
  TooManyRequests,
} from '../../platform/rate-limits.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Exclusions } from './exclusions.ts'
import { exclusionOf, type RequestHeaders, referrerOrigin, sourceOf } from './page-views.rules.ts'
import type { Counting, PageEvent } from './page-views.store.ts'
import { type VisitorSalts, visitorHash, visitorNetwork } from './visitor-salts.ts'

export const pageEventLimits = {
  // Per network and pharmacy: customers inside the shop, and those of a mobile provider, share a network.
  'page-events-of-network': { points: 600, seconds: 600 },
  // Per pharmacy, over all networks.
  'page-events-of-pharmacy': { points: 20_000, seconds: 600 },
} as const satisfies Record<string, Limit>

/**
 * How many visitors of a pharmacy are told apart in a network and a day. The network of a shop, or of a mobile
 * provider, has fewer kinds of browsers. All others are one visitor, so that made-up browsers are no visitors.
 */
export const MAX_NETWORK_VISITORS = 50

/** Networks whose visitors are remembered, in this process. */
const MAX_NETWORKS = 10_000

/** The pharmacy of a public page. `isCounting` is also false where its offers are not shown. */
export type PagePharmacy = Counting & { pharmacyId: string }

export type PageEventLimitName = keyof typeof pageEventLimits

type ReceivedEvent = Input<typeof recordPageEvent>['body']
type CountedEvent = Omit<ReceivedEvent, 'kind'> & { kind: Exclude<PageEventKind, 'staff'> }

type Dependencies = {
  /** The pharmacy of a code, regardless of case; null when there is none. */
  pharmacyOfPage(code: string): Promise<PagePharmacy | null>
  salts: VisitorSalts
  /** Resolves when the event is stored. */
  add(event: PageEvent): Promise<void>
  exclusions: Pick<Exclusions, 'add'>
  limits: Pick<RateLimits<PageEventLimitName>, 'take'>
  /** The origin of this application. */
  ownOrigin: string
  clock: Clock
}

export type PageViewsService = ReturnType<typeof createPageViews>

/** Records what happens on public pages. The answer does not reveal whether it was counted. */
export function createPageViews(dependencies: Dependencies) {
  const { pharmacyOfPage, salts, add, exclusions, limits, ownOrigin, clock } = dependencies

  const visitorsOf = createCache<Set<string>>({ max: MAX_NETWORKS })

  /** Whether the visitor of a network is one of those that are told apart. Both are pseudonyms of today. */
  function isDistinguished(network: string, visitor: string): boolean {
    const known = visitorsOf.get(network) ?? new Set()
    if (known.size < MAX_NETWORK_VISITORS) known.add(visitor)
    visitorsOf.set(network, known)
    return known.has(visitor)
  }

  /** @throws AppError `page_events.too_many` */
  async function take(pharmacyId: string, kind: PageEventKind, ip: string): Promise<void> {
    const { today } = await salts.now()
    const network = visitorHash(today, pharmacyId, networkOf(ip))
    try {
      // In sequence: a network over its limit must not use up the pharmacy's.
      await limits.take({ limit: 'page-events-of-network', subject: network })
      await limits.take({ limit: 'page-events-of-pharmacy', subject: pharmacyId })
    } catch (error) {
      if (kind === 'view' && error instanceof TooManyRequests) exclusions.add(pharmacyId, 'limit')
      return rethrowRateLimitAs('page_events.too_many')(error)
    }
  }

  async function store(pharmacy: PagePharmacy, event: CountedEvent, userAgent: string, ip: string) {
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
    await add({ ...visitor, ...(await detailsOf(pharmacy, event, userAgent)) })
  }

  async function detailsOf(pharmacy: PagePharmacy, event: CountedEvent, userAgent: string) {
    const { kind, referrer, tag, offerIds, code } = event
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
    async record(event: ReceivedEvent, headers: PageEventHeaders, ip: string): Promise<void> {
      const pharmacy = await pharmacyOfPage(event.pharmacyCode)
      if (!pharmacy?.isCounting) return
      // Counted where the page was requested.
      if (exclusionOf(headers, isbot) !== null) return
      const { kind } = event
      const { pharmacyId } = pharmacy
      await take(pharmacyId, kind, ip)
      if (kind === 'staff') exclusions.add(pharmacyId, 'staff')
      else await store(pharmacy, { ...event, kind }, headers['user-agent'], ip)
    },

    /**
     * Counts the request of a public page by a program, or by a visitor who opted out; others count with its script.
     */
    pageRequested(
      { pharmacyId, isCounting }: Omit<PagePharmacy, 'hasOrderCodes'>,
      headers: RequestHeaders,
    ): void {
      const reason = isCounting ? exclusionOf(headers, isbot) : null
      if (reason !== null) exclusions.add(pharmacyId, reason)
    },
  }
}

const devices: ReadonlyMap<string | undefined, PageViewDevice> = new Map([
  ['mobile', 'phone'],
  ['tablet', 'tablet'],
] as const)

/**
 * What a browser says of itself, for example `Chrome · Android`. The client writes its `User-Agent` freely, so only
 * names from a list are returned.
 */
async function browserOf(userAgent: string): Promise<{ name: string; device: PageViewDevice }> {
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
