import { listAccountActivity, listAccountSessions } from '@bancone/contract/account'
import { paths } from '@bancone/contract/pages'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import type { AuthError, GoTrueClient } from '@supabase/auth-js'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { isSessionLost } from '../../lib/ask-auth.ts'
import { endpointKey } from '../../lib/endpoint-query.ts'
import { sessions } from '../../lib/session.ts'
import type { Area } from '../../lib/session-state.ts'

type Answer = Promise<{ data?: unknown; error: AuthError | null }>

/**
 * Calls the authentication service as the signed-in user. When their session no longer exists there, it ends here
 * too.
 *
 * @throws AuthError
 */
export async function callAsUser(
  area: Area,
  run: (auth: GoTrueClient) => Answer,
): Promise<unknown> {
  const store = sessions[area]
  const before = store.current()
  const auth = await store.auth()
  let { data, error } = await run(auth)
  if (before && isSessionLost(error)) {
    if ((await store.refreshAfterUnauthorized(before.accessToken)) !== null) {
      ;({ data, error } = await run(auth))
    }
  }
  if (error) throw error
  return data
}

const Identity = z.object({
  id: z.string(),
  identity_id: z.string(),
  user_id: z.string(),
  provider: z.string(),
  email: z.catch(z.optional(z.string()), undefined),
  last_sign_in_at: z.catch(z.nullish(z.string()), null),
})
/** An identity at an external provider, or that of email and password (`email`). */
export type Identity = z.infer<typeof Identity>

const Factor = z.object({
  id: z.string(),
  friendly_name: z.catch(z.string(), ''),
  factor_type: z.string(),
  status: z.string(),
  created_at: z.catch(z.string(), ''),
})

/** An authenticator app. */
export type AuthenticatorApp = { id: string; name: string; since: string }

const OwnUser = z.object({
  email: z.catch(z.string(), ''),
  new_email: z.catch(z.optional(z.string()), undefined),
  email_change_sent_at: z.catch(z.optional(z.string()), undefined),
  user_metadata: z.catch(z.object({ full_name: z.catch(z.string(), '') }), { full_name: '' }),
  identities: z.catch(z.array(Identity), []),
  factors: z.catch(z.array(Factor), []),
})

export type OwnAccount = {
  email: string
  /** The name that the user has set; empty when there is none. */
  name: string
  /** The new address of a pending change, which both addresses must confirm. */
  nextEmail: { address: string; askedAt: string } | null
  authenticatorApps: AuthenticatorApp[]
  /** Without the one of email and password. */
  identities: Identity[]
}

function accountOf(answer: unknown): OwnAccount {
  const { user } = z.object({ user: OwnUser }).parse(answer)
  const { email, new_email: address, email_change_sent_at: askedAt } = user
  return {
    email,
    name: user.user_metadata.full_name,
    nextEmail: address && askedAt ? { address, askedAt } : null,
    authenticatorApps: user.factors
      .filter(({ factor_type, status }) => factor_type === 'totp' && status === 'verified')
      .map(({ id, friendly_name: name, created_at: since }) => ({ id, name, since })),
    identities: user.identities.filter(({ provider }) => provider !== 'email'),
  }
}

/** Query key of the signed-in user's data at the authentication service. */
export function ownAccountKey(area: Area) {
  return [area, 'own account'] as const
}

export function useOwnAccount(area: Area): UseQueryResult<OwnAccount> {
  return useQuery({
    queryKey: ownAccountKey(area),
    queryFn: async () => accountOf(await callAsUser(area, (auth) => auth.getUser())),
  })
}

/** Query key of the number of unused recovery codes. */
export function recoveryCodesKey(area: Area) {
  return [area, 'recovery codes'] as const
}

/** Invalidates everything that the page shows of the account, after a change here. */
export function useInvalidateAccount(area: Area): () => void {
  const client = useQueryClient()
  return () => {
    const keys = [
      ownAccountKey(area),
      recoveryCodesKey(area),
      endpointKey(listAccountSessions, { area }).slice(0, 2),
      endpointKey(listAccountActivity, { area }).slice(0, 2),
      // For the name in the header.
      ...(area === 'pharmacy' ? [endpointKey(getOwnPharmacy)] : []),
    ]
    for (const queryKey of keys) void client.invalidateQueries({ queryKey })
  }
}

/** Paths of the account page in each area. */
export const accountPaths: Record<Area, string> = {
  pharmacy: paths.account,
  admin: paths.adminAccount,
}
