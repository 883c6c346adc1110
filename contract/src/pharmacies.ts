import { z } from 'zod'
import { Feature, Role } from './access.ts'
import { endpoint } from './endpoint.ts'

/** The profile of the signed-in user's pharmacy. */
export const OwnPharmacy = z.object({
  id: z.uuid(),
  /** The readable code, for example PHARM-0001. */
  pharmacyId: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  address: z.string().nullable(),
  logoUrl: z.string().nullable(),
  /** `#rrggbb`; null for the colour of the application. */
  brandColor: z.string().nullable(),
  features: z.array(Feature),
  /** The name of its plan; null without a plan. */
  planName: z.string().nullable(),
  /** The last day of the plan; null for no end. Its features end 14 days later. */
  planValidUntil: z.string().nullable(),
  /** The role of the signed-in user. */
  role: Role,
  /** The signed-in user's name in the order history; null for the primary account while it has no name. */
  personName: z.string().nullable(),
})
export type OwnPharmacy = z.infer<typeof OwnPharmacy>

export const getOwnPharmacy = endpoint({
  method: 'GET',
  path: '/api/pharmacy',
  summary: 'Get the own pharmacy with its features',
  access: 'pharmacy',
  response: OwnPharmacy,
  errors: ['pharmacy.not_found'],
})
