import { createHash } from 'node:crypto'
import {
  type ExternalPerson,
  type IdentityProvider,
  IdentityProviderError,
} from '../../ports/identity-provider.ts'
import { createDiscovery, type OpenIdOptions, reasonOf } from './openid-client.ts'
import { createIdTokens } from './openid-id-tokens.ts'
import { personOf } from './openid-person.ts'

const SCOPES = ['openid', 'email', 'profile']

/** What the library says when the provider does not answer, or answers what cannot be read. */
const PASSING = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

/** What a provider says of us and not of who signs in: whoever runs the server can mend it. */
const OURS = new Set([
  'invalid_client',
  'unauthorized_client',
  'server_error',
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
])

/** Any provider of OpenID Connect that has a discovery document: the code flow with PKCE, state and nonce. */
export function createOpenIdProvider(options: OpenIdOptions): IdentityProvider {
  const discovery = createDiscovery(options)
  const readIdToken = createIdTokens(options, discovery)

  /** What the ID token does not say of them, the provider tells to who has the access token. */
  async function claimsOf(answer: URL, checks: Checks) {
    const { openid, config } = await discovery.discovered()
    const tokens = await openid.authorizationCodeGrant(config, answer, checks)
    const claims = tokens.claims()
    if (!claims) throw new IdentityProviderError('refused', 'there is no ID token')
    const isWhole = 'email' in claims && 'email_verified' in claims
    if (isWhole || !config.serverMetadata().userinfo_endpoint) return claims
    const told = await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
    // What is said of an address is not said of one that stands elsewhere.
    const { email, email_verified } = 'email' in told ? told : claims
    return { ...told, ...claims, email, email_verified }
  }

  return {
    async leave({ state, nonce, verifier, scopes, loginHint, choose }) {
      const { openid, config } = await discovery.inTime(discovery.discovered())
      return openid.buildAuthorizationUrl(config, {
        redirect_uri: options.redirectUri,
        scope: [...new Set([...SCOPES, ...scopes])].join(' '),
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...(loginHint !== undefined && { login_hint: loginHint }),
        ...(choose && { prompt: 'select_account' }),
      })
    },

    async comeBack(answer, { state, nonce, verifier }): Promise<ExternalPerson> {
      const url = new URL(options.redirectUri)
      url.search = answer.toString()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
      try {
        return personOf(await discovery.inTime(claimsOf(url, checks)))
      } catch (error) {
        throw failureOf(error)
      }
    },

    read: readIdToken,
  }
}

type Checks = { expectedState: string; expectedNonce: string; pkceCodeVerifier: string }

function failureOf(error: unknown): IdentityProviderError {
  if (error instanceof IdentityProviderError) return error
  const reason = reasonOf(error)
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 0
  // The library's own errors have a code; what has none is the network's.
  const isNetwork = !(error instanceof Error) || !('code' in error) || error instanceof TypeError
  const passes =
    isNetwork || PASSING.has(reason) || OURS.has(reason) || status >= 500 || status === 429
  return new IdentityProviderError(passes ? 'unavailable' : 'refused', reason)
}
