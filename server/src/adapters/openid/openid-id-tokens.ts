import { createHash } from 'node:crypto'
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import {
  type ExternalPerson,
  type GivenIdToken,
  IdentityProviderError,
} from '../../ports/identity-provider.ts'
import { type createDiscovery, type OpenIdOptions, reasonOf } from './openid-client.ts'
import { personOf } from './openid-person.ts'

/** Those whose keys are public: with the others whoever may check a token may make one. */
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

/** Seconds that the provider's clock may differ from ours. */
const TOLERANCE = 30

/** Reads ID tokens that a client was given by the provider itself, as those of telephones are. */
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
      // Access tokens and those of a logout are signed with the same keys (RFC 8725, 3.11).
      if (!/^jwt$/i.test(protectedHeader.typ ?? 'JWT'))
        throw new errors.JWTInvalid('of another type')
      return payload
    } catch (error) {
      throw failureOf(error)
    }
  }

  return async ({ idToken, nonce }: GivenIdToken): Promise<ExternalPerson> => {
    const claims = await inTime(verified(idToken))
    // One that is for several clients says who asked for it (OpenID Connect Core, 3.1.3.7).
    const { aud, azp } = claims
    if ((Array.isArray(aud) && aud.length > 1) || azp !== undefined) {
      if (azp !== clientId)
        throw new IdentityProviderError('refused', 'asked for by another client')
    }
    if (!isNonce(claims['nonce'], nonce)) {
      throw new IdentityProviderError('refused', 'the nonce is another one')
    }
    return personOf(claims)
  }
}

/**
 * Clients give the provider the SHA-256 of the nonce in hexadecimal figures, and the nonce itself to us: whoever
 * comes by a token reads the one in it and does not know the other. Both or neither has one.
 */
function isNonce(claim: unknown, given: string | undefined): boolean {
  if (claim === undefined || given === undefined) return claim === given
  return claim === createHash('sha256').update(given).digest('hex')
}

/** What jose says of the token, and not of how the keys were asked for. */
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
