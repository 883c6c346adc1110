import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AuthService } from './auth.service.ts'
import { AuthError } from './auth-error.ts'
import {
  bearerToken,
  callerOf,
  isStorableText,
  parse,
  queryOf,
  toAuthError,
} from './auth-protocol.ts'
import { clearedStateCookie, readStateCookie, stateCookie } from './cookies.ts'
import type { AuthorizationOptions, CallbackResult, ExternalSignIn } from './external.service.ts'
import { codeChallengeOf } from './pkce.ts'
import { isLoopback, withCode, withError, withSession } from './redirect-urls.ts'

/** The characters of a scope (RFC 6749, 3.3). */
const Scopes = z
  .string()
  .max(1000)
  .regex(/^[!#-[\]-~ ]*$/)
  .transform((text) => text.split(/[ ,]+/).filter((scope) => scope !== ''))
  .optional()

const Hint = z.string().max(254).refine(isStorableText).optional()

const Id = z.object({ id: z.uuid() })

const Answer = z.record(z.string(), z.string())

/** Sign-in with an external provider, and linking of its identities. */
export function externalRoutes(app: FastifyInstance, auth: AuthService, external: ExternalSignIn) {
  const { publicUrl } = auth.settings
  const isSecure = publicUrl.startsWith('https:')

  /** The parameters that a client may set. Others are not passed on to the provider. */
  function authorizationOptionsOf(request: FastifyRequest): AuthorizationOptions {
    const query = queryOf(request)
    if (query['provider'] !== external.providerId) throw unsupportedProvider()
    return {
      redirectTo: auth.redirects.allowed(query['redirect_to']).href,
      codeChallenge: codeChallengeOf(query),
      scopes: parse(Scopes, query['scopes'], 'The scopes are not valid') ?? [],
      loginHint: parse(Hint, query['login_hint'], 'The login hint is not valid'),
    }
  }

  app.get('/authorize', async (request, reply) => {
    const options = authorizationOptionsOf(request)
    if (isOtherLoopbackName(request)) {
      return reply.redirect(`${publicUrl}${request.url}&here=1`, 302)
    }
    try {
      const { url, state, browserSecret } = await external.authorize(
        options,
        null,
        callerOf(request),
      )
      reply.header('Set-Cookie', stateCookie(state, browserSecret, isSecure))
      return await reply.redirect(url.href, 302)
    } catch (error) {
      const isPkce = options.codeChallenge !== null
      const said = withError(new URL(options.redirectTo), toAuthError(error, request), { isPkce })
      return reply.redirect(said.href, 302)
    }
  })

  /**
   * Whether the request came to another name of this machine than the public URL's. Browsers treat the names as
   * several sites, and the cookie must be set for the one that the provider redirects to. Redirects once only:
   * a proxy may use yet another name.
   */
  function isOtherLoopbackName(request: FastifyRequest): boolean {
    const own = new URL(publicUrl).hostname
    const { hostname } = request
    const isOther = isLoopback(own) && isLoopback(hostname) && hostname !== own
    return isOther && queryOf(request)['here'] === undefined
  }

  app.get('/callback', async (request, reply) => {
    const back = await handleCallback(request, reply).catch((error: unknown) =>
      // The target of an unknown flow is unknown.
      withError(new URL(auth.links.login), toAuthError(error, request), { isPkce: false }),
    )
    return reply.redirect(back.href, 302)
  })

  async function handleCallback(request: FastifyRequest, reply: FastifyReply): Promise<URL> {
    const query = queryOf(request)
    const { state } = query
    const { cookie } = request.headers
    const browser = typeof state === 'string' ? readStateCookie(cookie, state) : undefined
    if (typeof state !== 'string' || browser === undefined) throw new AuthError('bad_oauth_state')
    reply.header('Set-Cookie', clearedStateCookie(state, isSecure))
    const flow = await external.takeFlow(state, browser, callerOf(request))
    const target = new URL(flow.redirectTo)
    try {
      const answer = Answer.safeParse(query)
      if (!answer.success) throw new AuthError('bad_oauth_callback')
      const params = new URLSearchParams(answer.data)
      return outcomeOf(
        target,
        await external.handleCallback(flow, state, params, callerOf(request)),
      )
    } catch (error) {
      const isPkce = flow.codeChallenge !== null
      return withError(target, toAuthError(error, request), { isPkce })
    }
  }

  app.get('/user/identities/authorize', async (request, reply) => {
    const session = await auth.sessions.authenticate(bearerToken(request))
    const options = authorizationOptionsOf(request)
    const { url, state, browserSecret } = await external.authorize(
      options,
      session,
      callerOf(request),
    )
    // The cookie binds the URL to this browser; in another browser it does not work.
    reply.header('Set-Cookie', stateCookie(state, browserSecret, isSecure))
    return { url: url.href }
  })

  app.delete('/user/identities/:id', async (request) => {
    const session = await auth.sessions.authenticate(bearerToken(request))
    const id = Id.safeParse(request.params)
    if (!id.success) throw new AuthError('identity_not_found')
    await external.unlink(session, id.data.id, callerOf(request))
    return {}
  })
}

export function unsupportedProvider(): AuthError {
  const message = 'Unsupported provider: provider is not enabled'
  return new AuthError('validation_failed', { message })
}

function outcomeOf(target: URL, back: CallbackResult): URL {
  return 'authCode' in back
    ? withCode(target, back.authCode)
    : withSession(target, back.session, {})
}
