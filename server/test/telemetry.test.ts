import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { noHooks } from '../src/features/orders/records/order-hooks.ts'
import { createOrderCopyStore } from '../src/features/orders/sync/order-copy.store.ts'
import { lastBackups } from '../src/platform/backups/backup-runs.store.ts'
import { enqueue } from '../src/platform/jobs.ts'
import { createDatabaseReadings } from '../src/platform/telemetry/database-readings.ts'
import { createMetrics, type Metrics } from '../src/platform/telemetry/metrics.ts'
import { sourceOrder } from './orders.ts'
import { type TestServer, testServer } from './server.ts'
import { silentLog } from './silent-log.ts'

const AIRTABLE = { baseId: 'appTELEMETRY00001', tableId: 'tblTELEMETRY00001' }
const statuses = [200, 429]

let server: TestServer
let pharmacyId: string
let metrics: Metrics

beforeAll(async () => {
  metrics = await createMetrics(silentLog)
  const body = Buffer.from('{"records":[]}')
  const replies = statuses.map((status) => ({ status, headers: {}, body }))
  server = await testServer({
    telemetry: { metrics },
    airtable: {
      apiUrl: 'http://127.0.0.1',
      token: 'token',
      fetch: async () => replies.shift() ?? Promise.reject(new Error('no reply')),
    },
  })
  pharmacyId = await server.addPharmacy({
    email: 'segreta@example.it',
    code: 'PHARM-0001',
    airtable: AIRTABLE,
  })
})

const scrape = () => metrics.text()

/** The value of a series, which may be written with its labels. */
function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? Number.NaN)
}

