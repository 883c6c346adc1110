import { dayOf } from '@bancone/contract/dates'
import type { Input } from '@bancone/contract/endpoint'
import type { recordVisit, VisitHeaders } from '@bancone/contract/visits'
import { type Limit, networkOf, type RateLimits } from '../../platform/rate-limits.ts'
import type { Clock } from '../../ports/clock.ts'
import { rethrowRateLimitAs } from '../../rate-limit-error.ts'
import { isBot } from './bots.ts'
import { visitorHash } from './visitor-hash.ts'
import type { VisitorSalts } from './visitor-salts.ts'
import { isUncounted, storableReferrer, storableText } from './visits.rules.ts'
import type { VisitsStore } from './visits.store.ts'

export const visitLimits = {
  // Per network and pharmacy: customers inside the shop share its network.
  'visits-of-network': { points: 300, seconds: 600 },
  // Per pharmacy, over all networks.
  'visits-of-pharmacy': { points: 6_000, seconds: 600 },
} as const satisfies Record<string, Limit>

export type VisitLimitName = keyof typeof visitLimits

type Visit = Input<typeof recordVisit>['body']

type Dependencies = {
  store: VisitsStore
  salts: VisitorSalts
  /** Whether the `Authorization` header belongs to a signed-in user. */
  isStaff(authorization: string): Promise<boolean>
  limits: RateLimits<VisitLimitName>
  clock: Clock
}

export type VisitsService = ReturnType<typeof createVisits>

/** Counts visits of public pages. The answer does not reveal whether a visit was counted. */
export function createVisits({ store, salts, isStaff, limits, clock }: Dependencies) {
  async function isVisitor(headers: VisitHeaders): Promise<boolean> {
    const { authorization, 'user-agent': userAgent } = headers
    if (isUncounted(headers) || (await isBot(userAgent))) return false
    return authorization === undefined || !(await isStaff(authorization))
  }

  async function write(pharmacyId: string, visit: Visit, visitor: string, userAgent: string) {
    const { kind, sessionId, offerIds } = visit
    if (kind === 'view') {
      const referrer = storableReferrer(visit.referrer)
      await store.addView(pharmacyId, { sessionId, visitor, userAgent, referrer })
    } else if (offerIds.length > 0) {
      await store.addOfferEvents(pharmacyId, { kind, sessionId, visitor }, offerIds)
    } else if (kind !== 'offer_opened') {
      await store.addEvent(pharmacyId, { kind, sessionId, visitor })
    }
  }

  return {
    /** @param ip is neither stored nor logged */
    async record(visit: Visit, headers: VisitHeaders, ip: string): Promise<void> {
      if (!(await isVisitor(headers))) return
      const pharmacyId = await store.pharmacyOf(visit.pharmacyId)
      if (pharmacyId === undefined) return
      const salt = await salts.of(dayOf(clock.now()))
      const network = networkOf(ip)
      const userAgent = storableText(headers['user-agent'])
      // In sequence: a network over its limit must not use up the pharmacy's.
      await limits
        .take({ limit: 'visits-of-network', subject: visitorHash(salt, pharmacyId, network) })
        .then(() => limits.take({ limit: 'visits-of-pharmacy', subject: pharmacyId }))
        .catch(rethrowRateLimitAs('visits.too_many'))
      await write(pharmacyId, visit, visitorHash(salt, pharmacyId, network, userAgent), userAgent)
    },
  }
}
