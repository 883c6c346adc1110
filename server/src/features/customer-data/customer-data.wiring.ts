import {
  copyCustomerData,
  eraseCustomerData,
  findCustomerData,
} from '@bancone/contract/customer-data'
import type { AppModule } from '../../http/app-module.ts'
import { createAudit } from '../../platform/audit.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { type CustomerDataNeeds, createCustomerData } from './customer-data.service.ts'

/** Wires what customers may ask of a pharmacy: a copy of their data, and their erasure. */
export function wireCustomerData({
  secrets,
  ...needs
}: Omit<CustomerDataNeeds, 'hashKey' | 'audit'> & { secrets: Secrets }): AppModule & {
  /** Erases again what a restored database still has. */
  eraseAgain: ReturnType<typeof createCustomerData>['eraseAgain']
} {
  const customerData = createCustomerData({
    ...needs,
    hashKey: secrets.key('customer erasures'),
    audit: createAudit(needs.db),
  })
  return {
    eraseAgain: customerData.eraseAgain,
    routes({ serve }) {
      serve(findCustomerData, ({ body }, session) => customerData.find(session, body.phone))
      serve(copyCustomerData, ({ body }, session) =>
        customerData.copy(session, body.phone, body.identity),
      )
      serve(eraseCustomerData, ({ body }, session) =>
        customerData.erase(session, body.phone, body.identity),
      )
    },
  }
}
