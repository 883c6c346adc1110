import { type Outbound, OutboundError } from '../../ports/outbound.ts'
import type { Task, Tasks } from '../jobs.ts'
import type { Metrics } from './metrics.ts'

/** Without metrics nothing is counted and nothing is loaded. */
export type Telemetry = { metrics?: Metrics | undefined }

/** Counts the jobs. */
export function observeTasks(tasks: Tasks, { metrics }: Telemetry): Tasks {
  if (!metrics) return tasks
  const observed = (name: string, task: Task): Task => ({
    ...task,
    async run(payload, signal) {
      try {
        await task.run(payload, signal)
        metrics.countJob(name, 'done')
      } catch (error) {
        metrics.countJob(name, 'failed')
        throw error
      }
    },
  })
  for (const name of Object.keys(tasks)) {
    metrics.countJob(name, 'done', 0)
    metrics.countJob(name, 'failed', 0)
  }
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, observed(name, task)]),
  )
}

/** Counts the requests that go through `fetch` to Airtable. */
export function countAirtable(metrics: Metrics, fetch: Outbound['fetch']): Outbound['fetch'] {
  return async (...request) => {
    try {
      const response = await fetch(...request)
      metrics.countAirtableRequest(response.status)
      return response
    } catch (error) {
      metrics.countAirtableRequest(error instanceof OutboundError ? error.status : undefined)
      throw error
    }
  }
}
