import { dayOf } from '@bancone/contract/dates'
import type { Input } from '@bancone/contract/endpoint'
import type { recordVisit, VisitHeaders } from '@bancone/contract/visits'
import { type Limit, networkOf, type RateLimits } from '../../platform/rate-limits.ts'
import type { Clock } from '../../ports/clock.ts'
import { tooManyAs } from '../../too-many.ts'
import { isBot } from './bots.ts'
import { visitorHash } from './visitor-hash.ts'
import type { VisitorSalts } from './visitor-salts.ts'
import { isUncounted, keptReferrer, keptText } from './visits.rules.ts'
import type { VisitsStore } from './visits.store.ts'

export const visitLimits = {
  // From one network to one pharmacy: customers who are in the shop share its own.
  'visits-of-network': { points: 300, seconds: 600 },
  // However many networks somebody has.
  'visits-of-pharmacy': { points: 6_000, seconds: 600 },
} as const satisfies Record<string, Limit>

export type VisitLimitName = keyof typeof visitLimits

type Visit = Input<typeof recordVisit>['body']

type Dependencies = {
  store: VisitsStore
  salts: VisitorSalts
  /** Whether that header is of somebody who is signed in. */
  isStaff(authorization: string): Promise<boolean>
  limits: RateLimits<VisitLimitName>
  clock: Clock
}

export type VisitsService = ReturnType<typeof createVisits>

/** Counts who looks at public pages. What is not counted is answered no differently. */
export function createVisits({ store, salts, isStaff, limits, clock }: Dependencies) {
  async function isVisitor(headers: VisitHeaders): Promise<boolean> {
    const { authorization, 'user-agent': userAgent } = headers
    if (isUncounted(headers) || (await isBot(userAgent))) return false
    return authorization === undefined || !(await isStaff(authorization))
  }

  async function write(pharmacyId: string, visit: Visit, visitor: string, userAgent: string) {
    const { kind, sessionId, offerIds } = visit
    if (kind === 'view') {
      const referrer = keptReferrer(visit.referrer)
      await store.addView(pharmacyId, { sessionId, visitor, userAgent, referrer })
    } else if (offerIds.length > 0) {
      await store.addOfferEvents(pharmacyId, { kind, sessionId, visitor }, offerIds)
    } else if (kind !== 'offer_opened') {
      await store.addEvent(pharmacyId, { kind, sessionId, visitor })
    }
  }

  return {
    /** @param ip is neither kept nor logged */
    async record(visit: Visit, headers: VisitHeaders, ip: string): Promise<void> {
      if (!(await isVisitor(headers))) return
      const pharmacyId = await store.pharmacyOf(visit.pharmacyId)
      if (pharmacyId === undefined) return
      const salt = await salts.of(dayOf(clock.now()))
      const network = networkOf(ip)
      const userAgent = keptText(headers['user-agent'])
      // One after the other: a network that is refused takes nothing from all the others.
      await limits
        .take({ limit: 'visits-of-network', of: visitorHash(salt, pharmacyId, network) })
        .then(() => limits.take({ limit: 'visits-of-pharmacy', of: pharmacyId }))
        .catch(tooManyAs('visits.too_many'))
      await write(pharmacyId, visit, visitorHash(salt, pharmacyId, network, userAgent), userAgent)
    },
  }
}
