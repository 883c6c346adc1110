import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** What the platform depends on, besides its own processes. */
export const ServiceId = z.enum([
  'database',
  'airtable',
  'mail',
  'files',
  'cloudinary',
  'assistant',
  'product_images',
  'identity_provider',
  'medicine_register',
  'push',
  'meta',
])
export type ServiceId = z.infer<typeof ServiceId>

/**
 * Why a check failed.
 * - `timeout`: no response in time
 * - `unreachable`: no connection, or a failure of the service
 * - `refused`: the service refuses the credentials or the request
 * - `malformed`: the response is not what was expected
 */
export const ServiceProblem = z.enum(['timeout', 'unreachable', 'refused', 'malformed'])
export type ServiceProblem = z.infer<typeof ServiceProblem>

/** The state of a service by its last checks. Times are ISO 8601. */
export const ServiceState = z.object({
  id: ServiceId,
  /** `local`: a substitute on this machine; `missing`: not configured, so what needs it is switched off. */
  setup: z.enum(['configured', 'local', 'missing']),
  /** The last successful check; for the register of medicines, its last import. */
  lastSuccess: z.nullable(z.string()),
  /** How long the last successful check took. */
  milliseconds: z.nullable(z.int()),
  lastFailure: z.nullable(z.object({ at: z.string(), problem: ServiceProblem })),
})
export type ServiceState = z.infer<typeof ServiceState>

export const listServices = endpoint({
  method: 'GET',
  path: '/api/admin/services',
  summary: 'List the outside services with their state',
  access: 'admin',
  response: z.object({ services: z.array(ServiceState) }),
  errors: [],
})

/** Takes 20 seconds at most. The result says whether the check succeeded. */
export const checkService = endpoint({
  method: 'POST',
  path: '/api/admin/services/:service/checks',
  summary: 'Check an outside service now',
  access: 'admin',
  audit: { none: 'reads' },
  params: z.object({ service: ServiceId }),
  response: z.object({ service: ServiceState }),
  errors: ['services.too_many'],
})
