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
    ...facts,
    light,
    reasons: reasons.map(({ text }) => text),
    source: facts.isOnAirtable ? 'airtable' : 'database',
    copyError: copyError && failedAt !== null ? { kind: copyError, at: failedAt } : null,
    storageBytes: facts.imageBytes + facts.fileBytes,
    planDaysLeft: planValidUntil === null ? null : daysLeft(planValidUntil, now),
  }
}
