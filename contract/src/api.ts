import { getOwnAdministrator } from './administrators.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { draftProduct } from './assistant.ts'
import type { Endpoint } from './endpoint.ts'
import { importImage, removeImage, uploadImage } from './images.ts'
import { createOrder } from './new-orders.ts'
import { getPushKey, subscribeDevice, testDevice, unsubscribeDevice } from './notifications.ts'
import { addOrderNote, changeOrderNote, getOrder, removeOrderNote } from './order-details.ts'
import {
  cancelOrderExport,
  getOrderExport,
  startOrderExport,
  takeOrderExport,
} from './order-exports.ts'
import { getOrdersHealth, listOrdersHealth } from './order-health.ts'
import { changeOrdersStatus, countOrders, searchOrders, selectOrders } from './order-search.ts'
import { addOrderView, changeOrderView, listOrderViews, removeOrderView } from './order-views.ts'
import {
  changeOrderStatus,
  dismissOrderNotice,
  listAllOrders,
  listOrders,
  markOrdersSeen,
  refreshOrders,
} from './orders.ts'
import { getOwnPharmacy } from './pharmacies.ts'
import { findProductImage } from './product-images.ts'
import { addReplyText, changeReplyText, listReplyTexts, removeReplyText } from './reply-texts.ts'

/** Every endpoint there is: what the API's document and the walk over 'who may not' are made from. */
export const endpoints: readonly Endpoint[] = [
  listOrders,
  listAllOrders,
  refreshOrders,
  changeOrderStatus,
  markOrdersSeen,
  dismissOrderNotice,
  getOrdersHealth,
  listOrdersHealth,
  searchOrders,
  countOrders,
  selectOrders,
  changeOrdersStatus,
  getOrder,
  addOrderNote,
  changeOrderNote,
  removeOrderNote,
  listOrderViews,
  addOrderView,
  changeOrderView,
  removeOrderView,
  listReplyTexts,
  addReplyText,
  changeReplyText,
  removeReplyText,
  startOrderExport,
  getOrderExport,
  takeOrderExport,
  cancelOrderExport,
  createOrder,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  uploadImage,
  importImage,
  removeImage,
  findProductImage,
  draftProduct,
  getPushKey,
  subscribeDevice,
  unsubscribeDevice,
  testDevice,
  getOwnPharmacy,
  getOwnAdministrator,
]
