import type { Config } from '../config/config.ts'
import type { DatabaseConnection } from '../database/database.ts'
import type { WatchStatement } from '../database/prepared-client.ts'
import { WEEKLY_MAIL_TASK } from '../features/analytics/weekly-mail/weekly-mail.service.ts'
import { NOTIFY_DEVICE_TASK, NOTIFY_TASK } from '../features/notifications/push-devices.store.ts'
import { MAIL_TASK as SERVICE_MAIL_TASK } from '../features/whatsapp/whatsapp-mails.ts'
import { type AppModule, tasksOf } from '../http/app-module.ts'
import { MAIL_TASK } from '../platform/auth/auth-mail.ts'
import type { Events } from '../platform/events.ts'
import type { CreateRateLimits } from '../platform/rate-limits.ts'
import { createEventsEcho, createReadiness } from '../platform/readiness.ts'
import {
  createDatabaseReadings,
  type DatabaseTimes,
} from '../platform/telemetry/database-readings.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { logSlowStatements } from '../platform/telemetry/slow-statements.ts'
import { observeTasks, type Telemetry } from '../platform/telemetry/telemetry.ts'
import type { TemporaryFiles } from '../platform/temporary-files.ts'
import { createWorkerActivity } from '../platform/worker-activity.ts'
import type { Log } from '../ports/log.ts'

/** DatabaseTimes that consist of jobs, with their tasks. */
const backlogsOfTasks = {
  mails: [MAIL_TASK, SERVICE_MAIL_TASK, WEEKLY_MAIL_TASK],
  pushes: [NOTIFY_TASK, NOTIFY_DEVICE_TASK],
}

/** Starts what is configured, before the database is connected. What is not configured is not loaded either. */
export async function startTelemetry(
  { metricsPort, slowStatementMs }: Pick<Config, 'metricsPort' | 'slowStatementMs'>,
  log: Pick<Log, 'warn'>,
): Promise<Telemetry & { watch: WatchStatement | undefined }> {
  const metrics = metricsPort !== undefined ? await createMetrics(log) : undefined
  const watch = slowStatementMs > 0 ? logSlowStatements(log, slowStatementMs) : undefined
  return { metrics, watch }
}

type Observed = Pick<DatabaseConnection, 'db' | 'pool'> & {
  modules: readonly AppModule[]
  /** Counts the open sockets. */
  realtime: { sockets(): number }
  events: Pick<Events, 'on' | 'notify' | 'disconnectedMs'>
  limits: CreateRateLimits
  temporaryFiles: TemporaryFiles
}

/** Says what is read at a scrape, each source by itself. @returns the tasks, which are counted, and what knows of their workers */
export function wireTelemetry(telemetry: Telemetry, observed: Observed) {
  const { db, pool, modules, realtime, events, limits, temporaryFiles } = observed
  const echo = createEventsEcho(events)
  const activity = createWorkerActivity()
  const isReady = createReadiness(limits, temporaryFiles, echo, activity)
  const tasks = observeTasks(tasksOf(modules), telemetry)
  const { metrics } = telemetry
  if (!metrics) return { isReady, tasks, activity }
  metrics.addSource(() => [
    ...Object.entries({ used: pool.totalCount - pool.idleCount, idle: pool.idleCount }).map(
      ([state, value]) => ({
        name: 'bancone_database_pool_connections' as const,
        value,
        labels: { state },
      }),
    ),
    { name: 'bancone_database_pool_waiting', value: pool.waitingCount },
    { name: 'bancone_realtime_sockets', value: realtime.sockets() },
    { name: 'bancone_events_disconnected_seconds', value: events.disconnectedMs() / 1_000 },
    { name: 'bancone_workers_silent_seconds', value: activity.silentMs() / 1_000 },
  ])
  metrics.addSource(async () => [{ name: 'bancone_events_lag_seconds', value: await echo() }])
  metrics.addSource(async () => {
    const ready = await isReady().catch(() => false)
    return [{ name: 'bancone_ready', value: ready ? 1 : 0 }]
  })
  const waiting = {
    backlogs: allOf(modules.map(({ backlogs = {} }) => backlogs)),
    lastSuccess: allOf(modules.map(({ lastSuccess = {} }) => lastSuccess)),
    backlogsOfTasks,
  }
  metrics.addSource(createDatabaseReadings(db, Object.keys(tasks), waiting))
  return { isReady, tasks, activity }
}

function allOf(parts: readonly DatabaseTimes[]): DatabaseTimes {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)))
}
