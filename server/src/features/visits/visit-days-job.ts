import { addDays, dayOf } from '@bancone/contract/dates'
import { ORDER_CODE_DAYS } from '@bancone/contract/visits'
import type { Tasks } from '../../platform/jobs.ts'
import type { Clock } from '../../ports/clock.ts'
import type { VisitsStore } from './visits.store.ts'

export const VISIT_DAYS_TASK = 'visits.days'

/** Days for which there are partitions in advance. */
const AHEAD = 7

type Dependencies = {
  visits: Pick<VisitsStore, 'createPartitions' | 'dropPartitions' | 'removeCodesBefore'>
  /** Days for which visits are kept. */
  retentionDays(): Promise<number>
  clock: Clock
  log: { info(details: object, message: string): void }
}

/** Creates the partitions of the next days, and removes visits and order codes that are older than they are kept. */
export function visitDaysTasks({ visits, retentionDays, clock, log }: Dependencies): Tasks {
  return {
    [VISIT_DAYS_TASK]: {
      lane: 'maintenance',
      async run() {
        const today = dayOf(clock.now())
        await prepareVisitDays(visits, clock)
        const keptFrom = addDays(today, -(await retentionDays()))
        const partitions = await visits.dropPartitions(keptFrom, addDays(today, -1))
        const codes = await visits.removeCodesBefore(addDays(today, -ORDER_CODE_DAYS))
        log.info({ partitions, codes }, 'removed old visits')
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
