import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  type ExternalPerson,
  type GivenIdToken,
  type IdentityProvider,
  IdentityProviderError,
} from '../../ports/identity-provider.ts'
import type { Secrets } from '../secrets.ts'
import type { Transaction } from './auth.store.ts'
import { isLinkerGone } from './auth-constraints.ts'
import type { AuthContext, Caller } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import type { ExternalFlow } from './external-flows.store.ts'
import { EXTERNAL, type Identities, type Linker } from './identities.service.ts'
import { linkHash } from './one-time-tokens.ts'
import type { Presence } from './presence.ts'
import type { AuthSession } from './session-tokens.ts'
import type { AuthSessions, SignedIn } from './sessions.service.ts'
import { FLOW_SECONDS } from './verify.service.ts'

/** Seconds somebody has at the other service: they may have to look for a password there. */
const AWAY_SECONDS = 600

const PURPOSE = 'external sign-in'

/** `aal`: the level of whoever links it, as they left. */
const Sealed = z.object({
  nonce: z.string(),
  verifier: z.string(),
  aal: z.literal(['aal1', 'aal2']),
})

/** What the caller asked for besides being led away. */
export type ExternalWishes = {
  redirectTo: string
  codeChallenge: string | null
  scopes: readonly string[]
  loginHint: string | undefined
}

/** Where the browser goes, and what its cookie holds meanwhile. */
export type LedAway = { url: URL; state: string; browser: string }

/** What somebody gets who is back: a session, or a code to exchange for it (PKCE). */
export type BroughtBack = { session: AuthSession } | { authCode: string }

export type ExternalSignIn = ReturnType<typeof createExternalSignIn>

type Dependencies = AuthContext & {
  secrets: Secrets
  sessions: AuthSessions
  identities: Identities
  presence: Presence
  provider: IdentityProvider
  /** As the protocol names it. */
  providerId: string
  issuer: string
  log: { warn(details: object, message: string): void }
}

