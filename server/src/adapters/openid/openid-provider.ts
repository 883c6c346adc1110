import { createHash } from 'node:crypto'
import {
  type ExternalIdentity,
  type IdentityProvider,
  IdentityProviderError,
} from '../../ports/identity-provider.ts'
import { createDiscovery, type OpenIdOptions, reasonOf } from './openid-client.ts'
import { createIdTokens, identityOf } from './openid-id-tokens.ts'

const SCOPES = ['openid', 'email', 'profile']

/** The library's error codes for a missing or invalid response of the provider. */
const TRANSIENT_CODES = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

/** Errors about the configuration of this client, not about the user; the operator can fix them. */
const CONFIGURATION_CODES = new Set([
  'invalid_client',
  'unauthorized_client',
  'server_error',
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
])

/** An OpenID Connect provider with a discovery document: the authorization code flow with PKCE, state and nonce. */
export function createOpenIdProvider(options: OpenIdOptions): IdentityProvider {
  const discovery = createDiscovery(options)
  const readIdToken = createIdTokens(options, discovery)

  /** The claims of the ID token, completed from the UserInfo endpoint if the email is missing. */
  async function claimsOf(answer: URL, checks: Checks) {
    const { openid, config } = await discovery.discovered()
    const tokens = await openid.authorizationCodeGrant(config, answer, checks)
    const claims = tokens.claims()
    if (!claims) throw new IdentityProviderError('refused', 'there is no ID token')
    const isWhole = 'email' in claims && 'email_verified' in claims
    if (isWhole || !config.serverMetadata().userinfo_endpoint) return claims
    const told = await openid.fetchUserInfo(config, tokens.access_token, claims.sub)
    // `email` and `email_verified` must come from the same source.
    const { email, email_verified } = 'email' in told ? told : claims
    return { ...told, ...claims, email, email_verified }
  }

  return {
    async authorizationUrl({ state, nonce, verifier, scopes, loginHint, selectAccount }) {
      const { openid, config } = await discovery.inTime(discovery.discovered())
      return openid.buildAuthorizationUrl(config, {
        redirect_uri: options.redirectUri,
        scope: [...new Set([...SCOPES, ...scopes])].join(' '),
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...(loginHint !== undefined && { login_hint: loginHint }),
        ...(selectAccount && { prompt: 'select_account' }),
      })
    },

    async handleCallback(response, { state, nonce, verifier }): Promise<ExternalIdentity> {
      const url = new URL(options.redirectUri)
      url.search = response.toString()
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier }
      try {
        return identityOf(await discovery.inTime(claimsOf(url, checks)))
      } catch (error) {
        throw failureOf(error)
      }
    },

    verifyIdToken: readIdToken,
  }
}

type Checks = { expectedState: string; expectedNonce: string; pkceCodeVerifier: string }

function failureOf(error: unknown): IdentityProviderError {
  if (error instanceof IdentityProviderError) return error
  const reason = reasonOf(error)
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 0
  // Errors of the library have a code; errors without one are network errors.
  const isNetwork = !(error instanceof Error) || !('code' in error) || error instanceof TypeError
  const passes =
    isNetwork ||
    TRANSIENT_CODES.has(reason) ||
    CONFIGURATION_CODES.has(reason) ||
    status >= 500 ||
    status === 429
  return new IdentityProviderError(passes ? 'unavailable' : 'refused', reason)
}
