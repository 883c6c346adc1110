import { readOrdersAgain } from '@bancone/contract/pharmacy-actions'
import { z } from 'zod'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import type { Http } from '../../http/app-module.ts'
import type { PharmacySession } from '../../http/serve.ts'
import { createAudit } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import type { Task, Tasks } from '../../platform/jobs.ts'
import type { TemporaryFiles } from '../../platform/temporary-files.ts'
import type { FileStore } from '../../ports/file-store.ts'
import type { OrderSource } from '../../ports/order-source.ts'
import type { Outbound } from '../../ports/outbound.ts'
import type { PictureRenderer } from '../../ports/picture-renderer.ts'
import { createOrderChanges } from './changes/order-changes.service.ts'
import { PUSH_TASK } from './changes/order-changes.store.ts'
import { createOrderCorrections } from './corrections/order-corrections.service.ts'
import { createOrderCorrectionsStore } from './corrections/order-corrections.store.ts'
import { createNewOrders, newOrderLimits } from './creation/new-orders.service.ts'
import { createNewOrdersStore, REQUEST_CLEANUP_TASK } from './creation/new-orders.store.ts'
import { CREATE_TASK } from './creation/order-creations.store.ts'
import { createCustomerOrdersStore } from './customers/customer-orders.store.ts'
import { createOrderDetails } from './details/order-details.service.ts'
import { createOrderDetailsStore } from './details/order-details.store.ts'
import {
  createOrderExpiryStore,
  EXPIRY_OF_PHARMACY_TASK,
  type OrderExpiryStore,
} from './expiry/order-expiry.store.ts'
import { createOrderRetentionStore } from './expiry/order-retention.store.ts'
import { createOrderExports } from './exports/order-exports.service.ts'
import { createOrderExportsStore, EXPORT_CLEANUP_TASK } from './exports/order-exports.store.ts'
import type { ImageLinks } from './images/order-image-links.ts'
import { orderImageRoutes } from './images/order-images.routes.ts'
import { createOrderImages, imageTasks, removeUnused } from './images/order-images.service.ts'
import { createOrderImagesStore, IMAGE_TASK } from './images/order-images.store.ts'
import { createOrderHealthStore, orderBacklogs } from './list/order-health.store.ts'
import { createOrders } from './list/orders.service.ts'
import { createOrdersStore } from './list/orders.store.ts'
import type { MigrationTiming } from './migration/migration.context.ts'
import type { MovePhase } from './migration/orders-migration.service.ts'
import {
  orderExportRoutes,
  orderRoutes,
  orderViewRoutes,
  replyTextRoutes,
} from './orders.routes.ts'
import { wireOrdersMigration } from './orders-migration.wiring.ts'
import { type SyncTiming, wireOrdersSync } from './orders-sync.wiring.ts'
import { createOrderPickup } from './pickup/order-pickup.service.ts'
import { createOrderPickupStore, type OnPickup } from './pickup/order-pickup.store.ts'
import type { CustomerTraces } from './records/order-anonymization.store.ts'
import {
  createOrderHistoryStore,
  HISTORY_CLEANUP_TASK,
  noteMessage,
} from './records/order-history.store.ts'
import { createOrderHoldsStore } from './records/order-holds.store.ts'
import type { OrderHooks } from './records/order-hooks.ts'
import { createOrderImageFilesStore } from './records/order-image-files.store.ts'
import { orderTask, pushJob } from './records/order-jobs.store.ts'
import { createOrderNotesStore } from './records/order-notes.store.ts'
import { createOrderNoticesStore } from './records/order-notices.store.ts'
import { type OrdersOwner, personOf } from './records/orders-owner.ts'
import { createReplyTextsStore } from './replies/reply-texts.store.ts'
import { createOrderSearchStore } from './search/order-search.store.ts'
import { createOrderQuarantineStore } from './sync/order-quarantine.store.ts'
import { createPollScheduleStore, rereadOrders } from './sync/poll-schedule.store.ts'
import { createOrderViewsStore } from './views/order-views.store.ts'

/** Overrides of the default timing. `pushTimeoutMs`: how long a change waits for the push. */
export type OrdersTiming = SyncTiming & { pushTimeoutMs?: number; migration?: MigrationTiming }

