import type { Database } from '../../../database/database.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { OrderSource } from '../../../ports/order-source.ts'
import { createOrderChangesStore } from '../changes/order-changes.store.ts'
import { createOrderPush } from '../changes/order-push.ts'
import { createOrderCreation } from '../making/order-creation.ts'
import { createOrderCreationsStore } from '../making/order-creations.store.ts'
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

export type SyncLog = {
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
  log: SyncLog
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
  const creations = createOrderCreationsStore(db, hooks)
  const creation = createOrderCreation({ creations, source, log })
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
    async onAnswered(pharmacyId, signal) {
      // First: a change of an order that is not there cannot be pushed.
      await creation.bringWaiting(pharmacyId, signal)
      await push.pushWaiting(pharmacyId, signal)
    },
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
    creations,
    creation,
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
