import type { Database } from '../../../database/database.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { OrderSource } from '../../../ports/order-source.ts'
import { createOrderChangesStore } from '../changes/order-changes.store.ts'
import { createOrderPush } from '../changes/order-push.ts'
import { createOrderCopyStore } from './order-copy.store.ts'
import { type CopyTiming, createOrderCopy } from './order-copy.ts'
import { createOrderLeasesStore } from './order-leases.store.ts'
import { createOrderPoller, type PollTiming, usualPolls } from './order-poller.ts'
import { createOrderPollsStore } from './order-polls.store.ts'
import { createOrderSetAsideStore } from './order-set-aside.store.ts'
import { createOrderSweepStore } from './order-sweep.store.ts'
import { createOrderSweep, type SweepTiming } from './order-sweep.ts'
import { createOrderWatch } from './order-watch.ts'
import type { OrderHooks } from './order-writing.store.ts'

type Log = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

type Dependencies = {
  db: Database
  /** Null: no store can be read. */
  source: OrderSource | null
  hooks: OrderHooks
  clock: Clock
  log: Log
  timing?: SyncTiming | undefined
}

/** Other waits than the usual ones. */
export type SyncTiming = {
  copy?: Partial<CopyTiming>
  polls?: Partial<PollTiming>
  sweep?: Partial<SweepTiming>
}

export type OrdersSync = ReturnType<typeof createOrdersSync>

/** Everything that keeps the copy of the orders and the order stores in step. */
export function createOrdersSync({ db, source, hooks, clock, log, timing = {} }: Dependencies) {
  const polls = createOrderPollsStore(db)
  const leases = createOrderLeasesStore(db)
  const aside = createOrderSetAsideStore(db)
  const copies = createOrderCopyStore(db, hooks)
  const changes = createOrderChangesStore(db, hooks)
  const push = createOrderPush({ changes, source, log })
  const copy = createOrderCopy({
    store: copies,
    leases,
    aside,
    source,
    onAsked: createOrderWatch({
      store: polls,
      clock,
      firstMs: timing.polls?.watched ?? usualPolls.watched,
    }),
    onAnswered: push.pushWaiting,
    clock,
    log,
    timing: timing.copy ?? {},
  })
  const sweep = createOrderSweep({
    store: createOrderSweepStore(db),
    copies,
    aside,
    leases,
    source,
    log,
    timing: timing.sweep,
  })
  const poller = createOrderPoller({ store: polls, copy, sweep, log, timing: timing.polls })
  return {
    changes,
    push,
    copy,
    sweep,
    /** From now on the stores are read by themselves. Without it they are when a page is asked for. */
    start() {
      if (source) poller.start()
    },
    /** Ends everything that is under way. Nothing begins after it. */
    async stop() {
      // All at once: what is polled ends because the copy does.
      await Promise.all([poller.stop(), copy.settle(), sweep.stop()])
    },
  }
}