type Dependencies = Context & {
  /** Null where no order source is configured. */
  source: OrderSource | null
  pictureFiles: FileStore
  imageLinks: ImageLinks
  outbound: Outbound
  pictures: PictureRenderer
  temporaryFiles: TemporaryFiles
  /** Called in the transaction that writes orders. */
  onArrived: OrderHooks['onArrived']
  onStatus: OrderHooks['onStatus']
  onPickup: OnPickup
  /** Finds a pharmacy by its id or its code. */
  findOwner(named: string): Promise<OrdersOwner | undefined>
  movePhase: MovePhase
  /** Days for which history and notes of a removed order are kept. */
  historyDays(): Promise<number>
  /** Days after its last change for which an order keeps its customer's data on this platform; null: as long as it is there. */
  orderDays(): Promise<number | null>
  customerTraces: CustomerTraces
  timing: OrdersTiming | undefined
}

export type OrdersModule = ReturnType<typeof wireOrders>

/** Wires the orders feature. */
export function wireOrders(dependencies: Dependencies) {
  const { db, source, pictureFiles, imageLinks, outbound, limits, clock, log, timing } =
    dependencies
  const hooks: OrderHooks = {
    onArrived: dependencies.onArrived,
    onStatus: dependencies.onStatus,
    onImages: (tx, pharmacyId, seen) => createOrderImagesStore(tx).enqueueNew(pharmacyId, seen),
  }
  const sync = wireOrdersSync({ db, source, hooks, clock, log, timing })
  const { changes, copy, push, creations, creation } = sync
  const { path: picturePath } = imageLinks
  const newOrders = createNewOrdersStore(db, hooks)
  const exports = createOrderExportsStore(db)
  const search = createOrderSearchStore(db)
  const audit = createAudit(db)
  const notices = createOrderNoticesStore(db)
  const images = createOrderImages({
    store: createOrderImagesStore(db),
    source,
    host: pictureFiles,
    outbound,
    pictures: dependencies.pictures,
    temporaryFiles: dependencies.temporaryFiles,
    log,
  })

  const pickup = createOrderPickup({
    store: createOrderPickupStore(db, dependencies.onPickup),
    columns: sync.pickupColumns,
    source,
    copy,
  })

  const orders = createOrders({
    store: createOrdersStore(db),
    search,
    notices,
    picturePath,
    picturePeriod: imageLinks.period,
    findOwner: dependencies.findOwner,
    copy,
    audit,
    clock,
  })
  const orderChanges = createOrderChanges({
    changes,
    push,
    copy,
    picturePath,
    pushTimeoutMs: timing?.pushTimeoutMs,
  })
  const holds = createOrderHoldsStore(db)
  const notes = createOrderNotesStore(db)
  const orderDetails = createOrderDetails({
    store: createOrderDetailsStore(db),
    notes,
    holds,
    ordersOfSameNumber: search.ofSameNumber,
    picturePath,
    audit,
  })
  const orderExports = createOrderExports({
    store: exports,
    ensureFresh: copy.ensureFresh,
    audit,
    clock,
  })
  const orderCreation = createNewOrders({
    store: newOrders,
    creations,
    creation,
    limits: limits(newOrderLimits),
    picturePath,
    waitMs: timing?.pushTimeoutMs,
  })

  const corrections = createOrderCorrections({
    store: createOrderCorrectionsStore(db, hooks),
    source,
    creation,
    picturePath,
    clock,
    waitMs: timing?.pushTimeoutMs,
  })

  const migration = wireOrdersMigration({
    ...dependencies,
    sync,
    hooks,
    audit,
    timing: timing?.migration,
  })

  const expiry = createOrderExpiryStore(db, { audit, traces: dependencies.customerTraces })
  const imageFiles = { files: createOrderImageFilesStore(db), host: pictureFiles }
  const history = createOrderHistoryStore(db)
  const cleanup = (clean: (signal?: AbortSignal) => Promise<object>, message: string): Task => ({
    lane: 'maintenance',
    run: async (_payload, signal) => log.info(await clean(signal), message),
  })

  return {
    /** Reads the order source now. */
    read: copy.poll,
    /** The base has reported a change. @param tx the transaction to which that belongs */
    onBaseChanged: (baseId: string, tx: Database = db) =>
      createPollScheduleStore(tx).signal(baseId),
    /** The base has another token. @param tx the transaction to which that belongs */
    onBaseToken: (tx: Database, baseId: string) => createPollScheduleStore(tx).retry(baseId),
    /** The base has reported removed records. */
    onRecordsRemoved: sync.sweep.removeReported,
    /** Updates the copy as for a page of the list. */
    ensureFresh: orders.ensureFresh,
    /** The numbers of orders by status, and of those to be collected. */
    count: orders.count,
    returnToAirtable: migration.returnToAirtable,
    leaveAirtable: migration.leaveAirtable,
    customers: createCustomerOrdersStore(db, { traces: dependencies.customerTraces }),
    /** Creates an order, as a user or an API key does. */
    create: orderCreation.create,
    /** Marks an order as ready in the name of a user, unless it has been before. */
    async markReady(session: PharmacySession, recordId: string): Promise<void> {
      const change = { recordId, to: 'ready', was: 'none' } as const
      await pickup.change(session.pharmacy, [change], personOf(session))
    },
    /** Adds what is reported of a message to the history of its order. */
    noteMessage,
    /** Removes the pictures of a pharmacy whose orders are gone. @returns the number of files */
    removePictures: (pharmacyId: string, signal?: AbortSignal) =>
      removeUnused(imageFiles, signal, pharmacyId),
    routes(http: Http) {
      const { app, serve } = http
      orderRoutes(http, {
        orders,
        changes: orderChanges,
        corrections,
        newOrders: orderCreation,
        details: orderDetails,
        notes,
        holds,
        notices,
        pickup,
        retention: createOrderRetentionStore(db, dependencies.orderDays),
        expiry,
        health: createOrderHealthStore(db),
        quarantine: createOrderQuarantineStore(db),
      })
      orderExportRoutes(http, orderExports, exports)
      orderViewRoutes(serve, createOrderViewsStore(db))
      replyTextRoutes(serve, createReplyTextsStore(db))
      orderImageRoutes(app, imageLinks, images)
      migration.routes?.(http)
      serve(readOrdersAgain, async ({ params }) => {
        const owner = await dependencies.findOwner(params.pharmacyId)
        if (!owner) throw new AppError('pharmacies.not_found')
        if (!owner.orderSource || !source) throw new AppError('orders.not_on_airtable')
        await rereadOrders(db, audit, owner.id, owner.orderSource)
        return {}
      })
    },
    tasks: {
      [REQUEST_CLEANUP_TASK]: cleanup(
        async () => ({ requests: await newOrders.deleteOldRequests() }),
        'cleaned up requests',
      ),
      [HISTORY_CLEANUP_TASK]: cleanup(async (signal) => {
        const days = await dependencies.historyDays()
        return { orders: await history.deleteGone(days, signal) }
      }, 'forgot the history of orders that are gone'),
      [EXPORT_CLEANUP_TASK]: cleanup(
        async () => ({ exports: await exports.deleteOld() }),
        'cleaned up exports',
      ),
      ...expiryTasks({ store: expiry, platformDays: dependencies.orderDays, log }),
      ...imageTasks({ images, ...imageFiles, log }),
      ...migration.tasks,
      ...orderTask(db, PUSH_TASK, 'delivery', pushJob(sync.pushOrder)),
      ...orderTask(db, CREATE_TASK, 'delivery', pushJob(creation.push)),
      ...orderTask(db, IMAGE_TASK, 'media', ({ pharmacyId, orderId }, signal) =>
        images.copy(pharmacyId, orderId, signal),
      ),
    },
    start() {
      sync.start()
      migration.start?.()
    },
    backlogs: orderBacklogs,
    async close() {
      await Promise.all([migration.close?.(), sync.stop()])
    },
  }
}

