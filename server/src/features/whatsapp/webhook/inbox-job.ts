import type { Tasks } from '../../../platform/jobs.ts'
import type { createEventProcessing } from './event-processing.ts'
import { INBOX_TASK, type InboxStore } from './inbox.store.ts'

/** Webhooks of one job. The next job runs after those that wait for a worker meanwhile. */
const PER_JOB = 200

type Dependencies = {
  inbox: InboxStore
  process: ReturnType<typeof createEventProcessing>
  log: { warn(details: object, message: string): void }
}

/** The job that processes the stored webhooks. */
export function inboxTasks({ inbox, process, log }: Dependencies): Tasks {
  return {
    [INBOX_TASK]: {
      lane: 'delivery',
      async run(_payload, signal) {
        let failures = 0
        for (let done = 0; done < PER_JOB; done += 1) {
          // The webhooks that are left wait for the next job.
          if (signal?.aborted) break
          const outcome = await inbox.processNext(process, (error, isGivenUp) =>
            log.warn({ err: error, isGivenUp }, 'a webhook of WhatsApp was not processed'),
          )
          if (outcome === 'failed') failures += 1
          // Webhooks that fail come last.
          if (outcome === 'none' || failures > 5) {
            if (failures > 0) throw new Error('webhooks of WhatsApp were not processed')
            return
          }
        }
        if (failures > 0) throw new Error('webhooks of WhatsApp were not processed')
        await inbox.enqueue()
      },
    },
  }
}
