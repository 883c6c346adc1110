import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The profile of the signed-in administrator. */
export const OwnAdministrator = z.object({ id: z.uuid(), email: z.string() })
export type OwnAdministrator = z.infer<typeof OwnAdministrator>

/** Succeeds only for members of `admin_users`. The administration pages use it as their access check. */
export const getOwnAdministrator = endpoint({
  method: 'GET',
  path: '/api/administrator',
  summary: 'Get the signed-in administrator',
  access: 'admin',
  response: OwnAdministrator,
  errors: [],
})

/** The counters of the administrators' dashboard. Deleted pharmacies are not counted. */
export const AdminStatistics = z.object({
  pharmacies: z.int(),
  activePharmacies: z.int(),
  categories: z.int(),
  plans: z.int(),
})
export type AdminStatistics = z.infer<typeof AdminStatistics>

export const getAdminStatistics = endpoint({
  method: 'GET',
  path: '/api/admin/statistics',
  summary: 'Count pharmacies, categories and plans',
  access: 'admin',
  response: AdminStatistics,
  errors: [],
})
