import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** How a medicine is supplied (FORNITURA). Only OTC and SOP are sold without a prescription. */
export const SupplyClass = z.enum(['OTC', 'SOP', 'RR', 'RNR', 'RRL', 'RNRL', 'OSP', 'USPL', 'RMR'])
export type SupplyClass = z.infer<typeof SupplyClass>

/**
 * A pack in the register of medicines of AIFA (open data, CC BY 4.0). `code`: nine digits. `supply`: null where the
 * register says something unknown. `authorised`: the pack may be on the market.
 */
export const Medicine = z.object({
  code: z.string(),
  name: z.string(),
  pack: z.string(),
  supply: z.nullable(SupplyClass),
  authorised: z.boolean(),
})
export type Medicine = z.infer<typeof Medicine>

/**
 * `medicine`: null where the code is not in the register. `registerTime`: when the register was imported last; null
 * before the first time.
 */
export const findMedicine = endpoint({
  method: 'GET',
  path: '/api/medicines',
  summary: 'What the register of medicines says of a code',
  access: 'pharmacy',
  feature: 'offers',
  query: z.object({ code: z.string().check(z.regex(/^\d{9}$/)) }),
  response: z.object({ medicine: z.nullable(Medicine), registerTime: z.nullable(z.string()) }),
  errors: [],
})
