/** Who somebody is at the provider, as it says. */
export type ExternalPerson = {
  /** What it calls them, for ever: everything else may change. */
  subject: string
  /** In lower case; null when it says none that can be used. */
  email: string | null
  /** Whether it says that it has checked the address: `true`, and nothing that only looks like it. */
  emailVerified: boolean
  name: string | null
  picture: string | null
}

/** What a browser that leaves takes along and must come back with, or what it is asked about then. */
export type ExternalChecks = { state: string; nonce: string; verifier: string }

export type Departure = ExternalChecks & {
  /** Besides who they are. */
  scopes: readonly string[]
  loginHint: string | undefined
  /** Asks which account, even when there is one only. */
  choose: boolean
}

/** What somebody else was given by the provider for our client, with the nonce they asked for it with. */
export type GivenIdToken = { idToken: string; nonce: string | undefined }

/**
 * - `unavailable`: it does not answer, or not in a way that can be understood: it may pass
 * - `refused`: what was brought is not worth anything, or not for us
 */
export type IdentityProviderErrorKind = 'unavailable' | 'refused'

/** Its message names neither people nor secrets. */
export class IdentityProviderError extends Error {
  override readonly name = 'IdentityProviderError'
  readonly kind: IdentityProviderErrorKind

  constructor(kind: IdentityProviderErrorKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/**
 * Another service that says who somebody is.
 *
 * @throws IdentityProviderError
 */
export type IdentityProvider = {
  /** Where a browser is led to. */
  leave(departure: Departure): Promise<URL>
  /** Who came back. @param answer the query of the address they came back to */
  comeBack(answer: URLSearchParams, checks: ExternalChecks): Promise<ExternalPerson>
  /** Whom an ID token names: signed by the provider, for our client, not expired. */
  read(given: GivenIdToken): Promise<ExternalPerson>
}
