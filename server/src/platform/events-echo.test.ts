import { expect, it, onTestFinished, vi } from 'vitest'
import { breakableConnection } from '../../test/breakable-connection.ts'
import { capturedLog } from '../../test/captured-log.ts'
import { testDatabase } from '../../test/database.ts'
import { testApp } from '../../test/server.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { createRateLimits } from './rate-limits.ts'
import { createEventsEcho, createReadiness } from './readiness.ts'
import { createTemporaryFiles } from './temporary-files.ts'

it('a process is ready only while it hears its own notifications', async () => {
  const database = await testDatabase()
  const line = await breakableConnection(database.url)
  const { lines, log } = capturedLog('warn')
  const { wired, app } = await testApp({ ...database, url: line.url }, {}, log)
  onTestFinished(async () => {
    await app.close()
    await wired.close()
  })
  const status = async (path: string) => (await app.inject(path)).statusCode
  line.down(true)
  await vi.waitUntil(() => lines.some((each) => each.includes('the connection for events broke')))
  expect(await status('/readyz')).toBe(503)
  expect(await status('/healthz')).toBe(200)
  line.down(false)
  await vi.waitUntil(async () => (await status('/readyz')) === 200, { timeout: 10_000 })
})

it('is asked for once by many probes, and fails when nothing is heard', async () => {
  const sent: string[] = []
  let hear = (_payload: string) => {}
  let isDeaf = false
  const events = {
    on(_channel: string, listener: (payload: string) => void) {
      hear = listener
      return () => {}
    },
    async notify(_channel: string, payload: string) {
      sent.push(payload)
      if (!isDeaf) hear(payload)
    },
    disconnectedMs: () => 0,
  }
  const echo = createEventsEcho(events, 30)
  await Promise.all([echo(), echo()])
  expect(await echo()).toBeLessThan(3)
  expect(sent).toHaveLength(1)
  isDeaf = true
  const deaf = createEventsEcho(events, 30)
  await expect(deaf()).rejects.toThrow('not heard in 30 ms')
  // A failure is not kept: the next probe asks again.
  isDeaf = false
  expect(await deaf()).toBeLessThan(3)
})

it('a process is ready only while its workers ask for jobs', async () => {
  const { pool } = await testDatabase()
  const files = createTemporaryFiles(await temporaryFolder())
  const isReady = (silentMs: number) =>
    createReadiness(
      (of) => createRateLimits(pool, Buffer.alloc(32), of),
      files,
      async () => 0,
      { silentMs: () => silentMs },
    )()
  expect(await isReady(60_000)).toBe(true)
  await expect(isReady(60_001)).rejects.toThrow('workers do not ask for jobs')
})
