import type { Database } from '../../database/database.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { OrderSource, SourceLocation } from '../../ports/order-source.ts'
import { createOrderChangesStore } from './changes/order-changes.store.ts'
import { createOrderPush } from './changes/order-push.ts'
import { createOrderCreation } from './creation/order-creation.ts'
import { createOrderCreationsStore } from './creation/order-creations.store.ts'
import { createPickupColumnsStore } from './pickup/pickup-columns.store.ts'
import { createPickupPush } from './pickup/pickup-push.ts'
import type { OrderHooks } from './records/order-hooks.ts'
import { inTurn } from './records/order-jobs.store.ts'
import { createOrderLeasesStore } from './records/order-leases.store.ts'
import { createOrderCopyStore } from './sync/order-copy.store.ts'
import { type CopyTiming, createOrderCopy } from './sync/order-copy.ts'
import { createOrderPoller, defaultPollTiming, type PollTiming } from './sync/order-poller.ts'
import { createOrderQuarantineStore } from './sync/order-quarantine.store.ts'
import { createOrderSweep, type SweepTiming } from './sync/order-sweep.ts'
import {
  createPollScheduleStore,
  type PollScheduleStore,
  type PollsOfScreen,
} from './sync/poll-schedule.store.ts'

type Dependencies = {
  db: Database
  /** Null where no order source is configured. */
  source: OrderSource | null
  hooks: OrderHooks
  clock: Clock
  log: Log
  timing?: SyncTiming | undefined
}

/** Overrides of the default timing. */
export type SyncTiming = {
  copy?: Partial<CopyTiming>
  pollSchedule?: Partial<PollTiming>
  sweep?: Partial<SweepTiming>
}

export type OrdersSync = ReturnType<typeof wireOrdersSync>

/** Wires all parts that synchronize the copy with the order sources. */
export function wireOrdersSync({ db, source, hooks, clock, log, timing = {} }: Dependencies) {
  const pollSchedule = createPollScheduleStore(db)
  const leases = createOrderLeasesStore(db)
  const quarantine = createOrderQuarantineStore(db)
  const copies = createOrderCopyStore(db, hooks)
  const changes = createOrderChangesStore(db, hooks)
  const push = createOrderPush({ changes, source, log })
  const pickupColumns = createPickupColumnsStore(db)
  const pickupPush = createPickupPush({ store: pickupColumns, source, log })
  const creations = createOrderCreationsStore(db, hooks)
  const creation = createOrderCreation({ creations, source, log })
  const copy = createOrderCopy({
    store: copies,
    leases,
    quarantine,
    source,
    onRequested: watching(pollSchedule, clock, {
      forMs: WATCH_MS,
      firstPollMs: timing.pollSchedule?.watchedMs ?? defaultPollTiming.watchedMs,
    }),
    async onSourceAvailable(pharmacyId, signal) {
      // Creations first: a change of an order that is not in the source cannot be pushed.
      await creation.pushPending(pharmacyId, signal)
      await push.pushPending(pharmacyId, signal)
      await pickupPush.pushPending(pharmacyId, signal)
    },
    clock,
    log,
    timing: timing.copy ?? {},
  })
  const sweep = createOrderSweep({
    copies,
    quarantine,
    leases,
    source,
    log,
    timing: timing.sweep,
  })
  const poller = createOrderPoller({
    store: pollSchedule,
    copy,
    sweep,
    log,
    timing: timing.pollSchedule,
  })
  return {
    changes,
    push,
    pickupColumns,
    /** Brings to the source what waits of an order, except its creation. */
    pushOrder: inTurn(push.push, pickupPush.push),
    creations,
    creation,
    copy,
    sweep,
    /** Starts polling. Without it the sources are read only when a page is requested. */
    start() {
      if (source) poller.start()
    },
    /** Stops all background work. Nothing starts after that. */
    async stop() {
      // Concurrently: polled readings end because the copy is stopped.
      await Promise.all([poller.stop(), copy.stop(), sweep.stop()])
    },
  }
}

/** How long a source is polled frequently after a page request. Pages send one every minute. */
const WATCH_MS = 3 * 60_000

/** Minimum time between two writes to the database. */
const MARK_INTERVAL_MS = 30_000

/** Records that a screen shows the orders of a pharmacy. */
function watching(store: PollScheduleStore, clock: Clock, watched: PollsOfScreen) {
  const lastMarked = new Map<string, number>()
  return async (pharmacyId: string, location: SourceLocation): Promise<void> => {
    const now = clock.now()
    if (now - (lastMarked.get(pharmacyId) ?? Number.NEGATIVE_INFINITY) < MARK_INTERVAL_MS) return
    lastMarked.set(pharmacyId, now)
    await store.markWatched(pharmacyId, location, watched)
  }
}
