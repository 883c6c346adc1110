import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The address that Airtable pings is followed by the id of the base's webhook. */
export const AIRTABLE_WEBHOOK_PATH = '/webhooks/airtable'

/**
 * What a token may do with the pharmacy's table.
 * - `not_configured`: neither the base nor the server has a token
 * - `wrong_token`: Airtable does not know the token
 * - `no_access`: the token has no access to the base, or lacks the scopes to read it
 * - `missing_scope`: the token sees the table and lacks the scope `data.records:read`
 */
export const AirtableAccess = z.object({
  problem: z.nullable(
    z.enum([
      'not_configured',
      'wrong_token',
      'no_access',
      'missing_scope',
      'table_not_found',
      'unreachable',
    ]),
  ),
  /** The scope `schema.bases:read`, for messages that name missing columns. */
  canReadSchema: z.boolean(),
  /** The scope `webhook:manage`. */
  canManageWebhooks: z.boolean(),
})
export type AirtableAccess = z.infer<typeof AirtableAccess>

/**
 * The webhook of a base.
 * - `off`: Airtable cannot reach this server, whose public address has no https
 * - `starting`: it has not been looked at yet
 * - `waiting`: it is there, and its next ping shows whether pings arrive; until then the base is polled as usual
 * - `active`: its pings arrive, and the base is polled seldom
 * - `no_scope`: the token may not manage webhooks
 * - `no_token`: neither the base nor the server has a token
 */
export const AirtableWebhookState = z.enum([
  'off',
  'starting',
  'waiting',
  'active',
  'no_scope',
  'no_token',
  'failed',
])
export type AirtableWebhookState = z.infer<typeof AirtableWebhookState>

/** How a pharmacy's base is reached. Times are ISO 8601. Never the token itself. */
export const PharmacyAirtable = z.object({
  /** Null: the pharmacy has no base, or has left Airtable. */
  baseId: z.nullable(z.string()),
  token: z.object({
    /** `own`: of this base; `server`: that of the server's configuration. */
    origin: z.enum(['own', 'server', 'none']),
    setAt: z.nullable(z.string()),
    /** False: a token is stored that was encrypted with another APP_SECRET, and is not used. */
    isReadable: z.boolean(),
  }),
  /** Other pharmacies of the same base, which have the same token. */
  otherPharmacies: z.int(),
  webhook: z.object({
    state: AirtableWebhookState,
    pingedAt: z.nullable(z.string()),
    expiresAt: z.nullable(z.string()),
  }),
})
export type PharmacyAirtable = z.infer<typeof PharmacyAirtable>

const params = z.object({ pharmacyId: z.uuid() })

export const getPharmacyAirtable = endpoint({
  method: 'GET',
  path: '/api/admin/pharmacies/:pharmacyId/airtable',
  summary: "Get how a pharmacy's Airtable base is reached",
  access: 'admin',
  params,
  response: PharmacyAirtable,
  errors: ['pharmacies.not_found'],
})

/** The token is tried first, and stored for the base only if it can read the pharmacy's table. It is never sent back. */
export const setAirtableToken = endpoint({
  method: 'PUT',
  path: '/api/admin/pharmacies/:pharmacyId/airtable/token',
  summary: "Set or replace the Airtable token of a pharmacy's base",
  access: 'admin',
  audit: 'airtable_token_set',
  params,
  body: z.strictObject({
    token: z.string().check(z.trim(), z.regex(/^[\x21-\x7e]{10,300}$/)),
  }),
  response: z.object({ check: AirtableAccess, airtable: PharmacyAirtable }),
  errors: ['pharmacies.not_found', 'orders.not_on_airtable', 'pharmacies.changed_meanwhile'],
})

export const removeAirtableToken = endpoint({
  method: 'DELETE',
  path: '/api/admin/pharmacies/:pharmacyId/airtable/token',
  summary: "Remove the Airtable token of a pharmacy's base",
  access: 'admin',
  audit: 'airtable_token_removed',
  params,
  response: PharmacyAirtable,
  errors: ['pharmacies.not_found', 'orders.not_on_airtable'],
})

export const checkAirtableAccess = endpoint({
  method: 'POST',
  path: '/api/admin/pharmacies/:pharmacyId/airtable/checks',
  summary: "Find out what the token of a pharmacy's base may do",
  access: 'admin',
  audit: { none: 'reads' },
  params,
  response: AirtableAccess,
  errors: ['pharmacies.not_found', 'orders.not_on_airtable'],
})

/** What the tokens of one user of Airtable carry, who has one limit. Requests are those of a minute, computed from the intervals and not measured. */
export const AirtableTokenLoad = z.object({
  /** `server`: one of them is that of the server's configuration. */
  origin: z.enum(['own', 'server']),
  tokens: z.int(),
  /** The names of some of its pharmacies, in their order. */
  names: z.array(z.string()),
  bases: z.int(),
  pharmacies: z.int(),
  /** Those whose base reports its changes. */
  reported: z.int(),
  requestsNow: z.number(),
  /** With the orders of all its pharmacies on a screen. */
  requestsAtPeak: z.number(),
  limit: z.number(),
  /** How many more pharmacies it can carry, if they are all polled or all reported. */
  more: z.object({ polled: z.int(), reported: z.int() }),
})
export type AirtableTokenLoad = z.infer<typeof AirtableTokenLoad>

const ByWay = z.object({ polled: z.number(), reported: z.number() })

export const getAirtableLoad = endpoint({
  method: 'GET',
  path: '/api/admin/airtable/load',
  summary: 'Compute how many pharmacies the tokens of each user of Airtable carry',
  access: 'admin',
  response: z.object({
    tokens: z.array(AirtableTokenLoad),
    /** Pharmacies whose base has no token. */
    withoutToken: z.int(),
    /** Requests of a minute of a pharmacy whose orders are on a screen. */
    perPharmacy: ByWay,
    /** The most pharmacies of one base. */
    perBase: ByWay,
  }),
  errors: [],
})
