import type { Task, Tasks } from '../jobs.ts'
import type { Metrics } from './metrics.ts'
import type { Tracing } from './tracing.ts'

/** What is configured of both. Without them nothing is counted and nothing is loaded. */
export type Telemetry = { metrics?: Metrics | undefined; tracing?: Tracing | undefined }

/** Counts the jobs, and makes a trace of each. */
export function observeTasks(tasks: Tasks, { metrics, tracing }: Telemetry): Tasks {
  if (!metrics && !tracing) return tasks
  const observed = (name: string, task: Task): Task => ({
    ...task,
    async run(payload, signal) {
      const span = tracing?.begin(`job ${name}`, 'internal')
      const run = () => task.run(payload, signal)
      try {
        await (span ? span.run(run) : run())
        metrics?.countJob(name, 'done')
        span?.end()
      } catch (error) {
        metrics?.countJob(name, 'failed')
        span?.end({}, error)
        throw error
      }
    },
  })
  for (const name of Object.keys(tasks)) {
    metrics?.countJob(name, 'done', 0)
    metrics?.countJob(name, 'failed', 0)
  }
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, observed(name, task)]),
  )
}

/** Counts the requests that go through `fetch` to Airtable. */
export function countAirtable(metrics: Metrics, fetch = globalThis.fetch): typeof fetch {
  return async (...request) => {
    try {
      const response = await fetch(...request)
      metrics.countAirtableRequest(response.status)
      return response
    } catch (error) {
      metrics.countAirtableRequest(undefined)
      throw error
    }
  }
}
