import { KindError } from './kind-error.ts'
/** A user of the provider, as described by its claims. */
export type ExternalIdentity = {
  /** The `sub` claim, which never changes; everything else may. */
  subject: string
  /** In lower case; null when the provider returns no usable address. */
  email: string | null
  /** Whether the claim `email_verified` is the boolean `true`. */
  emailVerified: boolean
  name: string | null
  picture: string | null
}

/** The values that bind an authorization response to its request: `state`, `nonce` and the PKCE code verifier. */
export type AuthorizationChecks = { state: string; nonce: string; verifier: string }

export type AuthorizationRequest = AuthorizationChecks & {
  /** Scopes besides `openid`, `email` and `profile`. */
  scopes: readonly string[]
  loginHint: string | undefined
  /** Whether the provider must ask for the account, even if the user has only one (`prompt=select_account`). */
  selectAccount: boolean
}

/** An ID token that a client obtained from the provider itself, with the nonce of its request. */
export type IdTokenWithNonce = { idToken: string; nonce: string | undefined }

/**
 * - `unavailable`: the provider does not respond, or its response is invalid; may be transient
 * - `refused`: the code or token is invalid, or issued for another client
 */
export type IdentityProviderErrorKind = 'unavailable' | 'refused'

/** The message contains neither personal data nor secrets. */
export class IdentityProviderError extends KindError<IdentityProviderErrorKind> {
  override readonly name = 'IdentityProviderError'
}

/**
 * An external identity provider (OpenID Connect).
 *
 * @throws IdentityProviderError
 */
export type IdentityProvider = {
  /** The URL of the authorization endpoint, to which the browser is redirected. */
  authorizationUrl(request: AuthorizationRequest): Promise<URL>
  /** Exchanges the authorization code for the user's identity. @param response the query of the redirect URI */
  handleCallback(response: URLSearchParams, checks: AuthorizationChecks): Promise<ExternalIdentity>
  /** Verifies the signature, audience and expiry of an ID token and returns the user's identity. */
  verifyIdToken(token: IdTokenWithNonce): Promise<ExternalIdentity>
}
