import {
  type AuthError,
  type GoTrueClient,
  isAuthApiError,
  isAuthSessionMissingError,
} from '@supabase/auth-js'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { sessions } from '../../lib/session.ts'
import type { Area } from '../../lib/session-state.ts'

/** What the service says of a session that it does not know any more. */
const LOST = new Set(['session_not_found', 'bad_jwt', 'no_authorization', 'user_not_found'])

type Answer = Promise<{ data?: unknown; error: AuthError | null }>

/**
 * A call of the authentication service for whoever is signed in. Where it does not know their session any
 * more, that has ended here too.
 *
 * @throws AuthError
 */
export async function asOneself(area: Area, run: (auth: GoTrueClient) => Answer): Promise<unknown> {
  const keeper = sessions[area]
  const before = keeper.current()
  let { data, error } = await run(keeper.auth())
  const code = isAuthApiError(error) ? (error.code ?? '') : ''
  if (before && (isAuthSessionMissingError(error) || LOST.has(code))) {
    if ((await keeper.renewed(before.accessToken)) !== null) {
      ;({ data, error } = await run(keeper.auth()))
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
  email: z.string().optional().catch(undefined),
  last_sign_in_at: z.string().nullish().catch(null),
})
/** Who one is at another service, or with the address and the password (`email`). */
export type Identity = z.infer<typeof Identity>

const Factor = z.object({
  id: z.string(),
  friendly_name: z.string().catch(''),
  factor_type: z.string(),
  status: z.string(),
  created_at: z.string().catch(''),
})

/** An app that shows codes. */
export type CodeApp = { id: string; name: string; since: string }

const OwnUser = z.object({
  email: z.string().catch(''),
  new_email: z.string().optional().catch(undefined),
  email_change_sent_at: z.string().optional().catch(undefined),
  user_metadata: z.object({ full_name: z.string().catch('') }).catch({ full_name: '' }),
  identities: z.array(Identity).catch([]),
  factors: z.array(Factor).catch([]),
})

export type OwnAccount = {
  email: string
  /** As they call themselves; empty where they do not. */
  name: string
  /** The address that is to take the place of the present one, once both agree. */
  nextEmail: { address: string; askedAt: string } | null
  codeApps: CodeApp[]
  /** Without the one of the password. */
  identities: Identity[]
}

function accountOf(answer: unknown): OwnAccount {
  const { user } = z.object({ user: OwnUser }).parse(answer)
  const { email, new_email: address, email_change_sent_at: askedAt } = user
  return {
    email,
    name: user.user_metadata.full_name,
    nextEmail: address && askedAt ? { address, askedAt } : null,
    codeApps: user.factors
      .filter(({ factor_type, status }) => factor_type === 'totp' && status === 'verified')
      .map(({ id, friendly_name: name, created_at: since }) => ({ id, name, since })),
    identities: user.identities.filter(({ provider }) => provider !== 'email'),
  }
}

/** The cache key of what the authentication service knows of whoever is signed in. */
export function ownAccountKey(area: Area) {
  return [area, 'own account'] as const
}

export function useOwnAccount(area: Area): UseQueryResult<OwnAccount> {
  return useQuery({
    queryKey: ownAccountKey(area),
    queryFn: async () => accountOf(await asOneself(area, (auth) => auth.getUser())),
  })
}
