import { changeOrdersStatus, selectOrders } from '@bancone/contract/bulk-changes'
import { createOrder } from '@bancone/contract/new-orders'
import { correctOrder, removeOrder } from '@bancone/contract/order-corrections'
import {
  addOrderNote,
  changeOrderNote,
  getOrder,
  recordShownCodes,
  removeOrderNote,
} from '@bancone/contract/order-details'
import { getOrdersHealth, listOrdersHealth } from '@bancone/contract/order-diagnostics'
import {
  cancelOrderExport,
  downloadOrderExport,
  getOrderExport,
  startOrderExport,
} from '@bancone/contract/order-exports'
import {
  changeOrderLine,
  changeOrdersPickup,
  changePickupColumns,
  changePickupSettings,
  expectOrderOn,
  getPickupColumns,
  getPickupSettings,
  keepOrderUntil,
} from '@bancone/contract/order-pickup'
import {
  changeOrderRetention,
  getOrderRetention,
  holdOrder,
  listHeldOrders,
  previewOwnOrderRetention,
  releaseOrder,
} from '@bancone/contract/order-retention'
import { countOrders, searchOrders, suggestSearch } from '@bancone/contract/order-search'
import {
  addOrderView,
  changeOrderView,
  listOrderViews,
  removeOrderView,
} from '@bancone/contract/order-views'
import {
  changeOrderStatus,
  dismissOrderNotice,
  listAllOrders,
  listOrders,
  markOrdersSeen,
  refreshOrders,
} from '@bancone/contract/orders'
import { pagination } from '@bancone/contract/paging'
import {
  addReplyText,
  changeReplyText,
  listReplyTexts,
  removeReplyText,
} from '@bancone/contract/reply-texts'
import { findOrdersWithCode } from '@bancone/contract/scanned-codes'
import { previewOrderRetention } from '@bancone/contract/settings'
import { AppError } from '../../base/app-error.ts'
import type { Http } from '../../http/app-module.ts'
import type { Serve } from '../../http/serve.ts'
import { callerFrom } from '../../platform/auth/auth-protocol.ts'
import type { OrderChanges } from './changes/order-changes.service.ts'
import type { OrderCorrections } from './corrections/order-corrections.service.ts'
import type { NewOrdersService } from './creation/new-orders.service.ts'
import type { OrderDetailsService } from './details/order-details.service.ts'
import type { OrderExpiryStore } from './expiry/order-expiry.store.ts'
import type { OrderRetentionStore } from './expiry/order-retention.store.ts'
import type { OrderExports } from './exports/order-exports.service.ts'
import type { OrderExportsStore } from './exports/order-exports.store.ts'
import type { OrderHealthStore } from './list/order-health.store.ts'
import type { OrdersService } from './list/orders.service.ts'
import type { OrderPickupService } from './pickup/order-pickup.service.ts'
import { withActor } from './records/order-details.rules.ts'
import type { OrderHoldsStore } from './records/order-holds.store.ts'
import type { OrderNotesStore } from './records/order-notes.store.ts'
import type { OrderNoticesStore } from './records/order-notices.store.ts'
import { personOf } from './records/orders-owner.ts'
import type { ReplyTextsStore } from './replies/reply-texts.store.ts'
import type { OrderQuarantineStore } from './sync/order-quarantine.store.ts'
import type { OrderViewsStore } from './views/order-views.store.ts'

type Parts = {
  orders: OrdersService
  changes: OrderChanges
  corrections: OrderCorrections
  newOrders: NewOrdersService
  details: OrderDetailsService
  notes: OrderNotesStore
  holds: OrderHoldsStore
  notices: OrderNoticesStore
  retention: OrderRetentionStore
  pickup: OrderPickupService
  expiry: Pick<OrderExpiryStore, 'count' | 'countOf'>
  health: OrderHealthStore
  quarantine: OrderQuarantineStore
}

