import { addDays, dayOf } from '@bancone/contract/dates'
import { ORDER_CODE_DAYS } from '@bancone/contract/visits'
import type { Tasks } from '../../platform/jobs.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { PAST_SALTS_TASK, SALT_REMAINS_MS, type VisitorSaltsStore } from './visitor-salts.store.ts'
import type { VisitsStore } from './visits.store.ts'

export const VISIT_DAYS_TASK = 'visits.days'

/** Days for which there are partitions in advance. */
const AHEAD = 7

type Dependencies = {
  visits: Pick<VisitsStore, 'createPartitions' | 'dropPartitions' | 'removeCodesBefore'>
  salts: Pick<VisitorSaltsStore, 'removeBefore'>
  /** Days for which visits are kept. */
  retentionDays(): Promise<number>
  clock: Clock
  log: Pick<Log, 'info'>
}

export function visitsTasks({ visits, salts, retentionDays, clock, log }: Dependencies): Tasks {
  return {
    /** Creates the partitions of the next days, and removes visits and order codes that are older than they are kept. */
    [VISIT_DAYS_TASK]: {
      lane: 'maintenance',
      async run() {
        const today = dayOf(clock.now())
        await prepareVisitDays(visits, clock)
        const keptFrom = addDays(today, -(await retentionDays()))
        const codes = await visits.removeCodesBefore(addDays(today, -ORDER_CODE_DAYS))
        // Last, because it fails where the tables are in use; the run is repeated then.
        const partitions = await visits.dropPartitions(keptFrom, addDays(today, -1))
        log.info({ partitions, codes }, 'removed old visits')
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
export function prepareVisitDays(
  visits: Pick<VisitsStore, 'createPartitions'>,
  clock: Clock,
): Promise<void> {
  const today = dayOf(clock.now())
  return visits.createPartitions(today, addDays(today, AHEAD))
}
