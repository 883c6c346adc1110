import { AdminPharmacy, type NewPharmacyFields } from '@bancone/contract/admin-pharmacies'
import { ErrorBody } from '@bancone/contract/errors'
import { type PlanFields, SubscriptionPlan } from '@bancone/contract/subscription-plans'
import type { FastifyBaseLogger } from 'fastify'
import type { Settings } from '../src/wiring/wiring.ts'
import { authServer } from './auth-server.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type AdministrationServer = Awaited<ReturnType<typeof administrationServer>>

let made = 0

/** The real application, with a signed-in administrator. */
export async function administrationServer(
  settings: Partial<Settings> = {},
  log?: FastifyBaseLogger,
) {
  const server = await authServer(settings, log)
  const email = 'amministratore@example.it'
  const administratorId = await server.addUser(email)
  await server.addAdministrator({ id: administratorId })
  const headers = await server.signIn(email)

  /** Calls as the administrator. */
  const ask = (method: Method, url: string, payload?: object) =>
    server.app.inject({ method, url, headers, ...(payload && { payload }) })

  async function made201<T>(url: string, payload: object): Promise<T> {
    const reply = await ask('POST', url, payload)
    if (reply.statusCode !== 201) throw new Error(reply.body)
    return reply.json<T>()
  }

  /** The body of the creation of a pharmacy with that plan, which deviates from it in nothing. */
  function newPharmacy(plan: SubscriptionPlan, fields: Partial<NewPharmacyFields> = {}) {
    made += 1
    return {
      name: `Farmacia ${made}`,
      email: `nuova-${made}@example.it`,
      subscription_plan_id: plan.id,
      is_active: true,
      max_offers: plan.max_offers,
      features_enabled: plan.features,
      use_supabase_orders: false,
      ...fields,
    }
  }

  return {
    ...server,
    administratorId,
    ask,
    newPharmacy,
    /** Status, code and details of a refused call. */
    async refusal(...asked: Parameters<typeof ask>): Promise<unknown[]> {
      const reply = await ask(...asked)
      const { code, details } = ErrorBody.parse(reply.json())
      return [reply.statusCode, code, ...(details ? [details] : [])]
    },
    async addPlan(fields: Partial<PlanFields> = {}) {
      made += 1
      const { plan } = await made201<{ plan: unknown }>('/api/admin/subscription-plans', {
        name: `Piano ${made}`,
        description: null,
        max_offers: 10,
        price: 29.9,
        features: ['offers', 'whatsapp_integration'],
        ...fields,
      })
      return SubscriptionPlan.parse(plan)
    },
    async createPharmacy(plan: SubscriptionPlan, fields?: Partial<NewPharmacyFields>) {
      const body = newPharmacy(plan, fields)
      const { pharmacy } = await made201<{ pharmacy: unknown }>('/api/admin-create-pharmacy', body)
      return AdminPharmacy.parse(pharmacy)
    },
    async pharmacy(id: string) {
      const reply = await ask('GET', `/api/admin/pharmacies/${id}`)
      return AdminPharmacy.parse(reply.json<{ pharmacy: unknown }>().pharmacy)
    },
  }
}
