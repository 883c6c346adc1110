import type { OwnAdministrator } from '@bancone/contract/administrators'
import type { OrderDetails, OrderEvent } from '@bancone/contract/order-details'
import type { OrdersSearchFilter } from '@bancone/contract/order-search'
import {
  LATE_AFTER_MS,
  MAX_RECORD_IDS,
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
  pharmacyCode: 'PHARM-0001',
  name: 'Farmacia San Carlo',
  email: 'farmacia@example.it',
  phone: null,
  address: null,
  logoUrl: null,
  brandColor: null,
  features: [],
  role: 'owner',
  planName: null,
  planValidUntil: null,
  personName: null,
}

export const administrator: OwnAdministrator = {
  id: '5d0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d41',
  email: 'amministrazione@example.it',
}

/** The n-th order; a higher n is newer. */
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

/** The n-th order, unseen. */
export function newOrder(n: number, fields: Partial<OrderFields> = {}): OrderRecord {
  return order(n, fields, false)
}

/** Orders n to 1, newest first. */
export function orders(n: number): OrderRecord[] {
  return Array.from({ length: n }, (_, index) => order(n - index))
}

/** The response of `getOrder`, without history and notes unless given. */
export function detailsOf(of: OrderRecord, more: Partial<OrderDetails> = {}): OrderDetails {
  const earlier = { count: 0, records: [] }
  return { order: of, outdated: [], history: [], notes: [], hold: null, earlier, ...more }
}

/** An entry of an order's history: a person has confirmed the order. */
export function orderEvent(traits: Partial<OrderEvent> = {}): OrderEvent {
  return {
    at: '2026-01-01T08:00:00Z',
    kind: 'status',
    source: 'person',
    who: null,
    from: 'In attesa',
    to: 'Confermato',
    columns: [],
    ...traits,
  }
}

export const maria = { name: 'Maria', you: false, here: false }

function isLate({ fields }: OrderRecord): boolean {
  return fields.Stato === 'In attesa' && Date.parse(fields.Created) < Date.now() - LATE_AFTER_MS
}

/** The response of `listOrders` for these orders; the late ones oldest first. */
export function pageOf(
  all: OrderRecord[],
  { page, pageSize, stato, ritardo, ritiro }: OrdersQuery,
  freshness: Partial<OrdersPage['freshness']> = {},
  notices: OrdersPage['notices'] = [],
): OrdersPage {
  const unseen = all.filter(({ seen }) => !seen).map(({ id }) => id)
  const count = (...words: string[]) =>
    all.filter(({ fields }) => words.includes(fields.Stato)).length
  const late = all.filter(isLate)
  const inStatus = stato
    ? all.filter(({ fields }) => stato.some((word) => word === fields.Stato))
    : all
  const toCollect = all.filter(
    ({ readyAt, collectedAt }) => readyAt !== undefined && collectedAt === undefined,
  )
  const found = ritardo ? late.toReversed() : ritiro ? toCollect : inStatus
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
      late: late.length,
      toCollect: toCollect.length,
      overdue: 0,
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
    unseen: { count: unseen.length, recordIds: unseen.slice(0, MAX_RECORD_IDS) },
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

/** The response of `searchOrders` for these orders. */
export function foundPage(all: OrderRecord[], { q, ...query }: OrdersQuery & { q: string }) {
  const { statistics, counts } = pageOf(all, query)
  const found = all.filter((one) => holds(one, q))
  return { ...pageOf(found, query), statistics, counts }
}

/** The response of `countOrders`; ignores the dates. */
export function countOf(all: OrderRecord[], { q, stato, ritardo, ritiro }: OrdersSearchFilter) {
  const found = q === undefined ? all : all.filter((one) => holds(one, q))
  const page = pageOf(found, { page: 1, pageSize: 1, stato, ritardo, ritiro })
  const { counts, pagination, statistics } = page
  const { late, toCollect, overdue } = statistics
  return { counts, total: pagination.totalRecords, all: found.length, late, toCollect, overdue }
}

function base64url(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')
}

type SessionTraits = {
  /** Distinguishes sessions of the same user. */
  id?: string
  email?: string
  /** The authentication method. */
  method?: 'password' | 'otp' | 'oauth'
  /** The session is AAL2. */
  elevated?: boolean
  /** Names of the user's TOTP factors. */
  apps?: string[]
  /** Lifetime of the token in seconds. */
  lasts?: number
}

/** The running test file, and the time of its first session in seconds since 1970. */
let file: string | undefined
let begun = 0

/** The same for all sessions of a file, so that equal sessions have equal tokens. */
function beginning(): number {
  const { testPath = '' } = expect.getState()
  if (file !== testPath) {
    file = testPath
    begun = Math.floor(Date.now() / 1000)
  }
  return begun
}

/** A session as returned by the authentication service. */
export function sessionOf(user = userId, traits: SessionTraits = {}) {
  const { id = `session of ${user}`, method = 'password', lasts = 3600 } = traits
  const { elevated = false, apps = [] } = traits
  const expires = beginning() + lasts
  const amr = (elevated ? ['totp', method] : [method]).map((one) => ({ method: one, timestamp: 0 }))
  const aal = elevated ? 'aal2' : 'aal1'
  const claims = { sub: user, exp: expires, session_id: id, aal, amr }
  const token = [{ alg: 'HS256', typ: 'JWT' }, claims].map(base64url).join('.')
  return {
    access_token: `${token}.${'s'.repeat(43)}`,
    // Different per file: the auth client is shared by the files of a worker and remembers rejected refresh tokens.
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

/** A verified TOTP factor as returned by the authentication service. Its id is derived from its name. */
export function appFactor(name: string) {
  const id = `factor-${name}`
  return { id, friendly_name: name, factor_type: 'totp', status: 'verified' }
}
