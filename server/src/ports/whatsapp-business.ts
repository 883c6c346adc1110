import { KindError } from './kind-error.ts'
/** What Meta says of a token. */
export type TokenFacts = {
  isValid: boolean
  /** The user that the token belongs to, which may be a system user. */
  userId: string | null
  /** ISO 8601; null: it never expires. */
  expiresAt: string | null
  scopes: string[]
  /** The WhatsApp Business accounts that it is limited to; empty when Meta names none. */
  accountIds: string[]
}

export type BusinessAccount = { id: string; name: string | null; ownerName: string | null }

/** A number of an account. The texts are those of Meta, which adds new ones. */
export type BusinessNumber = {
  id: string
  /** As Meta writes it, for example `+39 041 520 1234`. */
  displayPhoneNumber: string | null
  verifiedName: string | null
  /** For example `VERIFIED`. */
  verification: string | null
}

export type NumberHealth = BusinessNumber & {
  /** `GREEN`, `YELLOW`, `RED` or `UNKNOWN`. */
  quality: string | null
  /** For example `TIER_250`. */
  messagingLimit: string | null
  /** For example `CONNECTED`, `PENDING`, `BANNED`. */
  status: string | null
  /** For example `APPROVED`, `PENDING_REVIEW`. */
  nameStatus: string | null
  /** `CLOUD_API`, or `NOT_APPLICABLE` for a number that is not registered. */
  platform: string | null
  /** `NOT_APPLICABLE` for a number that is not registered. */
  throughput: string | null
  isOnBusinessApp: boolean
}

/**
 * What a refusal of Meta means.
 * - `expired`: the token is invalid or has expired; `permission`: it lacks a permission
 * - `restricted`: Meta has restricted the account; `policy`: it was against Meta's rules
 * - `rate`: too many requests or messages, which may succeed later; `pair`: too many messages to one person
 * - `pin`: the number has another PIN for its two-step verification
 * - `unverified`: the number has to be verified first; `registration`: it is not registered; `name`: its name is not approved
 * - `callback`: Meta could not reach or verify the address for events
 * - `payment`: the account has no valid way to pay
 * - `window_closed`: free text is not delivered any more, a template is
 * - `template`: the template has changed at Meta
 * - `not_on_whatsapp`: the number of the person has no WhatsApp
 * - `person`: Meta delivers no notices to this person for a day
 * - `own_number`: the number of the person is that of the pharmacy
 * - `refused`: another refusal, such as a code that was used
 * - `unreachable`: no response, none in time, a failure of Meta, or something that is not a response of Meta
 */
export type WhatsAppBusinessErrorKind =
  | 'expired'
  | 'permission'
  | 'restricted'
  | 'policy'
  | 'rate'
  | 'pair'
  | 'pin'
  | 'unverified'
  | 'registration'
  | 'name'
  | 'callback'
  | 'payment'
  | 'window_closed'
  | 'template'
  | 'not_on_whatsapp'
  | 'person'
  | 'own_number'
  | 'refused'
  | 'unreachable'

const kinds: ReadonlyMap<number, WhatsAppBusinessErrorKind> = new Map([
  [1, 'unreachable'],
  [2, 'unreachable'],
  [3, 'permission'],
  [4, 'rate'],
  [10, 'permission'],
  [17, 'rate'],
  [190, 'expired'],
  [368, 'restricted'],
  [2_200, 'callback'],
  [80_007, 'rate'],
  [80_008, 'rate'],
  [130_429, 'rate'],
  [130_497, 'policy'],
  [131_000, 'unreachable'],
  [131_016, 'unreachable'],
  [131_021, 'own_number'],
  [131_026, 'not_on_whatsapp'],
  [131_030, 'not_on_whatsapp'],
  [131_031, 'restricted'],
  [131_037, 'name'],
  [131_042, 'payment'],
  [131_045, 'registration'],
  [131_047, 'window_closed'],
  [131_048, 'policy'],
  [131_049, 'person'],
  [131_056, 'pair'],
  [132_001, 'template'],
  [132_007, 'policy'],
  [132_015, 'template'],
  [132_016, 'template'],
  [133_004, 'unreachable'],
  [133_005, 'pin'],
  [133_006, 'unverified'],
  [133_008, 'rate'],
  [133_009, 'rate'],
  [133_010, 'registration'],
  [133_015, 'rate'],
  [133_016, 'rate'],
])

/** The meaning of Meta's code, whether it comes in a response or in a webhook. */
export function kindOfCode(code: number): WhatsAppBusinessErrorKind {
  if (code >= 200 && code <= 299) return 'permission'
  return kinds.get(code) ?? 'refused'
}

/** The only error of the port. Neither its message nor its cause contains a token, a code or a text of Meta. */
export class WhatsAppBusinessError extends KindError<WhatsAppBusinessErrorKind> {
  override readonly name = 'WhatsAppBusinessError'
  /** The request may have had its effect: it was sent, and got no readable response. */
  readonly isUnsure: boolean

  constructor(kind: WhatsAppBusinessErrorKind, message: string, isUnsure = false) {
    super(kind, message)
    this.isUnsure = isUnsure
  }
}

/** A template of the category `UTILITY` in Italian. */
export type NewTemplate = {
  name: string
  /** With `{{1}}`, `{{2}}`, … */
  body: string
  samples: readonly string[]
  /** A button that leads to an address; what follows `url` is given with each message. */
  button?: { label: string; url: string; sample: string }
}

/** A template as Meta describes it. The texts are those of Meta. */
export type TemplateFacts = { name: string; status: string; category: string }

/** A message to one person. */
export type OutgoingMessage = {
  /** Comes back with what is reported of the message. */
  reference: string
  /** E.164. At least one of the two is known; the number is preferred. */
  phone: string | null
  userId: string | null
  content:
    | { text: string }
    | { template: string; values: readonly string[]; buttonValue: string | undefined }
}

/** WhatsApp Business accounts and numbers at Meta. Each call throws WhatsAppBusinessError. */
export type WhatsAppBusiness = {
  /** The token for a code of the login. A code is valid for 30 seconds and once, so nothing is repeated. */
  exchange(code: string): Promise<string>
  inspect(token: string): Promise<TokenFacts>
  account(token: string, accountId: string): Promise<BusinessAccount>
  numbers(token: string, accountId: string): Promise<BusinessNumber[]>
  health(token: string, numberId: string): Promise<NumberHealth>
  /** @param pin six digits; a number that has one accepts only the same */
  register(token: string, numberId: string, pin: string): Promise<void>
  /** Sends the events of the account to that address, which Meta verifies meanwhile. */
  subscribe(
    token: string,
    accountId: string,
    callback: { url: string; verifyToken: string },
  ): Promise<void>
  unsubscribe(token: string, accountId: string): Promise<void>
  /** The templates in Italian. */
  templates(token: string, accountId: string): Promise<TemplateFacts[]>
  createTemplate(token: string, accountId: string, template: NewTemplate): Promise<TemplateFacts>
  /** @returns the id of the message, which Meta has accepted: that is not to say that it will be delivered */
  send(token: string, numberId: string, message: OutgoingMessage): Promise<string>
  /** Resolves when Meta accepts the credentials of the application. */
  check(signal: AbortSignal): Promise<void>
}
