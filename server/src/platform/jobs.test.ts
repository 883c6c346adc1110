import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { breakableLine } from '../../test/breakable-line.ts'
import { testDatabase } from '../../test/database.ts'
import { silentLog } from '../../test/silent-log.ts'
import { enqueue, runJobs } from './jobs.ts'

const Payload = z.object({ n: z.number() })

describe('the jobs', () => {
  it('go on after the database went away in the middle of several', async () => {
    const { url, db } = await testDatabase()
    const line = await breakableLine(url)
    // The library prints when it loses a worker, whatever logger it has.
    const printed = vi.spyOn(console, 'error')
    const begun: number[] = []
    const done = new Set<number>()
    const work = async (payload: unknown) => {
      const { n } = Payload.parse(payload)
      begun.push(n)
      // Both workers are at a job that they then cannot report as done.
      await vi.waitUntil(() => begun.length >= 2, { timeout: 10_000 })
      if (begun.length === 2) line.down(true)
      else done.add(n)
    }
    const jobs = await runJobs(line.url, { tasks: { 'test.note': work } }, silentLog)
    onTestFinished(jobs.stop)
    const add = (n: number) =>
      enqueue(db, 'test.note', { n }, { key: `test:${n}`, delaySeconds: 0 })

    await add(1)
    await add(2)
    await vi.waitUntil(() => begun.length === 2, { timeout: 10_000 })
    await add(3)
    await vi.waitUntil(() => printed.mock.calls.length >= 2, { timeout: 10_000 })
    line.down(false)
    await vi.waitUntil(() => done.size === 3, { timeout: 20_000 })
    expect(done).toEqual(new Set([1, 2, 3]))
    printed.mockClear()
  }, 60_000)
})
