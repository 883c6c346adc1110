import {
  type Attention,
  attentionOf,
  daysLeft,
  type Light,
} from '@bancone/contract/pharmacy-attention'
import type { PharmacyOverview } from '@bancone/contract/pharmacy-overview'
import type { OverviewFacts } from './pharmacy-overview.store.ts'

const severity: Record<Light, number> = { red: 2, yellow: 1, green: 0 }

/**
 * The pharmacies with their lights, those that need attention most first. Equal ones keep their order.
 *
 * @param now milliseconds since 1970
 */
export function overviewOf(facts: readonly OverviewFacts[], now: number): PharmacyOverview[] {
  return facts
    .map((each) => ({ each, attention: attentionOf(each, now) }))
    .toSorted((a, b) => compareNeed(b.attention, a.attention))
    .map(({ each, attention }) => shown(each, attention, now))
}

/** The light first, then the number of severe reasons, then of all. */
function compareNeed(a: Attention, b: Attention): number {
  const severe = ({ reasons }: Attention) => reasons.filter(({ light }) => light === 'red').length
  return (
    severity[a.light] - severity[b.light] ||
    severe(a) - severe(b) ||
    a.reasons.length - b.reasons.length
  )
}

function shown(facts: OverviewFacts, { light, reasons }: Attention, now: number): PharmacyOverview {
  const { copyError, failedAt, planValidUntil } = facts
  return {
    id: facts.id,
    code: facts.code,
    name: facts.name,
    isActive: facts.isActive,
    light,
    reasons: reasons.map(({ text }) => text),
    lastSignInAt: facts.lastSignInAt,
    lastOrderAt: facts.lastOrderAt,
    ordersIn7Days: facts.ordersIn7Days,
    source: facts.isOnAirtable ? 'airtable' : 'database',
    lastReadAt: facts.lastReadAt,
    copyError: copyError && failedAt !== null ? { kind: copyError, at: failedAt } : null,
    activeOffers: facts.activeOffers,
    maxOffers: facts.maxOffers,
    storageBytes: facts.imageBytes + facts.fileBytes,
    failedJobs: facts.failedJobs,
    planValidUntil,
    planDaysLeft: planValidUntil === null ? null : daysLeft(planValidUntil, now),
  }
}
