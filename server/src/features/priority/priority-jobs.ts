import { z } from 'zod'
import type { Tasks } from '../../platform/jobs.ts'
import type { PriorityCountersStore } from './priority-counters.store.ts'
import type { PriorityLifeStore } from './priority-life.store.ts'
import { SERVED_TASK } from './priority-visits.store.ts'

export const PRIORITY_DAY_TASK = 'priority.end_day'

const OfVisit = z.object({ pharmacyId: z.uuid(), visitId: z.uuid() })

type Dependencies = {
  life: PriorityLifeStore
  counters: Pick<PriorityCountersStore, 'removeOld'>
  log: { info(details: object, message: string): void }
}

export function priorityTasks({ life, counters, log }: Dependencies): Tasks {
  return {
    [SERVED_TASK]: {
      lane: 'delivery',
      run(payload) {
        const { pharmacyId, visitId } = OfVisit.parse(payload)
        return life.serve(pharmacyId, visitId)
      },
    },
    [PRIORITY_DAY_TASK]: {
      lane: 'maintenance',
      async run(_payload, signal) {
        const ended = await inBatches(life.endOpen, signal)
        const forgotten = await inBatches(life.forgetPeople, signal)
        const removed = await inBatches(life.removeOld, signal)
        await counters.removeOld()
        log.info({ ended, forgotten, removed }, 'the day of priority access has ended')
      },
    },
  }
}

/** @returns the number of rows */
async function inBatches(batch: () => Promise<number>, signal?: AbortSignal): Promise<number> {
  let rows = 0
  for (;;) {
    signal?.throwIfAborted()
    const changed = await batch()
    if (changed === 0) return rows
    rows += changed
  }
}
