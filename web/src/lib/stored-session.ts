import { z } from 'zod/mini'
import { browserStorage } from './browser-storage.ts'

const Factor = z.object({
  id: z.string(),
  friendly_name: z.catch(z.string(), ''),
  factor_type: z.string(),
  status: z.string(),
})

const Stored = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_at: z.number(),
  user: z.object({
    id: z.string(),
    email: z.catch(z.string(), ''),
    factors: z.catch(z.array(Factor), []),
  }),
})

/** Authentication methods that use a link or code from an email. */
const EMAIL_METHODS = new Set([
  'otp',
  'recovery',
  'invite',
  'magiclink',
  'email/signup',
  'email_change',
])

/** A TOTP factor with the name given by the user. */
type AuthenticatorApp = { id: string; name: string }

/** The token response of the authentication service. */
export const AccessTokenResponse = z.looseObject({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  user: z.looseObject({ id: z.string() }),
})
export type AccessTokenResponse = z.infer<typeof AccessTokenResponse>

/** The session in the browser's storage, as written by the auth client. */
export type StoredSession = {
  /** Null when the token does not contain it. */
  id: string | null
  userId: string
  email: string
  /** The session began with a link from an email, not with the password. */
  fromMail: boolean
  /** The verified TOTP factors of the user. */
  authenticatorApps: AuthenticatorApp[]
  /** The second factor has not been verified: until then the API rejects the session. */
  factorNeeded: boolean
  accessToken: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

export function readStoredSession(storageKey: string): StoredSession | null {
  const stored = parse(browserStorage.getItem(storageKey))
  if (!stored) return null
  const { session_id: id, amr, aal } = tokenClaims(stored.access_token)
  const authenticatorApps = stored.user.factors
    .filter(({ factor_type, status }) => factor_type === 'totp' && status === 'verified')
    .map((factor) => ({ id: factor.id, name: factor.friendly_name }))
  return {
    id,
    userId: stored.user.id,
    email: stored.user.email,
    fromMail: amr.some((method) => EMAIL_METHODS.has(method)),
    authenticatorApps,
    factorNeeded: aal === 'aal1' && authenticatorApps.length > 0,
    accessToken: stored.access_token,
    expiresAt: stored.expires_at * 1000,
  }
}

function parse(text: string | null): z.infer<typeof Stored> | null {
  if (text === null) return null
  try {
    return z.catch(z.nullable(Stored), null).parse(JSON.parse(text))
  } catch {
    return null
  }
}

const Claims = z.object({
  /** Identifies the session; stays the same when its tokens are refreshed. */
  session_id: z.catch(z.nullable(z.string()), null),
  /** How the user authenticated: `password`, `otp` for a link from an email, … */
  amr: z.catch(
    z.array(
      z.union([
        z.string(),
        z.pipe(
          z.object({ method: z.string() }),
          z.transform(({ method }) => method),
        ),
      ]),
    ),
    [],
  ),
  /** 'aal2' after a second factor was verified. */
  aal: z.catch(z.enum(['aal1', 'aal2']), 'aal1'),
})
type Claims = z.infer<typeof Claims>

const nothing: Claims = { session_id: null, amr: [], aal: 'aal1' }

/** The claims of an access token, without checking its signature: only for choosing what to show. */
export function tokenClaims(token: string): Claims {
  const [, payload = ''] = token.split('.')
  try {
    const json: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return z.catch(Claims, nothing).parse(json)
  } catch {
    return nothing
  }
}
