import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  type ExternalIdentity,
  type IdentityProvider,
  IdentityProviderError,
  type IdTokenWithNonce,
} from '../../ports/identity-provider.ts'
import type { Log } from '../../ports/log.ts'
import type { Transaction } from './auth.store.ts'
import type { AuthContext, AuthenticatedSession, Caller } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import type { ExternalFlow } from './external-flows.store.ts'
import { type Identities, type LinkTarget, OAUTH_METHOD } from './identities.service.ts'
import { linkHash } from './one-time-tokens.ts'
import type { Reauthentication } from './reauthentication.ts'
import type { AuthSession } from './session-tokens.ts'
import type { AuthSessions, IssuedSession } from './sessions.service.ts'
import { FLOW_SECONDS } from './verify.service.ts'

/** Seconds until a flow expires. The user may have to find their password at the provider. */
const FLOW_LIFETIME_SECONDS = 600

const PURPOSE = 'external sign-in'

/** `aal`: the level of the session that asked for the link, at that time. */
const Sealed = z.object({
  nonce: z.string(),
  verifier: z.string(),
  aal: z.literal(['aal1', 'aal2']),
})

/** The parameters of an authorization request. */
export type AuthorizationOptions = {
  redirectTo: string
  codeChallenge: string | null
  scopes: readonly string[]
  loginHint: string | undefined
}

/** The outcome of a callback: a session, or an auth code to exchange for one (PKCE). */
export type CallbackResult = { session: AuthSession } | { authCode: string }

export type ExternalSignIn = ReturnType<typeof createExternalSignIn>

type Dependencies = AuthContext & {
  sessions: AuthSessions
  identities: Identities
  reauthentication: Reauthentication
  provider: IdentityProvider
  /** The name in the protocol. */
  providerId: string
  issuer: string
  log: Pick<Log, 'warn'>
}

