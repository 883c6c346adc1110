import { AuthError } from './auth-error.ts'

type Metadata = Record<string, unknown>

/**
 * Characters of JSON. Every access token carries the metadata, and all headers of a request together may have
 * 16 kB.
 */
export const MAX_METADATA = 4096

/**
 * Merges the given values into the current ones; null removes a value.
 *
 * @throws AuthError `validation_failed` when the result is too large
 */
export function mergedMetadata(kept: unknown, given: Metadata): Metadata {
  const merged = { ...(typeof kept === 'object' && kept !== null ? kept : {}), ...given }
  const whole = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
  if (JSON.stringify(whole).length > MAX_METADATA) {
    throw new AuthError('validation_failed', { message: 'The metadata would be too large' })
  }
  return whole
}

/** The `app_metadata` of a user who signs in by email alone. */
export const emailProviderMetadata = { provider: 'email', providers: ['email'] } as const

/** The providers of a user's sign-in methods, `email` first. */
export function providersOf(hasEmail: boolean, identities: readonly { provider: string }[]) {
  const linked = identities.map(({ provider }) => provider)
  return [...new Set([...(hasEmail ? emailProviderMetadata.providers : []), ...linked])]
}