/** Maximum number of quarantined records in a response; once they are corrected, the next ones appear. */
const MAX_RECORDS = 100

export function orderRoutes(
  { serve, serveCachedJson, serveList }: Pick<Http, 'serve' | 'serveCachedJson' | 'serveList'>,
  {
    orders,
    changes,
    corrections,
    newOrders,
    details,
    notes,
    holds,
    notices,
    retention,
    pickup,
    expiry,
    health,
    quarantine,
  }: Parts,
) {
  serveCachedJson(listOrders, 'records', ({ query }, session) =>
    orders.list(session.pharmacy, query),
  )

  serveCachedJson(searchOrders, 'records', ({ body }, session) =>
    orders.list(session.pharmacy, body),
  )

  serve(suggestSearch, ({ body }, session) => orders.suggest(session.pharmacy, body.q))

  serve(findOrdersWithCode, ({ body }, session) => orders.withCode(session.pharmacy, body.code))

  serve(countOrders, ({ body }, session) => orders.count(session.pharmacy, body))

  serve(selectOrders, ({ body }, session) => orders.select(session.pharmacy, body))

  serveList(listAllOrders, 'records', ({ query }, session, call) =>
    orders.all({ ...session, ...callerFrom(call) }, query.pharmacyFilter),
  )

  serve(refreshOrders, (_input, session) => orders.refresh(session.pharmacy))

  serve(markOrdersSeen, ({ body }, session) => orders.markSeen(session.pharmacy, body.recordIds))

  serve(dismissOrderNotice, async ({ params }, session) => {
    await notices.dismiss(session.pharmacy.id, params.recordId)
    return {}
  })

  serve(changeOrderStatus, ({ params, query, body }, session) => {
    const change = { recordId: params.recordId, Stato: body.fields.Stato, was: query.was }
    return changes.changeOne(session.pharmacy, change, personOf(session))
  })

  serve(changeOrdersStatus, ({ body }, session) =>
    changes.changeMany(session.pharmacy, body.changes, personOf(session)),
  )

  serve(correctOrder, ({ params, body }, session) =>
    corrections.correct(session.pharmacy, params.recordId, body, personOf(session)),
  )
  serve(removeOrder, ({ params }, session) => corrections.remove(session.pharmacy, params.recordId))

  serve(createOrder, ({ headers, body }, session) =>
    newOrders.create(session, headers['idempotency-key'], body.fields),
  )

  serve(getOrder, ({ params }, session) => details.get(session.pharmacy, params.recordId, session))

  serve(recordShownCodes, async ({ body }, session) => {
    await details.recordShownCodes(session.pharmacy.id, body.recordId)
    return {}
  })

  serve(addOrderNote, async ({ params, body }, session) => {
    const { recordId } = params
    const note = await notes.add(session.pharmacy.id, recordId, body.text, personOf(session))
    return withActor(note, session)
  })

  serve(changeOrderNote, async ({ params, body }, session) => {
    const note = await notes.change(session.pharmacy.id, params, body.text, personOf(session))
    return withActor(note, session)
  })

  serve(removeOrderNote, async ({ params }, session) => {
    await notes.remove(session.pharmacy.id, params)
    return {}
  })

  serve(changeOrdersPickup, ({ body }, session) =>
    pickup.change(session.pharmacy, body.changes, personOf(session)),
  )
  serve(changeOrderLine, ({ params, body }, session) =>
    pickup.changeLine(session.pharmacy, params.recordId, body, personOf(session)),
  )
  serve(expectOrderOn, async ({ params, body }, { pharmacy }) => {
    await pickup.expectOn(pharmacy.id, params.recordId, body.day)
    return {}
  })
  serve(keepOrderUntil, async ({ params, body }, { pharmacy }) => {
    await pickup.keepUntil(pharmacy.id, params.recordId, body.until)
    return {}
  })
  serve(getPickupSettings, (_request, { pharmacy }) => pickup.settings(pharmacy.id))
  serve(changePickupSettings, ({ body }, { pharmacy }) => pickup.changeSettings(pharmacy.id, body))
  serve(getPickupColumns, (_request, { pharmacy }) => pickup.columns(pharmacy))
  serve(changePickupColumns, ({ body }, { pharmacy }) => pickup.changeColumns(pharmacy, body))

  serve(getOrderRetention, (_request, { pharmacy }) => retention.get(pharmacy.id))
  serve(changeOrderRetention, ({ body }, { pharmacy }) => retention.change(pharmacy.id, body))
  serve(previewOwnOrderRetention, async ({ query }, { pharmacy }) => ({
    orders: await expiry.countOf(pharmacy.id, query.orderDays),
  }))
  serve(previewOrderRetention, async ({ query }) => ({
    orders: await expiry.count(query.orderDays),
  }))
  serve(listHeldOrders, async (_request, session) => {
    const held = await holds.list(session.pharmacy.id)
    return { orders: held.map((hold) => withActor(hold, session)) }
  })
  serve(holdOrder, async ({ params, body }, session) => {
    const { recordId } = params
    const hold = await holds.hold(session.pharmacy.id, recordId, body.reason, personOf(session))
    return withActor(hold, session)
  })
  serve(releaseOrder, async ({ params }, session) => {
    await holds.release(session.pharmacy.id, params.recordId)
    return {}
  })

  serve(getOrdersHealth, async (_input, { pharmacy }) => {
    const [state, records] = await Promise.all([
      health.one(pharmacy.id),
      quarantine.list(pharmacy.id, MAX_RECORDS),
    ])
    if (!state) throw new AppError('pharmacy.not_found')
    return { ...state, records: state.setAside > 0 ? records : [] }
  })

  serve(listOrdersHealth, async ({ query }) => {
    const { pharmacies, total } = await health.list(query)
    return { pharmacies, pagination: pagination(query.page, query.pageSize, total) }
  })
}

