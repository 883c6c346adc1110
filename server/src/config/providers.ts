/** An OpenID Connect provider. */
export type OidcSettings = {
  /** Its name in the protocol: `google`, `keycloak`, … */
  provider: string
  /** Its display name. */
  name: string
  issuer: string
  clientId: string
  clientSecret: string
}

/** The application at Meta. */
export type MetaSettings = {
  appId: string
  appSecret: string
  /** The configuration of Facebook Login for Business. */
  configId: string
  /** What Meta shows when it verifies the address for events. */
  verifyToken: string
  /** Undefined: Meta's own. Another one is that of a stand-in, which has the login too. */
  graphUrl?: string | undefined
}