describe('the metrics', () => {
  it('count requests by the template of the route, and contain no personal data', async () => {
    await server.addAdministrator({ email: 'amministra@example.it' })
    const headers = await server.signIn('amministra@example.it')
    const url = `/api/admin/pharmacies/${pharmacyId}/profile`
    expect((await server.app.inject({ url, headers })).statusCode).toBe(200)
    expect((await server.app.inject({ url })).statusCode).toBe(401)
    const before = await scrape()
    const series = (status: string) =>
      `http_request_duration_seconds_count{method="GET",route="/api/admin/pharmacies/:pharmacyId/profile",status_class="${status}"}`
    expect([valueOf(before, series('2xx')), valueOf(before, series('4xx'))]).toEqual([1, 1])
    for (let n = 0; n < 100; n += 1) {
      await server.app.inject({ url: `/${randomUUID()}/${n}` })
      await server.app.inject({ url: `/offers/${randomUUID()}` })
    }
    const after = await scrape()
    const seriesIn = (text: string) =>
      new Set(text.match(/^http_request_duration_seconds_count\{.*\}/gm))
    expect(seriesIn(after).size - seriesIn(before).size).toBeLessThanOrEqual(2)
    for (const secret of [pharmacyId, 'segreta', 'amministra', 'PHARM-0001', AIRTABLE.baseId]) {
      expect(after).not.toContain(secret)
    }
  })

  it('show how old what waits is, and what failed', async () => {
    const { db, pool } = server.database
    const copy = createOrderCopyStore(db, noHooks)
    const order = sourceOrder()
    await copy.saveOrders(pharmacyId, [order], new Date().toISOString())
    await pool.query(
      `insert into order_changes (order_id, pharmacy_id, status, stored_status, stored_last, changed_at)
       select id, pharmacy_id, 'Pronto', 'Inviato', now(), now() - interval '3 minutes' from pharmacy_orders`,
    )
    await enqueue(db, 'auth.mail', {}, { key: 'stuck' })
    await enqueue(db, 'orders.push', {}, { key: 'given up' })
    await enqueue(db, 'notifications.tell_device', {}, { key: 'later', delaySeconds: 600 })
    await pool.query(
      `update graphile_worker._private_jobs as job set
         run_at = case key when 'stuck' then now() + interval '1 hour' else run_at end,
         created_at = now() - interval '2 hours',
         attempts = case key when 'stuck' then 3 when 'given up' then max_attempts else 0 end`,
    )
    await expect(server.runTask('auth.mail', { not: 'a mail' })).rejects.toThrow()
    const text = await scrape()
    expect(valueOf(text, 'bancone_backlog_age_seconds{backlog="airtable_changes"}')).toBeCloseTo(
      180,
      -2,
    )
    // Its last attempt failed: the next one is due in an hour, and it has waited for two.
    expect(valueOf(text, 'bancone_job_age_seconds{task="auth.mail"}')).toBeCloseTo(7_200, -2)
    expect(valueOf(text, 'bancone_backlog_age_seconds{backlog="mails"}')).toBeCloseTo(7_200, -2)
    expect(valueOf(text, 'bancone_jobs_total{task="auth.mail",outcome="failed"}')).toBe(1)
    expect(valueOf(text, 'bancone_jobs_given_up{task="orders.push"}')).toBe(1)
    expect(valueOf(text, 'bancone_job_age_seconds{task="orders.push"}')).toBe(0)
    expect(valueOf(text, 'bancone_backlog_age_seconds{backlog="pushes"}')).toBe(0)
    // What waits for a pharmacy that is off waits on purpose.
    await pool.query('update pharmacies set is_active = false where id = $1', [pharmacyId])
    const later = await scrape()
    await pool.query('update pharmacies set is_active = true where id = $1', [pharmacyId])
    expect(valueOf(later, 'bancone_backlog_age_seconds{backlog="airtable_changes"}')).toBe(0)
    expect(valueOf(later, 'bancone_scrape_failures_total')).toBe(0)
    expect(valueOf(later, 'bancone_ready')).toBe(1)
    expect(valueOf(later, 'bancone_events_lag_seconds')).toBeLessThan(3)
  })

  it('show how old the last good back-up and its last test are', async () => {
    const { db, pool } = server.database
    const read = createDatabaseReadings(db, [], {
      backlogs: {},
      lastSuccess: lastBackups,
      backlogsOfTasks: {},
    })
    const hours = async () =>
      (await read())
        .filter(({ name }) => name === 'bancone_last_success_age_seconds')
        .map(({ value, labels }) => [labels?.['of'], Math.round(value / 3600)])
    const never = Number.POSITIVE_INFINITY
    expect(await hours()).toEqual([
      ['backup', never],
      ['restore_test', never],
      ['log_archive', never],
    ])
    const add = (kind: string, state: string, ago: number) =>
      pool.query(
        `insert into backup_runs (kind, state, started_at, finished_at)
         values ($1, $2, now() - $3 * interval '1 hour', now())`,
        [kind, state, ago],
      )
    await add('backup', 'done', 200)
    await add('backup', 'done', 30)
    await add('backup', 'failed', 2)
    await pool.query(
      "insert into backup_archive (archived_until) values (now() - interval '1 hour')",
    )
    expect(await hours()).toEqual([
      ['backup', 30],
      ['restore_test', 200],
      ['log_archive', 1],
    ])
    await add('test', 'done', 100)
    await add('test', 'failed', 1)
    expect((await hours())[1]).toEqual(['restore_test', 100])
  })

  it('count requests to Airtable, and those that it refuses for their rate', async () => {
    const before = await scrape()
    for (let n = 0; n < 2; n += 1) await server.readOrders(pharmacyId, AIRTABLE).catch(() => {})
    const after = await scrape()
    const rise = (status: string) => {
      const series = `bancone_airtable_requests_total{status="${status}"}`
      return (valueOf(after, series) || 0) - (valueOf(before, series) || 0)
    }
    expect([rise('429'), rise('2xx') > 0]).toEqual([1, true])
  })

  it('are all that the alerts and the dashboard ask for', async () => {
    const text = await scrape()
    const exported = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    )
    const values = (label: string) =>
      label === 'of'
        ? new Set(Object.keys(lastBackups))
        : new Set([...text.matchAll(new RegExp(`\\b${label}="([^"]+)"`, 'g'))].map(([, of]) => of))
    for (const file of ['alerts.yml', 'grafana-dashboard.json']) {
      const asked = await readFile(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')
      const names = new Set(asked.match(/\b(?:bancone|http|nodejs|process)_[a-z0-9_]+\b/g))
      expect(names.size).toBeGreaterThan(8)
      expect([...names].filter((name) => !exported.has(name))).toEqual([])
      for (const label of ['of', 'backlog', 'task', 'status', 'state', 'outcome']) {
        const used = [...asked.matchAll(new RegExp(`\\b${label}=\\\\?"([^"\\\\]+)`, 'g'))]
        const known = values(label)
        expect(used.map(([, value]) => value).filter((value) => !known.has(value))).toEqual([])
      }
    }
  })
})
