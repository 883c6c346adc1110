import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/**
 * The state of a pharmacy's WhatsApp number.
 * - `connected`: it can send and receive
 * - `pending_number`: there is no number yet, or it is not verified, registered or subscribed to
 * - `in_review`: Meta has not approved its name yet
 * - `needs_reauth`: the authorization is invalid, has expired, or lacks a permission
 * - `offboarded`: the WhatsApp Business app has moved to another phone; Meta usually restores the connection
 * - `restricted`: Meta has restricted or blocked it
 * - `disconnected`: the pharmacy or Meta has ended the connection
 */
export const WhatsAppState = z.enum([
  'connected',
  'pending_number',
  'in_review',
  'needs_reauth',
  'offboarded',
  'restricted',
  'disconnected',
])
export type WhatsAppState = z.infer<typeof WhatsAppState>

/** The steps of a check of the connection, in their order. */
export const WhatsAppStep = z.enum([
  'authorization',
  'permissions',
  'account',
  'number',
  'health',
  'registration',
  'subscription',
])
export type WhatsAppStep = z.infer<typeof WhatsAppStep>

/**
 * Why a step failed.
 * - `expired`: the token is invalid or has expired
 * - `permission`: the token lacks a permission
 * - `restricted`: Meta has restricted the account
 * - `rate`: too many requests to Meta
 * - `pin`: the number has another PIN for its two-step verification
 * - `unverified`: the number is not verified
 * - `callback`: Meta could not reach or verify this server
 * - `refused`: another refusal
 * - `unreachable`: Meta was not reached, did not respond in time, or responded with something unreadable
 */
export const WhatsAppProblemKind = z.enum([
  'expired',
  'permission',
  'restricted',
  'rate',
  'pin',
  'unverified',
  'callback',
  'refused',
  'unreachable',
])
export type WhatsAppProblemKind = z.infer<typeof WhatsAppProblemKind>

/**
 * Why Meta refuses messages, where the pharmacy can mend it.
 * - `payment`: the account has no valid way to pay
 * - `name`: the name of the number is not approved
 * - `registration`: the number is not registered
 * - `restricted`: Meta has restricted the account
 * - `policy`: a message was against Meta's rules, or reported by people
 */
export const MessageRefusal = z.enum(['payment', 'name', 'registration', 'restricted', 'policy'])
export type MessageRefusal = z.infer<typeof MessageRefusal>

/** The ids of Meta are numbers, too large for those of JavaScript. */
const MetaId = z.string().check(z.regex(/^\d{1,30}$/))

/** The connection without its secrets. Times are ISO 8601. */
export const WhatsAppConnection = z.object({
  state: WhatsAppState,
  wabaId: z.nullable(z.string()),
  phoneNumberId: z.nullable(z.string()),
  /** As Meta writes it, for example `+39 041 520 1234`. */
  displayPhoneNumber: z.nullable(z.string()),
  verifiedName: z.nullable(z.string()),
  accountName: z.nullable(z.string()),
  /** `GREEN`, `YELLOW`, `RED` or `UNKNOWN`; other texts of Meta are kept. */
  quality: z.nullable(z.string()),
  /** For example `TIER_250`. */
  messagingLimit: z.nullable(z.string()),
  /** For example `APPROVED` or `PENDING_REVIEW`. */
  nameStatus: z.nullable(z.string()),
  /** For example `CONNECTED` or `FLAGGED`. */
  numberStatus: z.nullable(z.string()),
  /** The number is used in the WhatsApp Business app too. */
  isOnBusinessApp: z.boolean(),
  /** Whether Meta sends events of this account to this server. */
  isSubscribed: z.boolean(),
  /** The first step of the last check that failed. */
  problem: z.nullable(z.object({ step: WhatsAppStep, kind: WhatsAppProblemKind })),
  /** The last refusal of a message since one was delivered. */
  refusal: z.nullable(z.object({ kind: MessageRefusal, at: z.string() })),
  connectedAt: z.string(),
  checkedAt: z.nullable(z.string()),
  /** When the authorization expires; null: never, or unknown. */
  expiresAt: z.nullable(z.string()),
  lastInboundAt: z.nullable(z.string()),
  /** When Meta last accepted a message. */
  lastOutboundAt: z.nullable(z.string()),
  /** Sent messages of the last 24 hours by the furthest state that Meta has reported. */
  lastDay: z.object({
    sent: z.int(),
    delivered: z.int(),
    read: z.int(),
    failed: z.int(),
  }),
})
export type WhatsAppConnection = z.infer<typeof WhatsAppConnection>