export function orderExportRoutes(
  { serve, serveFile }: Pick<Http, 'serve' | 'serveFile'>,
  files: OrderExports,
  store: Pick<OrderExportsStore, 'find' | 'cancel'>,
) {
  serve(startOrderExport, ({ body }, session) => files.start(session.pharmacy, body))

  serve(getOrderExport, ({ params }, session) => store.find(session.pharmacy.id, params.exportId))

  serveFile(downloadOrderExport, ({ params }, session, call) =>
    files.take(session.pharmacy, params.exportId, { actorId: session.userId, ...callerFrom(call) }),
  )

  serve(cancelOrderExport, async ({ params }, session) => {
    await store.cancel(session.pharmacy.id, params.exportId)
    return {}
  })
}

export function replyTextRoutes(serve: Serve, store: ReplyTextsStore) {
  serve(listReplyTexts, async (_input, session) => ({
    texts: await store.list(session.pharmacy.id),
  }))

  serve(addReplyText, ({ body }, session) => store.add(session.pharmacy.id, body))

  serve(changeReplyText, ({ params, body }, session) =>
    store.change(session.pharmacy.id, params.textId, body),
  )

  serve(removeReplyText, async ({ params }, session) => {
    await store.remove(session.pharmacy.id, params.textId)
    return {}
  })
}

export function orderViewRoutes(serve: Serve, store: OrderViewsStore) {
  serve(listOrderViews, async (_input, session) => ({
    views: await store.list(session.pharmacy.id),
  }))

  serve(addOrderView, ({ body }, session) => store.add(session.pharmacy.id, body))

  serve(changeOrderView, ({ params, body }, session) =>
    store.change(session.pharmacy.id, params.viewId, body),
  )

  serve(removeOrderView, async ({ params }, session) => {
    await store.remove(session.pharmacy.id, params.viewId)
    return {}
  })
}
