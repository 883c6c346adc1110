import { AuthError } from './auth-error.ts'

type Metadata = Record<string, unknown>

/** Characters of JSON: every access token carries it, and all headers together have 16 kB. */
export const MOST_METADATA = 4096

/**
 * What is given is added to what is there; null takes a value away.
 *
 * @throws AuthError `validation_failed` when the whole gets too large
 */
export function mergedMetadata(kept: unknown, given: Metadata): Metadata {
  const merged = { ...(typeof kept === 'object' && kept !== null ? kept : {}), ...given }
  const whole = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
  if (JSON.stringify(whole).length > MOST_METADATA) {
    throw new AuthError('validation_failed', { message: 'The metadata would be too large' })
  }
  return whole
}

/** What is kept of how somebody signs in who has an address, and no other way. */
export const byEmail = { provider: 'email', providers: ['email'] } as const

/** The names of all their ways in; the address with the password is first. */
export function providersOf(hasEmail: boolean, identities: readonly { provider: string }[]) {
  const linked = identities.map(({ provider }) => provider)
  return [...new Set([...(hasEmail ? byEmail.providers : []), ...linked])]
}
