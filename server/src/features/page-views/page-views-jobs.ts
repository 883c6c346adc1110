import { addDays, dayOf } from '@bancone/contract/dates'
import { ORDER_CODE_DAYS } from '@bancone/contract/page-views'
import type { Tasks } from '../../platform/jobs.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { PageViewsStore } from './page-views.store.ts'
import { PAST_SALTS_TASK, SALT_REMAINS_MS, type VisitorSaltsStore } from './visitor-salts.store.ts'

export const PAGE_VIEW_DAYS_TASK = 'page-views.days'

/** Days for which there are partitions in advance. */
const AHEAD = 7

type Dependencies = {
  pageViews: Pick<PageViewsStore, 'createPartitions' | 'dropPartitions' | 'removeCodesBefore'>
  salts: Pick<VisitorSaltsStore, 'removeBefore'>
  /** Days for which page views are kept. */
  retentionDays(): Promise<number>
  clock: Clock
  log: Pick<Log, 'info'>
}

export function pageViewsTasks({
  pageViews,
  salts,
  retentionDays,
  clock,
  log,
}: Dependencies): Tasks {
  return {
    /**
     * Creates the partitions of the next days, and removes page views and order codes that are older than they are
     * kept.
     */
    [PAGE_VIEW_DAYS_TASK]: {
      lane: 'maintenance',
      async run() {
        const today = dayOf(clock.now())
        await preparePageViewDays(pageViews, clock)
        const keptFrom = addDays(today, -(await retentionDays()))
        const codes = await pageViews.removeCodesBefore(addDays(today, -ORDER_CODE_DAYS))
        // Last, because it fails where the tables are in use; the run is repeated then.
        const partitions = await pageViews.dropPartitions(keptFrom, addDays(today, -1))
        log.info({ partitions, codes }, 'removed old page views')
      },
    },
    /** Deletes the salts of past days, which makes the pseudonyms of their visitors irreversible. */
    [PAST_SALTS_TASK]: {
      lane: 'maintenance',
      async run() {
        const removed = await salts.removeBefore(dayOf(clock.now() - SALT_REMAINS_MS))
        log.info({ removed }, 'removed the salts of past days')
      },
    },
  }
}

/** Creates the partitions of today and of the next days. */
export function preparePageViewDays(
  pageViews: Pick<PageViewsStore, 'createPartitions'>,
  clock: Clock,
): Promise<void> {
  const today = dayOf(clock.now())
  return pageViews.createPartitions(today, addDays(today, AHEAD))
}
