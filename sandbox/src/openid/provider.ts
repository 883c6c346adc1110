import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider'
import type { Accounts } from './accounts.ts'
import type { OpenIdKey } from './key.ts'
import { createMemory } from './memory.ts'
import { problemPage } from './page.ts'

type OpenIdClient = { clientId: string; clientSecret: string; redirectUris: string[] }

export type ProviderOptions = {
  issuer: string
  name: string
  clients: readonly OpenIdClient[]
  accounts: Accounts
  key: OpenIdKey
  /** Where the user's claims are: providers differ. */
  claimsIn: 'id_token' | 'userinfo'
}

/** The lifetime of all tokens and sessions, in seconds. */
const LIFETIME = 600

/** Prompts at every sign-in, so that accounts can be switched. */
function policy() {
  const { Check, Prompt, base } = interactionPolicy
  const prompts = base()
  const asked = new Check('always_asked', 'the account is chosen each time', (ctx) =>
    ctx.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  )
  prompts.get('login')?.checks.add(asked)
  prompts.add(new Prompt({ name: 'select_account', requestable: true }), 0)
  return prompts
}

/** A certified OpenID Connect provider, configured so that it logs no warnings. */
export function createProvider(options: ProviderOptions) {
  const { issuer, name, clients, accounts, key, claimsIn } = options
  const configuration: Configuration = {
    clients: clients.map(({ clientId, clientSecret, redirectUris }) => ({
      client_id: clientId,
      client_secret: clientSecret,
      client_name: 'Bancone',
      redirect_uris: redirectUris,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    })),
    adapter: createMemory(),
    jwks: { keys: [key.privateJwk] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    conformIdTokenClaims: claimsIn === 'userinfo',
    clientBasedCORS: () => false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { policy: policy(), url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: async (_ctx, sub) => {
      const claims = accounts.find(sub)
      return claims && { accountId: sub, claims: async () => claims }
    },
    // First-party client: no consent is required.
    async loadExistingGrant({ oidc }) {
      const { client, session, provider, params } = oidc
      const scope = params?.['scope']
      if (!client || !session?.accountId || typeof scope !== 'string') return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope(scope)
      await grant.save()
      return grant
    },
    async renderError(ctx, out) {
      ctx.type = 'html'
      ctx.body = problemPage(name, out.error_description ?? out.error)
    },
    ttl: {
      AccessToken: LIFETIME,
      AuthorizationCode: LIFETIME,
      IdToken: LIFETIME,
      Interaction: LIFETIME,
      Session: LIFETIME,
      Grant: LIFETIME,
    },
  }
  const provider = new Provider(issuer, configuration)
  const answer = provider.callback()

  return {
    /** Handles all requests except for the page of accounts. */
    answer: (request: IncomingMessage, response: ServerResponse) => answer(request, response),

    /** The details that the page shows. */
    async asked(request: IncomingMessage, response: ServerResponse) {
      const { params, prompt } = await provider.interactionDetails(request, response)
      return { hint: params['login_hint'], prompt: prompt.name }
    },

    /** Completes the page's choice; null for a refusal. @returns the redirect */
    decided(request: IncomingMessage, response: ServerResponse, sub: string | null) {
      const result =
        sub === null
          ? { error: 'access_denied', error_description: 'the person said no' }
          : { select_account: {}, login: { accountId: sub, remember: false } }
      return provider.interactionResult(request, response, result)
    },
  }
}
