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
 * - `expired`: the token is invalid or has expired
 * - `permission`: the token lacks a permission
 * - `restricted`: Meta has restricted the account
 * - `rate`: too many requests; the same one may succeed later
 * - `pin`: the number has another PIN for its two-step verification
 * - `unverified`: the number has to be verified first
 * - `callback`: Meta could not reach or verify the address for events
 * - `refused`: another refusal, such as a code that was used
 * - `unreachable`: no response, none in time, a failure of Meta, or something that is not a response of Meta
 */
export type WhatsAppBusinessErrorKind =
  | 'expired'
  | 'permission'
  | 'restricted'
  | 'rate'
  | 'pin'
  | 'unverified'
  | 'callback'
  | 'refused'
  | 'unreachable'

/** The only error of the port. Neither its message nor its cause contains a token, a code or a text of Meta. */
export class WhatsAppBusinessError extends Error {
  override readonly name = 'WhatsAppBusinessError'
  readonly kind: WhatsAppBusinessErrorKind
  /** Meta's error code; undefined without a response of Meta. */
  readonly graphCode: number | undefined
  /** The request may have had its effect: it was sent, and got no readable response. */
  readonly isUnsure: boolean

  constructor(
    kind: WhatsAppBusinessErrorKind,
    message: string,
    { graphCode, isUnsure = false }: { graphCode?: number; isUnsure?: boolean } = {},
  ) {
    super(message)
    this.kind = kind
    this.graphCode = graphCode
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