/** Signing in with another service, and linking it to an account. */
export function createExternalSignIn(dependencies: Dependencies) {
  const { store, limits, secrets, sessions, identities, presence, provider, log } = dependencies
  const { providerId, issuer } = dependencies

  /** Whatever the other service does, it is told in the words of the protocol. */
  async function there<T>(work: Promise<T>, refused: () => AuthError): Promise<T> {
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
    if (error !== null) throw saidNo(error)
    if (!answer.has('code')) {
      throw new AuthError('bad_oauth_callback', { message: 'OAuth callback has no code' })
    }
    return there(
      provider.comeBack(answer, checks),
      () =>
        new AuthError('bad_oauth_callback', { message: 'The answer of the provider is not valid' }),
    )
  }

  /** Nothing is left to the client but to prove that it is the one that asked. */
  async function authCode([{ tokens }]: Transaction, flow: AuthCodeOf): Promise<string> {
    const code = randomUUID()
    await tokens.putFlow({ ...flow, codeHash: linkHash(code), method: EXTERNAL }, FLOW_SECONDS)
    return code
  }

  async function signIn(
    person: ExternalPerson,
    codeChallenge: string | null,
    caller: Caller,
  ): Promise<BroughtBack> {
    const done = await store.transaction(async (...transaction) => {
      const user = await identities.letIn(transaction, person, caller)
      if (codeChallenge === null) return sessions.begin(transaction, user, EXTERNAL, caller)
      return authCode(transaction, { userId: user.id, codeChallenge, sessionId: null })
    })
    return typeof done === 'string'
      ? { authCode: done }
      : { session: await sessions.tokensOf(done) }
  }

  /** The session goes on, with whatever level it has. */
  async function link(
    person: ExternalPerson,
    to: Linker,
    codeChallenge: string | null,
    caller: Caller,
  ): Promise<BroughtBack> {
    const done = await store.transaction(async (...transaction) => {
      await identities.linkTo(transaction, to, person, caller)
      if (codeChallenge === null) return sessions.renew(transaction, to.sessionId, caller)
      const { userId, sessionId } = to
      return authCode(transaction, { userId, sessionId, codeChallenge })
    })
    return typeof done === 'string'
      ? { authCode: done }
      : { session: await sessions.tokensOf(done) }
  }

  return {
    providerId,

    /** @param name as the protocol names a provider, or its issuer */
    isOwn: (name: string) => name === providerId || name === issuer,

    unlink: identities.unlink,

    /** @param session whose account it is to be linked to; null to sign in */
    async leave(
      wishes: ExternalWishes,
      session: SignedIn | null,
      caller: Caller,
    ): Promise<LedAway> {
      await limits.take({ limit: 'external-leave', of: caller.address }).catch(tooManyRequests)
      if (session) {
        identities.checkMayLink(session)
        await presence.needFresh(session, 'Linking an identity')
      }
      const { redirectTo, codeChallenge, scopes, loginHint } = wishes
      const [state, browser, nonce, verifier] = [secret(), secret(), secret(), secret()]
      const choose = session !== null
      const aal = session?.aal ?? 'aal1'
      const url = await there(
        provider.leave({ state, nonce, verifier, scopes, loginHint, choose }),
        () => new AuthError('unexpected_failure'),
      )
      const flow = {
        stateHash: linkHash(state),
        browserHash: linkHash(browser),
        sealed: secrets.encrypt(PURPOSE, Buffer.from(JSON.stringify({ nonce, verifier, aal }))),
        provider: providerId,
        redirectTo,
        codeChallenge,
        link: session && { userId: session.user.id, sessionId: session.sessionId },
      }
      await store.externalFlows.insert(flow, AWAY_SECONDS).catch((error: unknown) => {
        throw isLinkerGone(error) ? new AuthError('session_not_found') : error
      })
      return { url, state, browser }
    },

    /** What the browser that is back left for. Once. @throws AuthError `bad_oauth_state` */
    async recognize(state: string, browser: string, caller: Caller): Promise<ExternalFlow> {
      await limits.take({ limit: 'external-return', of: caller.address }).catch(tooManyRequests)
      const flow = await store.externalFlows.take(linkHash(state), linkHash(browser))
      if (!flow) throw new AuthError('bad_oauth_state')
      return flow
    },

    /** @param answer the query that the provider sent the browser back with */
    async finish(
      flow: ExternalFlow,
      state: string,
      answer: URLSearchParams,
      caller: Caller,
    ): Promise<BroughtBack> {
      if (flow.isExpired) throw new AuthError('flow_state_expired')
      // The server was configured anew meanwhile.
      if (flow.provider !== providerId) throw new AuthError('bad_oauth_state')
      const sealed = secrets.decrypt(PURPOSE, flow.sealed).toString()
      const { aal, ...checks } = Sealed.parse(JSON.parse(sealed))
      const person = await personOf({ state, ...checks }, answer)
      const { codeChallenge } = flow
      return flow.link
        ? link(person, { ...flow.link, aal }, codeChallenge, caller)
        : signIn(person, codeChallenge, caller)
    },

    /** With an ID token that a client got by itself. @param session whose account it is to be linked to */
    async withIdToken(
      given: GivenIdToken,
      session: SignedIn | null,
      caller: Caller,
    ): Promise<AuthSession> {
      await limits.take({ limit: 'external-return', of: caller.address }).catch(tooManyRequests)
      if (session) await presence.needFresh(session, 'Linking an identity')
      const person = await there(
        provider.read(given),
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
      throw new Error('nobody asked for a code')
    },
  }
}

type ReturnChecks = Parameters<IdentityProvider['comeBack']>[1]

type AuthCodeOf = { userId: string; codeChallenge: string; sessionId: string | null }

/** 32 random bytes. */
function secret(): string {
  return randomBytes(32).toString('base64url')
}

/** What the other service sends a browser back with that brings nothing. */
function saidNo(error: string): AuthError {
  if (error === 'access_denied') return new AuthError('access_denied')
  if (error === 'server_error' || error === 'temporarily_unavailable') {
    return new AuthError('unexpected_failure', { message: 'The provider does not answer' })
  }
  return new AuthError('bad_oauth_callback', { message: 'The provider refused the request' })
}