/** Sign-in with an external provider, and linking of its identities to accounts. */
export function createExternalSignIn(dependencies: Dependencies) {
  const { store, limits, secrets, sessions, identities, reauthentication, provider, log } =
    dependencies
  const { providerId, issuer } = dependencies

  /** Calls the provider and translates its errors into GoTrue's. */
  async function callProvider<T>(work: Promise<T>, refused: () => AuthError): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof IdentityProviderError)) throw error
      const { kind, message: reason } = error
      log.warn({ provider: providerId, kind, reason }, 'external sign-in failed')
      if (kind === 'refused') throw refused()
      throw new AuthError('unexpected_failure', { message: 'The provider does not answer' })
    }
  }

  async function personOf(checks: ReturnChecks, answer: URLSearchParams) {
    const error = answer.get('error')
    if (error !== null) throw errorOfCallback(error)
    if (!answer.has('code')) {
      throw new AuthError('bad_oauth_callback', { message: 'OAuth callback has no code' })
    }
    return callProvider(
      provider.handleCallback(answer, checks),
      () =>
        new AuthError('bad_oauth_callback', { message: 'The answer of the provider is not valid' }),
    )
  }

  /** Issues an auth code. The client exchanges it with its code verifier. */
  async function authCode([{ tokens }]: Transaction, flow: AuthCodeOf): Promise<string> {
    const code = randomUUID()
    await tokens.insertFlow(
      { ...flow, code_hash: linkHash(code), method: OAUTH_METHOD },
      FLOW_SECONDS,
    )
    return code
  }

  /** @param work issues a session, or an auth code */
  async function resultOf(
    work: (...transaction: Transaction) => Promise<IssuedSession | string>,
  ): Promise<CallbackResult> {
    const issued = await store.transaction(work)
    return typeof issued === 'string'
      ? { authCode: issued }
      : { session: await sessions.tokensOf(issued) }
  }

  function signIn(
    person: ExternalIdentity,
    codeChallenge: string | null,
    caller: Caller,
  ): Promise<CallbackResult> {
    return resultOf(async (...transaction) => {
      const user = await identities.resolveUser(transaction, person, caller)
      if (codeChallenge === null) return sessions.begin(transaction, user, OAUTH_METHOD, caller)
      return authCode(transaction, {
        user_id: user.id,
        code_challenge: codeChallenge,
        session_id: null,
      })
    })
  }

  /** Links the identity. The session continues, with its current level. */
  function link(
    person: ExternalIdentity,
    to: LinkTarget,
    codeChallenge: string | null,
    caller: Caller,
  ): Promise<CallbackResult> {
    return resultOf(async (...transaction) => {
      await identities.linkIdentity(transaction, to, person, caller)
      if (codeChallenge === null) return sessions.renew(transaction, to.sessionId, caller)
      return authCode(transaction, {
        user_id: to.userId,
        session_id: to.sessionId,
        code_challenge: codeChallenge,
      })
    })
  }

  return {
    providerId,

    /** @param name the provider's name or issuer */
    isProvider: (name: string) => name === providerId || name === issuer,

    unlink: identities.unlink,

    /**
     * Begins a flow. @param session the session to link the identity to; null to sign in
     *
     * @returns the provider's URL, its state, and the secret for the browser's cookie
     */
    async authorize(
      options: AuthorizationOptions,
      session: AuthenticatedSession | null,
      caller: Caller,
    ) {
      await limits.take({ limit: 'external-leave', subject: caller.address }).catch(tooManyRequests)
      if (session) {
        identities.checkMayLink(session)
        await reauthentication.requireRecent(session, 'Linking an identity')
      }
      const { redirectTo, codeChallenge, scopes, loginHint } = options
      const [state, browserSecret, nonce, verifier] = [secret(), secret(), secret(), secret()]
      const selectAccount = session !== null
      const aal = session?.aal ?? 'aal1'
      const url = await callProvider(
        provider.authorizationUrl({ state, nonce, verifier, scopes, loginHint, selectAccount }),
        () => new AuthError('unexpected_failure'),
      )
      const flow = {
        state_hash: linkHash(state),
        browser_hash: linkHash(browserSecret),
        sealed: secrets.encrypt(PURPOSE, Buffer.from(JSON.stringify({ nonce, verifier, aal }))),
        provider: providerId,
        redirect_to: redirectTo,
        code_challenge: codeChallenge,
        link_user_id: session?.user.id ?? null,
        link_session_id: session?.sessionId ?? null,
      }
      await store.externalFlows.insert(flow, FLOW_LIFETIME_SECONDS)
      return { url, state, browserSecret }
    },

    /** Returns the flow that a browser comes back with, once. @throws AuthError `bad_oauth_state` */
    async takeFlow(state: string, browserSecret: string, caller: Caller): Promise<ExternalFlow> {
      await limits
        .take({ limit: 'external-return', subject: caller.address })
        .catch(tooManyRequests)
      const flow = await store.externalFlows.take(linkHash(state), linkHash(browserSecret))
      if (!flow) throw new AuthError('bad_oauth_state')
      return flow
    },

    /** Completes a flow. @param answer the query that the provider sent the browser back with */
    async handleCallback(
      flow: ExternalFlow,
      state: string,
      answer: URLSearchParams,
      caller: Caller,
    ): Promise<CallbackResult> {
      if (flow.isExpired) throw new AuthError('flow_state_expired')
      // The configured provider changed meanwhile.
      if (flow.provider !== providerId) throw new AuthError('bad_oauth_state')
      const sealed = secrets.decrypt(PURPOSE, flow.sealed).toString()
      const { aal, ...checks } = Sealed.parse(JSON.parse(sealed))
      const person = await personOf({ state, ...checks }, answer)
      const { codeChallenge } = flow
      return flow.link
        ? link(person, { ...flow.link, aal }, codeChallenge, caller)
        : signIn(person, codeChallenge, caller)
    },

    /**
     * Signs in, or links, with an ID token that the client obtained itself. @param session the session to link
     * the identity to; null to sign in
     */
    async signInWithIdToken(
      given: IdTokenWithNonce,
      session: AuthenticatedSession | null,
      caller: Caller,
    ): Promise<AuthSession> {
      await limits
        .take({ limit: 'external-return', subject: caller.address })
        .catch(tooManyRequests)
      if (session) await reauthentication.requireRecent(session, 'Linking an identity')
      const person = await callProvider(
        provider.verifyIdToken(given),
        () => new AuthError('invalid_request', { message: 'Bad ID token' }),
      )
      const back = session
        ? await link(
            person,
            { userId: session.user.id, sessionId: session.sessionId, aal: session.aal },
            null,
            caller,
          )
        : await signIn(person, null, caller)
      if ('session' in back) return back.session
      throw new Error('a code was returned without a PKCE challenge')
    },
  }
}

type ReturnChecks = Parameters<IdentityProvider['handleCallback']>[1]

type AuthCodeOf = { user_id: string; code_challenge: string; session_id: string | null }

/** 32 random bytes. */
function secret(): string {
  return randomBytes(32).toString('base64url')
}

/** The error for an OAuth error response of the provider. */
function errorOfCallback(error: string): AuthError {
  if (error === 'access_denied') return new AuthError('access_denied')
  if (error === 'server_error' || error === 'temporarily_unavailable') {
    return new AuthError('unexpected_failure', { message: 'The provider does not answer' })
  }
  return new AuthError('bad_oauth_callback', { message: 'The provider refused the request' })
}
