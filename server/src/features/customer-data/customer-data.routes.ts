import {
  copyCustomerData,
  eraseCustomerData,
  findCustomerData,
} from '@bancone/contract/customer-data'
import type { Serve } from '../../http/serve.ts'
import type { CustomerDataService } from './customer-data.service.ts'

export function customerDataRoutes(serve: Serve, customerData: CustomerDataService) {
  serve(findCustomerData, ({ body }, session) => customerData.find(session, body.phone))
  serve(copyCustomerData, ({ body }, session) =>
    customerData.copy(session, body.phone, body.identity),
  )
  serve(eraseCustomerData, ({ body }, session) =>
    customerData.erase(session, body.phone, body.identity),
  )
}
