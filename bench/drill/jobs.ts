import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { call, type People } from './people.ts'

/** Asked for at once, so that the workers of one server cannot do them all. */
const BURST = 6
const EVERY_MS = 500

const Address = /mail-\d+@example\.it/

/**
 * Asks for mails, which are jobs, until each server has written one that was asked for from now on.
 *
 * @returns milliseconds since 1970 when the last server had, or undefined after that many seconds
 */
export async function jobsWork(
  { fronts, outboxes }: Cluster,
  people: People,
  seconds: number,
): Promise<number | undefined> {
  const asked = new Set<string>()
  const working = new Set<string>()
  const read = new Set<string>()
  const end = Date.now() + seconds * 1_000
  let nextBurst = 0
  while (Date.now() < end) {
    if (Date.now() > nextBurst) {
      nextBurst = Date.now() + EVERY_MS
      for (let n = 0; n < BURST; n += 1) {
        const email = people.nextMail()
        asked.add(email)
        // One that fails makes no job, and the next burst follows.
        void call(fronts[n % fronts.length] ?? '', '/auth/v1/recover', {
          method: 'POST',
          body: { email },
          fromNewAddress: true,
        }).catch(() => {})
      }
    }
    for (const outbox of outboxes) {
      for (const name of await readdir(outbox).catch(() => [])) {
        const path = join(outbox, name)
        if (!name.endsWith('.eml') || read.has(path)) continue
        read.add(path)
        const [to = ''] = Address.exec(await readFile(path, 'utf8')) ?? []
        if (asked.has(to)) working.add(outbox)
      }
    }
    if (working.size === outboxes.length) return Date.now()
    await pause(50)
  }
  return undefined
}
