import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

const guard = { access: 'pharmacy', role: 'owner', feature: 'offers' } as const

/** Whether the public page has fields for the codes of a prescription; off until an owner has read what that means. */
export const PrescriptionFields = z.strictObject({ isOn: z.boolean() })
export type PrescriptionFields = z.infer<typeof PrescriptionFields>

export const getPrescriptionFields = endpoint({
  method: 'GET',
  path: '/api/pharmacy/prescription-fields',
  summary: 'Get whether the public page has fields for the codes of a prescription',
  ...guard,
  response: PrescriptionFields,
  errors: [],
})

export const changePrescriptionFields = endpoint({
  method: 'PUT',
  path: '/api/pharmacy/prescription-fields',
  summary: 'Switch the fields for the codes of a prescription on or off',
  ...guard,
  audit: 'prescription_fields_changed',
  body: PrescriptionFields,
  response: PrescriptionFields,
  errors: [],
})
