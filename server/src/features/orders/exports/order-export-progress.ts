import type { ServedFile } from '../../../http/serve.ts'
import type { OrderExportsStore } from './order-exports.store.ts'

type Opened = Awaited<ReturnType<ServedFile['open']>>

/** Milliseconds between two words about how far a file is, also while nobody takes any of it. */
const TELL_MS = 1_000

/**
 * A file with its progress kept: how far it is, and what became of it. Whoever gives it up, in whichever
 * process, breaks its connection.
 *
 * @param write gives the file, and says of every portion of orders that it is in there
 */
export async function followExport(
  store: Pick<OrderExportsStore, 'move' | 'end'>,
  { pharmacyId, id }: { pharmacyId: string; id: string },
  write: (onWritten: (orders: number) => void) => Opened['parts'],
): Promise<Opened> {
  const givenUp = new AbortController()
  let done = 0
  let isTelling = false
  let isOver = false

  async function tell(): Promise<void> {
    if (isTelling) return
    isTelling = true
    try {
      const isUnderWay = await store.move(pharmacyId, id, done)
      // One that has ended meanwhile is not under way either.
      if (!isUnderWay && !isOver) givenUp.abort()
    } finally {
      isTelling = false
    }
  }

  async function* parts() {
    // Unless it is said otherwise below, whoever took it has hung up.
    let state: 'done' | 'cancelled' | 'failed' = 'cancelled'
    // A database that is away for a moment fails those who read, if it must.
    const timer = setInterval(() => void tell().catch(() => {}), TELL_MS)
    try {
      yield ''
      yield* write((orders) => {
        done += orders
      })
      isOver = true
      // Before its end: who has all of it finds it done.
      if (!(await store.end(pharmacyId, id, { state: 'done', done }))) givenUp.abort()
      givenUp.signal.throwIfAborted()
      state = 'done'
    } catch (error) {
      if (!givenUp.signal.aborted) state = 'failed'
      throw error
    } finally {
      clearInterval(timer)
      if (state !== 'done') await store.end(pharmacyId, id, { state, done })
    }
  }

  const begun = parts()
  // Up to the first of them, which is nothing: now it ends also for who has hung up before there is any more.
  await begun.next()
  return { parts: begun, signal: givenUp.signal }
}
