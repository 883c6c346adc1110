import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { SearchText } from './order-search.ts'
import { OrderRecord } from './orders.ts'

/** The most orders that a code finds. */
export const MAX_WITH_CODE = 20

/**
 * The orders of a scanned code: those with this number, or whose text has this codice fiscale, NRE, second bar of an NRE
 * or other code of a prescription, however it was typed there. First those to be collected, then those that are
 * 'Confermato', then other open ones, each newest first. Codes are looked for in the newest 20,000 orders. The code is in
 * the body because it is health data.
 */
export const findOrdersWithCode = endpoint({
  method: 'POST',
  path: '/api/orders/find-by-code',
  summary: 'Find orders by a scanned code',
  access: 'pharmacy',
  audit: { none: 'reads' },
  body: z.strictObject({ code: SearchText }),
  response: z.object({ orders: z.array(OrderRecord).check(z.maxLength(MAX_WITH_CODE)) }),
  errors: [],
})