/** What the page needs to open Meta's window. None of it is secret. */
export const WhatsAppLogin = z.object({
  appId: z.string(),
  configId: z.string(),
  /** For example `v25.0`. */
  version: z.string(),
  scriptUrl: z.url(),
  /** The origin of a stand-in for Meta; null: Meta's own origins. */
  otherOrigin: z.nullable(z.string()),
})
export type WhatsAppLogin = z.infer<typeof WhatsAppLogin>

const Current = z.object({ connection: WhatsAppConnection })

export const getWhatsApp = endpoint({
  method: 'GET',
  path: '/api/whatsapp',
  summary: 'Get the WhatsApp connection of the own pharmacy',
  access: 'pharmacy',
  feature: 'whatsapp_integration',
  response: z.object({
    /** Null: Meta is not configured on this server. */
    login: z.nullable(WhatsAppLogin),
    connection: z.nullable(WhatsAppConnection),
  }),
  errors: [],
})

/** The errors of the steps before anything is stored. */
const beforeStored = [
  'whatsapp.not_configured',
  'whatsapp.too_many',
  'whatsapp.permissions_missing',
  'whatsapp.account_missing',
  'whatsapp.account_unreadable',
  'whatsapp.numbers_unreadable',
  'whatsapp.other_number',
  'whatsapp.number_taken',
] as const

/**
 * Exchanges the code of Meta's login and connects the number. The code is valid for 30 seconds and once. The ids are those
 * of the window; without them the account is found by what the code authorizes. A later step that fails is in
 * `connection.problem`.
 */
export const exchangeFacebookToken = endpoint({
  method: 'POST',
  path: '/api/facebook-token-exchange',
  summary: 'Connect a WhatsApp number with the code of a login at Meta',
  access: 'pharmacy',
  feature: 'whatsapp_integration',
  role: 'owner',
  audit: 'whatsapp_connected',
  body: z.strictObject({
    code: z.string().check(z.minLength(1), z.maxLength(2_000)),
    wabaId: z.optional(MetaId),
    phoneNumberId: z.optional(MetaId),
  }),
  response: z.extend(Current, {
    user: z.object({
      name: z.string(),
      accounts: z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) }),
    }),
  }),
  errors: ['whatsapp.exchange_failed', ...beforeStored],
})

/** For those whose app is not approved for the login yet: the token of a system user, and the ids. */
export const connectWhatsAppManually = endpoint({
  method: 'POST',
  path: '/api/whatsapp/manual-connection',
  summary: 'Connect a WhatsApp number with a token',
  access: 'pharmacy',
  feature: 'whatsapp_integration',
  role: 'owner',
  audit: 'whatsapp_connected',
  body: z.strictObject({
    token: z.string().check(z.trim(), z.minLength(20), z.maxLength(1_000), z.regex(/^[!-~]+$/)),
    wabaId: z.pipe(z.string().check(z.trim()), MetaId),
    phoneNumberId: z.pipe(z.string().check(z.trim()), MetaId),
  }),
  response: Current,
  errors: ['whatsapp.token_refused', ...beforeStored],
})

/** Checks every step again, and completes those that failed. */
export const checkWhatsApp = endpoint({
  method: 'POST',
  path: '/api/whatsapp/checks',
  summary: 'Check the WhatsApp connection',
  access: 'pharmacy',
  feature: 'whatsapp_integration',
  role: 'owner',
  audit: { none: 'reads' },
  response: Current,
  errors: ['whatsapp.not_configured', 'whatsapp.too_many', 'whatsapp.not_connected'],
})

/** Ends the subscription at Meta, if Meta can be reached, and forgets the token. */
export const disconnectWhatsApp = endpoint({
  method: 'DELETE',
  path: '/api/whatsapp',
  summary: 'Disconnect the WhatsApp number',
  access: 'pharmacy',
  feature: 'whatsapp_integration',
  role: 'owner',
  audit: 'whatsapp_disconnected',
  response: Current,
  errors: ['whatsapp.not_connected'],
})

/** A connection takes several requests to Meta, each with its own time limit. */
export const WHATSAPP_TIME_LIMIT_MS = 60_000

/** The paths that Meta calls, or sends people to. */
export const whatsAppPaths = {
  webhook: '/webhooks/whatsapp',
  deauthorize: '/webhooks/whatsapp/deauthorize',
  dataDeletion: '/webhooks/whatsapp/data-deletion',
  /** The page about one request of data deletion; a code follows. */
  deletionStatus: '/whatsapp-data-deletion',
} as const
