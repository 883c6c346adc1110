import type { CountingPage } from '@bancone/contract/visits'
import { type CompressedText, compressText } from '../../http/compressed-texts.ts'
import type { CountingPageRenderer } from '../../ports/page-renderer.ts'
import { MAX_NETWORK_VISITORS, visitLimits } from './visits.service.ts'
import type { VisitsStore } from './visits.store.ts'

type Dependencies = {
  /** By code, regardless of case. */
  pharmacy(
    code: string,
  ): Promise<{ id: string; code: string; name: string; isActive: boolean } | undefined>
  store: Pick<VisitsStore, 'countingOf'>
  /** Days for which visits are kept. */
  retentionDays(): Promise<number>
  renderer: CountingPageRenderer
}

/** The HTML document by the readable code of a pharmacy; undefined where there is no such pharmacy. */
export type CountingPages = ReturnType<typeof createCountingPages>

/** The pages that say to customers what is counted, made of the settings. */
export function createCountingPages({ pharmacy, store, retentionDays, renderer }: Dependencies) {
  return async (code: string): Promise<CompressedText | undefined> => {
    const found = await pharmacy(code)
    if (!found?.isActive) return undefined
    const [counting, visitDays] = await Promise.all([store.countingOf(found.id), retentionDays()])
    const { points, seconds } = visitLimits['visits-of-network']
    const page: CountingPage = {
      pharmacyName: found.name,
      pharmacyCode: found.code,
      ...counting,
      visitDays,
      limit: { visits: points, minutes: seconds / 60, visitors: MAX_NETWORK_VISITORS },
    }
    return compressText(await renderer.render(page))
  }
}
