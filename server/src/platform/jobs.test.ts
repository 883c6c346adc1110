import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { breakableConnection } from '../../test/breakable-connection.ts'
import { capturedLog } from '../../test/captured-log.ts'
import { testDatabase } from '../../test/database.ts'
import { untilBlocked } from '../../test/lock-waits.ts'
import { silentLog } from '../../test/silent-log.ts'
import { connectDatabase } from '../database/database.ts'
import { createSockets } from '../database/sockets.ts'
import { createEvents } from './events.ts'
import { POLL_MS } from './job-alarm.ts'
import { enqueue, type Jobs, type Lane, runJobs } from './jobs.ts'
import { createWorkerActivity } from './worker-activity.ts'

const Payload = z.object({ n: z.number() })

describe('the jobs', () => {
  it('go on after the database went away in the middle of several', async () => {
    const { runtimeUrl: url, db, pool } = await testDatabase()
    const line = await breakableConnection(url)
    const { lines, log } = capturedLog('warn')
    // graphile-worker prints to the console when a worker fails, regardless of its logger.
    const printed = vi.spyOn(console, 'error')
    const begun: number[] = []
    let wasDown = false
    const work = async (payload: unknown) => {
      begun.push(Payload.parse(payload).n)
      // Both workers run a job that they then cannot mark as completed.
      await vi.waitUntil(() => begun.length >= 2, { timeout: 10_000 })
      if (!wasDown) line.down(true)
      wasDown = true
    }
    const jobs = await runJobs(
      line.url,
      { tasks: { 'test.note': { lane: 'delivery', run: work } } },
      log,
    )
    onTestFinished(jobs.stop)
    const add = (n: number) =>
      enqueue(db, 'test.note', { n }, { key: `test:${n}`, delaySeconds: 0 })

    await add(1)
    await add(2)
    await vi.waitUntil(() => begun.length === 2, { timeout: 10_000 })
    await add(3)
    await vi.waitUntil(() => lines.length > 0, { timeout: 10_000 })
    line.down(false)
    const left = () => pool.query('select from graphile_worker.jobs')
    await vi.waitUntil(async () => (await left()).rowCount === 0, { timeout: 20_000 })
    expect(new Set(begun)).toEqual(new Set([1, 2, 3]))
    printed.mockClear()
  }, 60_000)

  it('go on after the database was silent, which is logged once', async () => {
    const { runtimeUrl: url, db, pool } = await testDatabase()
    const line = await breakableConnection(url)
    const { lines, log } = capturedLog('warn')
    const sockets = createSockets()
    const checks = { everyMs: 200, limitMs: 2_000 }
    const events = await createEvents(line.url, pool, silentLog, {
      onSilent: sockets.closeAll,
      checks,
    })
    onTestFinished(events.close)
    const done: number[] = []
    const note = async (payload: unknown) => void done.push(Payload.parse(payload).n)
    const activity = createWorkerActivity()
    const tasks = { 'test.note': { lane: 'delivery' as const, run: note } }
    const jobs = await runJobs(line.url, { tasks, activity }, log, sockets)
    onTestFinished(jobs.stop)
    await enqueue(db, 'test.note', { n: 1 }, { key: 'test:1' })
    await vi.waitUntil(() => done.length === 1, { timeout: 10_000 })
    line.freeze(true)
    await enqueue(db, 'test.note', { n: 2 }, { key: 'test:2' })
    await vi.waitUntil(() => lines.length > 0, { timeout: 30_000 })
    expect(activity.silentMs()).toBeGreaterThan(checks.limitMs)
    line.freeze(false)
    await vi.waitUntil(() => done.length === 2, { timeout: 30_000 })
    await vi.waitUntil(() => activity.silentMs() < checks.limitMs, { timeout: 30_000 })
    expect(lines.map((each) => z.object({ msg: z.string() }).parse(JSON.parse(each)).msg)).toEqual([
      'the jobs wait for the database',
    ])
  }, 90_000)

  it('that stop leave the other connections of the process open', async () => {
    const { runtimeUrl: url } = await testDatabase()
    const { pool, sockets, close } = connectDatabase(url)
    onTestFinished(close)
    const run = async () => {}
    const tasks = { 'test.note': { lane: 'delivery' as const, run } }
    const jobs = await runJobs(url, { tasks }, silentLog, sockets)
    const client = await pool.connect()
    await jobs.stop()
    expect((await client.query('select 1')).rowCount).toBe(1)
    client.release()
  })

  it('that were replaced while they ran do not count as given up', async () => {
    const { runtimeUrl: url, db, pool } = await testDatabase()
    const add = () => enqueue(db, 'test.other', {}, { key: 'test:key' })
    await add()
    await pool.query(
      "update graphile_worker._private_jobs set locked_by = 'worker-killed', locked_at = now() - interval '1 minute'",
    )
    await add()
    const keys = async () => {
      const { rows } = await pool.query<{ key: string | null }>(
        'select key from graphile_worker.jobs order by id',
      )
      return rows.map(({ key }) => key)
    }
    expect(await keys()).toEqual([null, 'test:key'])
    const run = async () => {}
    const tasks = { 'test.note': { lane: 'delivery' as const, run } }
    const jobs = await runJobs(url, { tasks }, silentLog)
    onTestFinished(jobs.stop)
    await expect.poll(keys, { timeout: 20_000 }).toEqual(['test:key'])
  }, 30_000)

  it('of a process that was killed are done by another', async () => {
    const { runtimeUrl: url, db, pool } = await testDatabase()
    const done: number[] = []
    await enqueue(db, 'test.note', { n: 1 }, { key: 'test:1' })
    await enqueue(db, 'test.note', { n: 2 }, { key: 'test:2' })
    // Locked jobs as left by killed workers: one long ago, one recent enough to be merely slow.
    await pool.query(
      `update graphile_worker._private_jobs set locked_by = 'worker-killed',
       locked_at = now() - interval '1 minute' where key = 'test:1'`,
    )
    await pool.query(
      `update graphile_worker._private_jobs set locked_by = 'worker-slow',
       locked_at = now() - interval '1 minute' where key = 'test:2'`,
    )
    await pool.query(`insert into job_workers values
      ('worker-killed', now() - interval '50 seconds'), ('worker-slow', now())`)
    const note = async (payload: unknown) => void done.push(Payload.parse(payload).n)
    const jobs = await runJobs(
      url,
      { tasks: { 'test.note': { lane: 'delivery', run: note } } },
      silentLog,
    )
    onTestFinished(jobs.stop)
    await vi.waitUntil(() => done.length > 0, { timeout: 10_000 })
    const { rows } = await pool.query<{ id: string }>(
      `select worker_id as id from job_workers where worker_id like 'worker-killed'`,
    )
    expect([done, rows]).toEqual([[1], []])
  })

  it('are done when their time has come, also after a failure, though workers rarely ask', async () => {
    const { runtimeUrl: url, db } = await testDatabase()
    const done: number[] = []
    let failures = 1
    const note = async (payload: unknown) => {
      const { n } = Payload.parse(payload)
      if (n === 2 && failures-- > 0) throw new Error('the first try')
      done.push(n)
    }
    const jobs = await runJobs(
      url,
      { tasks: { 'test.note': { lane: 'delivery', run: note } } },
      silentLog,
    )
    onTestFinished(jobs.stop)
    await enqueue(db, 'test.note', { n: 0 }, { key: 'test:0' })
    await vi.waitUntil(() => done.length === 1, { timeout: 20_000 })
    await enqueue(db, 'test.note', { n: 1 }, { key: 'test:1', delaySeconds: 2 })
    await enqueue(db, 'test.note', { n: 2 }, { key: 'test:2' })
    // Sooner than the workers ask by themselves.
    await vi.waitUntil(() => done.length === 3, { timeout: POLL_MS * 0.8 })
    expect(new Set(done)).toEqual(new Set([0, 1, 2]))
  }, 60_000)

  it('are added beside one of the same key that a worker takes at this moment', async () => {
    const { db, pool } = await testDatabase()
    const add = (n: number) => enqueue(db, 'test.note', { n }, { key: 'test:key' })
    await add(1)
    const worker = await pool.connect()
    onTestFinished(() => worker.release())
    await worker.query('begin')
    await worker.query(
      "update graphile_worker._private_jobs set locked_by = 'worker', locked_at = now() where key = 'test:key'",
    )
    const added = add(2)
    await untilBlocked(pool)
    await worker.query('commit')
    await added
    const { rows } = await pool.query(
      'select payload, locked_by from graphile_worker._private_jobs order by id',
    )
    expect(rows).toEqual([
      { payload: { n: 1 }, locked_by: 'worker' },
      { payload: { n: 2 }, locked_by: null },
    ])
  })

  it('of every day are asked for once, done when their hour has come, and asked for again', async () => {
    const { runtimeUrl: url, pool } = await testDatabase()
    let done = 0
    const jobs: Jobs = {
      tasks: {
        'test.daily': {
          lane: 'maintenance',
          async run() {
            done += 1
            throw new Error('it goes wrong today')
          },
        },
      },
      daily: { 'test.daily': '02:17' },
    }
    const asked = async () => {
      const { rows } = await pool.query<{ at: string; ahead: boolean }>(
        `select to_char(run_at at time zone 'UTC', 'HH24:MI:SS') as at,
           run_at > now() and run_at <= now() + interval '1 day' as ahead
         from graphile_worker.jobs where key = 'daily:test.daily'`,
      )
      return rows
    }
    const waiting = [{ at: '02:17:00', ahead: true }]
    const start = async () => {
      const runner = await runJobs(url, jobs, silentLog)
      onTestFinished(runner.stop)
    }
    await start()
    expect(await asked()).toEqual(waiting)
    await start()
    expect(await asked()).toEqual(waiting)
    expect(done).toBe(0)
    // A start does not postpone an overdue run.
    await pool.query(
      `update graphile_worker._private_jobs set run_at = now() - interval '1 minute'
       where key = 'daily:test.daily'`,
    )
    await start()
    await vi.waitUntil(() => done > 0, { timeout: 10_000 })
    await expect.poll(asked, { timeout: 10_000 }).toEqual(waiting)
    expect(done).toBe(1)
  })

  it('of one lane do not wait for those of another', async () => {
    const { runtimeUrl: url, db } = await testDatabase()
    let goOn = () => {}
    const blocked = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const begun: string[] = []
    const task = (lane: Lane) => ({
      lane,
      async run() {
        begun.push(lane)
        if (lane !== 'delivery') await blocked
      },
    })
    const tasks = {
      'test.mail': task('delivery'),
      'test.picture': task('media'),
      'test.cleanup': task('maintenance'),
    }
    for (let n = 0; n < 4; n += 1) {
      await enqueue(db, 'test.picture', {}, { key: `picture:${n}` })
      await enqueue(db, 'test.cleanup', {}, { key: `cleanup:${n}` })
    }
    const jobs = await runJobs(url, { tasks }, silentLog)
    onTestFinished(() => {
      goOn()
      return jobs.stop()
    })
    await vi.waitUntil(() => begun.length === 3, { timeout: 10_000 })
    await enqueue(db, 'test.mail', {}, { key: 'mail' })
    await vi.waitUntil(() => begun.includes('delivery'), { timeout: 10_000 })
    expect(begun.toSorted()).toEqual(['delivery', 'maintenance', 'media', 'media'])
  })

  it('of every day are tasks that exist', async () => {
    const { runtimeUrl: url } = await testDatabase()
    await expect(
      runJobs(url, { tasks: {}, daily: { 'test.gone': '02:17' } }, silentLog),
    ).rejects.toThrow('there is no daily task test.gone')
  })
})
