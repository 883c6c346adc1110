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

export type GaugeName = keyof typeof gauges

/** A value of a gauge, for one combination of its labels. */
export type Reading = { name: GaugeName; value: number; labels?: Record<string, string> }
