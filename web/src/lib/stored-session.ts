import { z } from 'zod'
import { tokenClaims } from './access-token.ts'
import { browserStorage } from './browser-storage.ts'

const Factor = z.object({
  id: z.string(),
  friendly_name: z.string().catch(''),
  factor_type: z.string(),
  status: z.string(),
})

const Stored = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_at: z.number(),
  user: z.object({
    id: z.string(),
    email: z.string().catch(''),
    factors: z.array(Factor).catch([]),
  }),
})

/** How a session began that a link or a code from a mail opened. */
const BY_MAIL = new Set(['otp', 'recovery', 'invite', 'magiclink', 'email/signup', 'email_change'])

/** An app that shows codes, as its owner has named it. */
type CodeApp = { id: string; name: string }

/** A session as the authentication service gives it, with whatever else is in it. */
export const GivenSession = z.looseObject({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  user: z.looseObject({ id: z.string() }),
})
export type GivenSession = z.infer<typeof GivenSession>

/** A session as the auth client has put it into the browser's storage. */
export type StoredSession = {
  /** Null where the token does not say. */
  id: string | null
  userId: string
  email: string
  /** It began with a link from a mail, and not with the password. */
  fromMail: boolean
  /** The apps whose codes are the second factor; none for who has none. */
  codeApps: CodeApp[]
  /** The second factor was not shown yet: until then the session opens nothing. */
  factorNeeded: boolean
  accessToken: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

export function readStoredSession(storageKey: string): StoredSession | null {
  const stored = parse(browserStorage.getItem(storageKey))
  if (!stored) return null
  const { session_id: id, amr, aal } = tokenClaims(stored.access_token)
  const codeApps = stored.user.factors
    .filter(({ factor_type, status }) => factor_type === 'totp' && status === 'verified')
    .map((factor) => ({ id: factor.id, name: factor.friendly_name }))
  return {
    id,
    userId: stored.user.id,
    email: stored.user.email,
    fromMail: amr.some((method) => BY_MAIL.has(method)),
    codeApps,
    factorNeeded: aal === 'aal1' && codeApps.length > 0,
    accessToken: stored.access_token,
    expiresAt: stored.expires_at * 1000,
  }
}

function parse(text: string | null): z.infer<typeof Stored> | null {
  if (text === null) return null
  try {
    return Stored.nullable().catch(null).parse(JSON.parse(text))
  } catch {
    return null
  }
}
