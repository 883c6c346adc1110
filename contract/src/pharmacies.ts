import { z } from 'zod/mini'
import { Feature, Role } from './access.ts'
import { endpoint } from './endpoint.ts'

/** The profile of the signed-in user's pharmacy. */
export const OwnPharmacy = z.object({
  id: z.uuid(),
  /** The readable code, for example PHARM-0001. */
  pharmacyCode: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  address: z.nullable(z.string()),
  logoUrl: z.nullable(z.string()),
  /** `#rrggbb`; null for the colour of the application. */
  brandColor: z.nullable(z.string()),
  features: z.array(Feature),
  /** The name of its plan; null without a plan. */
  planName: z.nullable(z.string()),
  /** The last day of the plan; null for no end. Its features end 14 days later. */
  planValidUntil: z.nullable(z.string()),
  /** The role of the signed-in user. */
  role: Role,
  /** The signed-in user's name in the order history; null for the primary account while it has no name. */
  personName: z.nullable(z.string()),
})
export type OwnPharmacy = z.infer<typeof OwnPharmacy>

export const getOwnPharmacy = endpoint({
  method: 'GET',
  path: '/api/pharmacy',
  summary: 'Get the own pharmacy with its features',
  access: 'pharmacy',
  supportSession: 'masked',
  response: OwnPharmacy,
  errors: ['pharmacy.not_found'],
})
