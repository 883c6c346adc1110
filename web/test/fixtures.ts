import type { OwnAdministrator } from '@bancone/contract/administrators'
import type { OrderDetails } from '@bancone/contract/order-details'
import type { OrdersSought } from '@bancone/contract/order-search'
import {
  MOST_NAMED,
  type OrderFields,
  type OrderRecord,
  type OrdersPage,
  type OrdersQuery,
} from '@bancone/contract/orders'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { expect } from 'vitest'

export const userId = '7b1c8f6e-2d0a-4c1e-9f6f-0c7b8d1e2f3a'

export const pharmacy: OwnPharmacy = {
  id: userId,
  pharmacyId: 'PHARM-0001',
  name: 'Farmacia San Carlo',
  email: 'farmacia@example.it',
  phone: null,
  address: null,
  logoUrl: null,
  features: [],
  role: 'owner',
  personName: null,
}

export const administrator: OwnAdministrator = {
  id: '5d0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d41',
  email: 'amministrazione@example.it',
}

/** The n-th order, the higher the newer. */
export function order(n: number, fields: Partial<OrderFields> = {}, seen = true): OrderRecord {
  const created = new Date(Date.UTC(2026, 0, 1, 8, n)).toISOString()
  return {
    id: `rec${String(n).padStart(6, '0')}`,
    createdTime: created,
    fields: {
      'ID Ordine': n,
      Cliente: `Cliente ${n}`,
      Stato: 'In attesa',
      Created: created,
      Last: created,
      ...fields,
    },
    seen,
  }
}

/** The n-th order, which nobody has seen. */
export function newOrder(n: number, fields: Partial<OrderFields> = {}): OrderRecord {
  return order(n, fields, false)
}

/** Orders n to 1, newest first. */
export function orders(n: number): OrderRecord[] {
  return Array.from({ length: n }, (_, index) => order(n - index))
}

/** What the server tells of an order: nothing beside it, unless said. */
export function detailsOf(of: OrderRecord, more: Partial<OrderDetails> = {}): OrderDetails {
  return { order: of, history: [], notes: [], earlier: { count: 0, records: [] }, ...more }
}

/** What the server answers when it holds these orders. */
export function pageOf(
  all: OrderRecord[],
  { page, pageSize, stato }: OrdersQuery,
  freshness: Partial<OrdersPage['freshness']> = {},
  notices: OrdersPage['notices'] = [],
): OrdersPage {
  const unseen = all.filter(({ seen }) => !seen).map(({ id }) => id)
  const count = (...words: string[]) =>
    all.filter(({ fields }) => words.includes(fields.Stato)).length
  const found = stato
    ? all.filter(({ fields }) => stato.some((word) => word === fields.Stato))
    : all
  const totalPages = Math.ceil(found.length / pageSize)
  return {
    records: found.slice((page - 1) * pageSize, page * pageSize),
    pagination: {
      currentPage: page,
      totalPages,
      totalRecords: found.length,
      hasNextPage: page < totalPages,
      counted: true,
    },
    counts: {
      'In attesa': count('In attesa'),
      Confermato: count('Confermato'),
      'Prenotato in Giornata': count('Prenotato in Giornata'),
      'Prenotato Domani': count('Prenotato Domani'),
      Annullato: count('Annullato'),
    },
    statistics: {
      total: all.length,
      confirmed: count('Confermato'),
      pending: count('In attesa'),
      processing: count('Prenotato in Giornata', 'Prenotato Domani'),
      cancelled: count('Annullato'),
      lastOrderId: null,
    },
    freshness: {
      source: 'airtable',
      stale: false,
      syncedAt: null,
      pendingChanges: 0,
      trouble: null,
      setAside: 0,
      missingColumns: [],
      ...freshness,
    },
    unseen: { count: unseen.length, recordIds: unseen.slice(0, MOST_NAMED) },
    notices,
  }
}

function holds({ fields }: OrderRecord, words: string): boolean {
  const text = Object.values(fields).join(' ').toLowerCase()
  return words
    .toLowerCase()
    .split(' ')
    .every((word) => text.includes(word))
}

/** What the server answers when these words are looked for among these orders. */
export function foundPage(all: OrderRecord[], { q, ...query }: OrdersQuery & { q: string }) {
  const { statistics, counts } = pageOf(all, query)
  const found = all.filter((one) => holds(one, q))
  return { ...pageOf(found, query), statistics, counts }
}

/** How many there are. The days are not looked at. */
export function countOf(all: OrderRecord[], { q, stato }: OrdersSought) {
  const found = q === undefined ? all : all.filter((one) => holds(one, q))
  const { counts, pagination } = pageOf(found, { page: 1, pageSize: 1, stato })
  return { counts, total: pagination.totalRecords, all: found.length }
}

function base64url(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')
}

type SessionTraits = {
  /** Tells it from another of the same user. */
  id?: string
  email?: string
  /** How it began. */
  method?: 'password' | 'otp' | 'oauth'
  /** Its second factor was shown. */
  raised?: boolean
  /** The apps whose codes are the second factor of its user. */
  apps?: string[]
  /** Seconds until its token expires. */
  lasts?: number
}

/** The running test file, and the second in which it made its first session. */
let file: string | undefined
let begun = 0

/** The same for all sessions of a file, so that a session made twice has the same token. */
function beginning(): number {
  const { testPath = '' } = expect.getState()
  if (file !== testPath) {
    file = testPath
    begun = Math.floor(Date.now() / 1000)
  }
  return begun
}

/** A session as the authentication service gives it. */
export function sessionOf(user = userId, traits: SessionTraits = {}) {
  const { id = `session of ${user}`, method = 'password', lasts = 3600 } = traits
  const { raised = false, apps = [] } = traits
  const expires = beginning() + lasts
  const amr = (raised ? ['totp', method] : [method]).map((one) => ({ method: one, timestamp: 0 }))
  const aal = raised ? 'aal2' : 'aal1'
  const claims = { sub: user, exp: expires, session_id: id, aal, amr }
  const token = [{ alg: 'HS256', typ: 'JWT' }, claims].map(base64url).join('.')
  return {
    access_token: `${token}.${'s'.repeat(43)}`,
    // The auth client, which the files of a worker share, remembers which refresh tokens were refused.
    refresh_token: `refresh ${id} of ${file}`,
    token_type: 'bearer',
    expires_in: lasts,
    expires_at: expires,
    user: {
      id: user,
      aud: 'authenticated',
      email: traits.email ?? pharmacy.email,
      app_metadata: {},
      user_metadata: {},
      ...(apps.length > 0 && { factors: apps.map(appFactor) }),
    },
  }
}

/** An app that was proved, as the service tells of it. Its id is made from its name. */
export function appFactor(name: string) {
  const id = `factor-${name}`
  return { id, friendly_name: name, factor_type: 'totp', status: 'verified' }
}
