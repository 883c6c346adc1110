import { getOwnAdministrator } from './administrators.ts'
import type { Endpoint } from './endpoint.ts'
import { changeOrderStatus, listOrders } from './orders.ts'
import { getOwnPharmacy } from './pharmacies.ts'

/** Every endpoint there is: what the API's document and the walk over 'who may not' are made from. */
export const endpoints: readonly Endpoint[] = [
  listOrders,
  changeOrderStatus,
  getOwnPharmacy,
  getOwnAdministrator,
]
