import type { Gauge } from 'prom-client'
import type { Log } from '../../ports/log.ts'
import { createSingleFlight } from '../cache.ts'

/** The metrics that are read at a scrape, with the labels that each has. */
export const gauges = {
  bancone_ready: {
    help: 'Whether /readyz lets requests come here (1) or not (0).',
    labels: [],
  },
  bancone_database_pool_connections: {
    help: 'Connections of this process that serve requests, by state: used or idle.',
    labels: ['state'],
  },
  bancone_database_pool_waiting: {
    help: 'Requests and jobs that wait for a connection of this process.',
    labels: [],
  },
  bancone_realtime_sockets: {
    help: 'Open web sockets of this process.',
    labels: [],
  },
  bancone_events_lag_seconds: {
    help: 'Seconds from a notification of this process until it heard it itself.',
    labels: [],
  },
  bancone_events_disconnected_seconds: {
    help: 'Seconds since the connection for notifications broke; 0 while it is there.',
    labels: [],
  },
  bancone_workers_silent_seconds: {
    help: 'Seconds since the workers of this process asked for a job, in the lane that has been silent for longest.',
    labels: [],
  },
  bancone_events_queue_usage_ratio: {
    help: 'The part of the queue of notifications of PostgreSQL that is in use.',
    labels: [],
  },
  bancone_backlog_age_seconds: {
    help: 'Seconds since the oldest item of a backlog was due; 0 when none waits.',
    labels: ['backlog'],
  },
  bancone_last_success_age_seconds: {
    help: 'Seconds since the beginning of the last good one, or +Inf when there was none, of what is done again and again.',
    labels: ['of'],
  },
  bancone_job_age_seconds: {
    help: 'Seconds since the oldest waiting or running job of a task was due, or since it was added if it has failed before; 0 when there is none.',
    labels: ['task'],
  },
  bancone_jobs_waiting: {
    help: 'Jobs of a task that are due and wait for a worker.',
    labels: ['task'],
  },
  bancone_jobs_given_up: {
    help: 'Jobs of a task that have failed so often that they are not tried again.',
    labels: ['task'],
  },
} as const satisfies Record<string, { help: string; labels: readonly string[] }>

type GaugeName = keyof typeof gauges

/** A value of a gauge, for one combination of its labels. */
export type Reading = { name: GaugeName; value: number; labels?: Record<string, string> }

/** Milliseconds that a source of readings may take. Prometheus waits for ten seconds by default. */
const TIME_LIMIT_MS = 3_000

/** Seconds. Few, because each is a series for each route, method and status class. */
const BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Reads values at a scrape, at most one reading at a time. */
type Source = () => readonly Reading[] | Promise<readonly Reading[]>

/** What this process counts, and what it reads when it is asked. Labels have a bounded number of values. */
export type Metrics = {
  /** The value of the header `Content-Type`. */
  contentType: string
  /** In the text format of Prometheus. */
  text(): Promise<string>
  /** @param route the template, never the path */
  countRequest(request: { method: string; route: string; status: number; seconds: number }): void
  /** @param amount 0 to show that none has run yet */
  countJob(task: string, outcome: 'done' | 'failed', amount?: number): void
  /** @param status undefined: no response */
  countAirtableRequest(status: number | undefined): void
  addSource(source: Source): void
}

/** Loads the library with the first call: a server without metrics does not have it in its memory. */
export async function createMetrics(log: Pick<Log, 'warn'>): Promise<Metrics> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from the first byte of a request to the last of its response. Event streams are not in it.',
    labelNames: ['method', 'route', 'status_class'],
    buckets: BUCKETS,
    registers,
  })
  const jobs = new Counter({
    name: 'bancone_jobs_total',
    help: 'Jobs that this process ran. One that failed is tried again, and counts again.',
    labelNames: ['task', 'outcome'],
    registers,
  })
  const airtable = new Counter({
    name: 'bancone_airtable_requests_total',
    help: 'Requests to Airtable, by the class of the response: 2xx, 429, 4xx, 5xx or none.',
    labelNames: ['status'],
    registers,
  })
  const failures = new Counter({
    name: 'bancone_scrape_failures_total',
    help: 'Sources of values that failed or were too slow. Their values are left out of the scrape.',
    registers,
  })
  // From zero on, or the first one would not be an increase.
  for (const status of ['2xx', '429', '4xx', '5xx', 'none']) airtable.inc({ status }, 0)
  const byName = new Map<string, Gauge>()
  for (const [name, { help, labels }] of Object.entries(gauges)) {
    byName.set(name, new Gauge({ name, help, labelNames: [...labels], registers }))
  }
  const sources: Source[] = []
  const flights = createSingleFlight<string>()

  async function readingsOf(source: Source): Promise<readonly Reading[]> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('values took too long')), TIME_LIMIT_MS)
    })
    try {
      return await Promise.race([source(), late])
    } catch (error) {
      failures.inc()
      log.warn({ err: error }, 'values for the metrics could not be read')
      return []
    } finally {
      clearTimeout(timer)
    }
  }

  async function scrape(): Promise<string> {
    const readings = await Promise.all(sources.map(readingsOf))
    for (const gauge of byName.values()) gauge.reset()
    for (const { name, value, labels = {} } of readings.flat()) {
      byName.get(name)?.set(labels, value)
    }
    return registry.metrics()
  }

  return {
    contentType: registry.contentType,
    text: () => flights.run('', scrape),
    countRequest({ method, route, status, seconds }) {
      requests.observe({ method, route, status_class: classOf(status) }, seconds)
    },
    countJob(task, outcome, amount = 1) {
      jobs.inc({ task, outcome }, amount)
    },
    countAirtableRequest(status) {
      if (status === undefined) airtable.inc({ status: 'none' })
      else airtable.inc({ status: status === 429 ? '429' : classOf(status) })
    },
    addSource(source) {
      sources.push(source)
    },
  }
}

function classOf(status: number): string {
  return `${Math.floor(status / 100)}xx`
}
