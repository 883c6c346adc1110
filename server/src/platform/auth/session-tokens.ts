import { z } from 'zod'
import type { Clock } from '../../ports/clock.ts'
import { seconds } from './auth-context.ts'
import type { AuthMethod } from './sessions.store.ts'
import type { SigningKeys } from './signing-keys.ts'
import { type AuthUserJson, userJson } from './user-json.ts'
import type { AuthUser } from './users.store.ts'

/** Seconds an access token lives. */
export const ACCESS_TOKEN_SECONDS = 3600

/** How somebody signed in, the newest first. */
export const Amr = z.array(z.object({ method: z.string(), timestamp: z.number() })).catch([])

/** The same, with one that was shown now. @param amr as it is stored */
export function withMethod(amr: unknown, shown: AuthMethod): AuthMethod[] {
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

/** What a client is given of a session: what its tokens say, and the user. */
export function createSessionTokens({ keys, clock }: { keys: SigningKeys; clock: Clock }) {
  return async (
    user: AuthUser,
    session: { id: string; aal: string; amr: unknown },
    refresh: string,
  ): Promise<AuthSession> => {
    const iat = seconds(clock.now())
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
