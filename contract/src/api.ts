import { getOwnAdministrator } from './administrators.ts'
import type { Endpoint } from './endpoint.ts'
import { getPushKey, subscribeDevice, testDevice, unsubscribeDevice } from './notifications.ts'
import {
  changeOrderStatus,
  dismissOrderNotice,
  getOrdersHealth,
  listAllOrders,
  listOrders,
  listOrdersHealth,
  markOrdersSeen,
  refreshOrders,
} from './orders.ts'
import { getOwnPharmacy } from './pharmacies.ts'

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
  getPushKey,
  subscribeDevice,
  unsubscribeDevice,
  testDevice,
  getOwnPharmacy,
  getOwnAdministrator,
]
