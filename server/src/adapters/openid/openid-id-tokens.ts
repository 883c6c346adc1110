import { createHash } from 'node:crypto'
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { z } from 'zod'
import {
  type ExternalIdentity,
  IdentityProviderError,
  type IdTokenWithNonce,
} from '../../ports/identity-provider.ts'
import { type createDiscovery, type OpenIdOptions, reasonOf } from './openid-client.ts'

/** For display only, not for decisions. PostgreSQL cannot store NUL characters and unpaired surrogates. */
const Shown = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .refine((text) => !text.includes('\u0000') && !/\p{Surrogate}/u.test(text))
  .nullable()
  .catch(null)

const Claims = z.object({
  // The longest subject that the protocol allows (OpenID Connect Core, 2).
  sub: z.string().regex(/^[ -~]{1,255}$/),
  // Checked before the conversion: some non-Latin characters become Latin letters in lower case.
  email: z.string().trim().max(254).pipe(z.email().toLowerCase()).nullable().catch(null),
  email_verified: z.unknown(),
  name: Shown,
  picture: z
    .url({ protocol: /^https$/ })
    .max(1000)
    .nullable()
    .catch(null),
})

/** Reads the identity from the claims. @throws IdentityProviderError if there is no valid subject */
export function identityOf(claims: unknown): ExternalIdentity {
  const read = Claims.safeParse(claims)
  if (!read.success) throw new IdentityProviderError('refused', 'the subject cannot be used')
  const { sub, email, email_verified: verified, name, picture } = read.data
  // Some providers send the string "false", which is truthy.
  return { subject: sub, email, emailVerified: verified === true, name, picture }
}

/** The asymmetric algorithms: with a symmetric one, the verifier's key could also sign tokens. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** The tolerated clock skew, in seconds. */
const TOLERANCE = 30

/** Verifies ID tokens that a client obtained from the provider itself, as mobile apps do. */
export function createIdTokens(
  { clientId }: Pick<OpenIdOptions, 'clientId'>,
  discovery: ReturnType<typeof createDiscovery>,
) {
  const { discovered, fetch, requestLimitMs, inTime } = discovery
  let known: { address: string; keys: JWTVerifyGetKey } | undefined

  function keysAt(address: string): JWTVerifyGetKey {
    if (known?.address !== address) {
      const options = { timeoutDuration: requestLimitMs, [customFetch]: fetch }
      known = { address, keys: createRemoteJWKSet(new URL(address), options) }
    }
    return known.keys
  }

  async function verified(idToken: string): Promise<JWTPayload> {
    const { issuer, jwks_uri: address } = (await discovered()).config.serverMetadata()
    if (address === undefined) throw new IdentityProviderError('unavailable', 'there are no keys')
    try {
      const { payload, protectedHeader } = await jwtVerify(idToken, keysAt(address), {
        issuer,
        audience: clientId,
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE,
        requiredClaims: ['sub', 'iat', 'exp'],
      })
      // Access tokens and logout tokens are signed with the same keys (RFC 8725, 3.11).
      if (!/^jwt$/i.test(protectedHeader.typ ?? 'JWT'))
        throw new errors.JWTInvalid('of another type')
      return payload
    } catch (error) {
      throw failureOf(error)
    }
  }

  return async ({ idToken, nonce }: IdTokenWithNonce): Promise<ExternalIdentity> => {
    const claims = await inTime(verified(idToken))
    // A token with several audiences names the authorized party (OpenID Connect Core, 3.1.3.7).
    const { aud, azp } = claims
    if ((Array.isArray(aud) && aud.length > 1) || azp !== undefined) {
      if (azp !== clientId)
        throw new IdentityProviderError('refused', 'asked for by another client')
    }
    if (!isNonce(claims['nonce'], nonce)) {
      throw new IdentityProviderError('refused', 'the nonce is another one')
    }
    return identityOf(claims)
  }
}

/**
 * Clients send the hexadecimal SHA-256 of the nonce to the provider, and the nonce itself to this server: a stolen token
 * contains only the hash. Either both the token and the request have a nonce, or neither.
 */
function isNonce(claim: unknown, given: string | undefined): boolean {
  if (claim === undefined || given === undefined) return claim === given
  return claim === createHash('sha256').update(given).digest('hex')
}

/** The errors of jose about the token itself, not about the request for the keys. */
const OF_TOKEN = [
  errors.JWTClaimValidationFailed,
  errors.JWTExpired,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
]

function failureOf(error: unknown): IdentityProviderError {
  const isOfToken = OF_TOKEN.some((kind) => error instanceof kind)
  return new IdentityProviderError(isOfToken ? 'refused' : 'unavailable', reasonOf(error))
}
