import { z } from 'zod'
import type { Clock } from '../../ports/clock.ts'
import { unixSeconds } from './auth-context.ts'
import type { AuthMethod } from './sessions.store.ts'
import type { SigningKeys } from './signing-keys.ts'
import { type AuthUserJson, userJson } from './user-json.ts'
import type { AuthUser } from './users.store.ts'

/** The lifetime of an access token, in seconds. */
export const ACCESS_TOKEN_SECONDS = 3600

/** Authentication method references, the newest first. */
export const Amr = z.array(z.object({ method: z.string(), timestamp: z.number() })).catch([])

/** Adds a method that was used now. @param amr the stored value */
export function addAmrMethod(amr: unknown, shown: AuthMethod): AuthMethod[] {
  return [shown, ...Amr.parse(amr).filter(({ method }) => method !== shown.method)]
}

export type AuthSession = {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  expires_at: number
  refresh_token: string
  user: AuthUserJson
}

/** The token response: access token, refresh token and user. */
export function createTokenResponse({ keys, clock }: { keys: SigningKeys; clock: Clock }) {
  return async (
    user: AuthUser,
    session: { id: string; aal: string; amr: unknown },
    refresh: string,
  ): Promise<AuthSession> => {
    const iat = unixSeconds(clock.now())
    const exp = iat + ACCESS_TOKEN_SECONDS
    const access = await keys.sign({
      sub: user.id,
      iat,
      exp,
      email: user.email ?? '',
      phone: '',
      app_metadata: user.app_metadata,
      user_metadata: user.user_metadata,
      role: 'authenticated',
      aal: session.aal,
      amr: Amr.parse(session.amr),
      session_id: session.id,
      is_anonymous: user.is_anonymous,
    })
    return {
      access_token: access,
      token_type: 'bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      expires_at: exp,
      refresh_token: refresh,
      user: userJson(user),
    }
  }
}
