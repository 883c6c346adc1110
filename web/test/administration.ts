import type { AdminPharmacy } from '@bancone/contract/admin-pharmacies'
import {
  changePharmacy,
  createPharmacy,
  getAdminPharmacy,
  listAdminPharmacies,
  removePharmacy,
  switchPharmacy,
} from '@bancone/contract/admin-pharmacies'
import { getAdminStatistics, getOwnAdministrator } from '@bancone/contract/administrators'
import { getPharmacyAirtable, type PharmacyAirtable } from '@bancone/contract/airtable'
import { getPharmacyAccount, type PharmacyAccount } from '@bancone/contract/pharmacy-actions'
import { type AdminCategory, listAdminCategories } from '@bancone/contract/product-categories'
import { getSettings, initialSettings, type PlatformSettings } from '@bancone/contract/settings'
import { listSubscriptionPlans, type SubscriptionPlan } from '@bancone/contract/subscription-plans'
import { QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { onTestFinished } from 'vitest'
import { createQueryClient } from '../src/lib/query-client.ts'
import { administrator, sessionOf } from './fixtures.ts'
import { followSession, renderApp, serverWith, storeSession } from './render-app.tsx'
import { renderPart } from './render-part.tsx'
import { failure, type StubApi } from './stub-api.ts'

const noAirtable: PharmacyAirtable = {
  baseId: null,
  token: { origin: 'server', setAt: null, isReadable: true },
  otherPharmacies: 0,
  webhook: { state: 'starting', pingedAt: null, expiresAt: null },
}

function uuid(n: number): string {
  return `3f0c6a0e-7a54-4b0a-9c39-${String(n).padStart(12, '0')}`
}

/** The n-th plan. */
export function plan(n: number, traits: Partial<SubscriptionPlan> = {}): SubscriptionPlan {
  return {
    id: uuid(n),
    name: `Piano ${n}`,
    description: null,
    max_offers: 10 * n,
    price: 9.9 * n,
    features: ['offers', 'whatsapp_integration'],
    created_at: '2026-01-02T08:00:00Z',
    pharmacies: 0,
    ...traits,
  }
}

const account: PharmacyAccount = {
  email: 'farmacia@example.it',
  hasJoined: true,
  secondFactors: 0,
  lastSignInAt: null,
  isOnAirtable: false,
}

const saved = <Value>(value: Value) => ({ value, version: 0, updatedAt: null, updatedBy: null })

/** The settings of a new platform, with another limit of offers for new plans. */
export const settings: PlatformSettings = {
  support: saved(initialSettings.support),
  retention: saved(initialSettings.retention),
  order_retention: saved(initialSettings.order_retention),
  plan_defaults: saved({ maxOffers: 25 }),
  notice: saved(null),
}

/** The n-th category. */
export function adminCategory(n: number, traits: Partial<AdminCategory> = {}): AdminCategory {
  return {
    id: uuid(n),
    name: `Categoria ${n}`,
    description: null,
    regulatory_class: 'libero',
    created_at: '2026-01-02T08:00:00Z',
    updated_at: '2026-02-03T09:30:00Z',
    offers: 0,
    ...traits,
  }
}

/** The n-th pharmacy, with the values of the first plan. */
export function adminPharmacy(n: number, traits: Partial<AdminPharmacy> = {}): AdminPharmacy {
  const { id, name, price, max_offers, features } = plan(1)
  return {
    id: uuid(n),
    pharmacy_id: `PHARM-${String(n).padStart(4, '0')}`,
    name: `Farmacia ${n}`,
    email: `farmacia${n}@example.it`,
    phone: null,
    address: null,
    logo_url: null,
    subscription_plan_id: id,
    subscription_plans: { name, price },
    plan_valid_until: null,
    is_active: true,
    max_offers,
    features_enabled: features,
    deviations: [],
    airtable_base_id: null,
    airtable_table_id: null,
    use_supabase_orders: false,
    deleted_at: null,
    created_at: '2026-01-02T08:00:00Z',
    updated_at: '2026-01-02T08:00:00Z',
    version: 'first',
    ...traits,
  }
}

type Contents = {
  pharmacies?: AdminPharmacy[]
  plans?: SubscriptionPlan[]
  categories?: AdminCategory[]
}

/** A stub of the administration with these contents, which the calls about pharmacies change. */
export function adminServer({ pharmacies = [], plans = [], categories = [] }: Contents) {
  function change(id: string, traits: Partial<AdminPharmacy>) {
    const place = pharmacies.findIndex((one) => one.id === id)
    const found = pharmacies[place]
    if (!found) return failure('pharmacies.not_found')
    const pharmacy = { ...found, ...traits }
    pharmacies[place] = pharmacy
    return { pharmacy }
  }

  return serverWith([])
    .on(getOwnAdministrator, () => administrator)
    .on(getAdminStatistics, () => ({
      pharmacies: pharmacies.length,
      activePharmacies: pharmacies.filter(({ is_active }) => is_active).length,
      categories: categories.length,
      plans: plans.length,
    }))
    .on(getPharmacyAccount, () => account)
    .on(getPharmacyAirtable, () => noAirtable)
    .on(getSettings, () => settings)
    .on(listSubscriptionPlans, () => ({ plans }))
    .on(listAdminCategories, () => ({ categories }))
    .on(listAdminPharmacies, () => ({ pharmacies }))
    .on(getAdminPharmacy, ({ params }) => change(params.pharmacyId, {}))
    .on(switchPharmacy, ({ params, body: { is_active, use_supabase_orders } }) =>
      change(params.pharmacyId, {
        ...(is_active !== undefined && { is_active }),
        ...(use_supabase_orders !== undefined && { use_supabase_orders }),
      }),
    )
    .on(changePharmacy, ({ params, body: { name } }) => change(params.pharmacyId, { name }))
    .on(createPharmacy, ({ body: { name, email } }) => {
      const pharmacy = adminPharmacy(90, { name, email })
      pharmacies.push(pharmacy)
      return { pharmacy }
    })
    .on(removePharmacy, ({ query }) => {
      const place = pharmacies.findIndex(({ id }) => id === query.pharmacyId)
      const [pharmacy] = place === -1 ? [] : pharmacies.splice(place, 1)
      return pharmacy ? { pharmacy } : failure('pharmacies.not_found')
    })
}

/** Renders the administration at a path, for a signed-in administrator. */
export function openAdministration(path: string, api: StubApi) {
  storeSession('admin', sessionOf(administrator.id))
  return { api, ...renderApp(path, api, { signedIn: false }) }
}

/** Renders a part of the administration, for a signed-in administrator. */
export function renderAdminPart(part: ReactNode, api: StubApi) {
  api.install()
  storeSession('admin', sessionOf(administrator.id))
  followSession()
  const client = createQueryClient(0)
  onTestFinished(() => client.clear())
  return { api, ...renderPart(createElement(QueryClientProvider, { client }, part)) }
}

/** The bodies of the requests with this method. */
export function sent({ requests }: StubApi, method: string) {
  return requests.filter((one) => one.method === method).map(({ path, body }) => ({ path, body }))
}
