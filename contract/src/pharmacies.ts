import { z } from 'zod'
import { Feature, Role } from './access.ts'
import { endpoint } from './endpoint.ts'

/** What the signed-in pharmacy may know of itself. */
export const OwnPharmacy = z.object({
  id: z.uuid(),
  /** The readable code, as in PHARM-0001. */
  pharmacyId: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  address: z.string().nullable(),
  logoUrl: z.string().nullable(),
  features: z.array(Feature),
  /** What the signed-in person is there. */
  role: Role,
  /** Who they are in its history; null for its own account while that has no name of its own. */
  personName: z.string().nullable(),
})
export type OwnPharmacy = z.infer<typeof OwnPharmacy>

export const getOwnPharmacy = endpoint({
  method: 'GET',
  path: '/api/pharmacy',
  summary: 'The pharmacy of the signed-in user, with what it may use',
  access: 'pharmacy',
  response: OwnPharmacy,
  errors: ['pharmacy.not_found'],
})