export const EXPIRY_TASK = 'orders.expire'

/** Batches of one job; the rest of a large pharmacy is done by another one, so that other jobs do not wait. */
const MAX_BATCHES = 4

const OfPharmacy = z.object({
  pharmacyId: z.uuid(),
  after: z.object({ created: z.string(), id: z.string() }).optional(),
})

type ExpiryDependencies = {
  store: OrderExpiryStore
  /** Days of the platform; null: as long as the order. */
  platformDays(): Promise<number | null>
  log: { info(details: object, message: string): void }
}

/** Removes the customers' data of old orders: by a job for each pharmacy, so that none waits for a large one. */
function expiryTasks({ store, platformDays, log }: ExpiryDependencies): Tasks {
  return {
    [EXPIRY_TASK]: {
      lane: 'maintenance',
      async run() {
        await store.enqueue(await platformDays())
      },
    },
    [EXPIRY_OF_PHARMACY_TASK]: {
      lane: 'maintenance',
      async run(payload, signal) {
        const { pharmacyId, after } = OfPharmacy.parse(payload)
        let orders = 0
        let place = after
        for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
          signal?.throwIfAborted()
          // For each batch, so that a longer time holds at once.
          const { expired, next } = await store.expire(pharmacyId, await platformDays(), place)
          orders += expired
          place = next
          if (!place) break
        }
        if (place) await store.continueLater(pharmacyId, place)
        if (orders > 0) log.info({ orders }, "removed the customers' data of old orders")
      },
    },
  }
}
