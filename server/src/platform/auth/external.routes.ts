import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AuthService } from './auth.service.ts'
import { AuthError } from './auth-error.ts'
import type { BroughtBack, ExternalSignIn, ExternalWishes } from './external.service.ts'
import { browserOf, forgottenCookie, leavingCookie } from './external-cookie.ts'
import { withCode, withError, withSession } from './led-back.ts'
import { challengeOf } from './pkce.ts'
import { bearer, callerOf, isKeepable, parse, queryOf, toAuthError } from './protocol.ts'
import { isLoopback } from './redirects.ts'

/** What a scope may consist of (RFC 6749, 3.3). */
const Scopes = z
  .string()
  .max(1000)
  .regex(/^[!#-[\]-~ ]*$/)
  .transform((text) => text.split(/[ ,]+/).filter((scope) => scope !== ''))
  .optional()

const Hint = z.string().max(254).refine(isKeepable).optional()

const Id = z.object({ id: z.uuid() })

const Answer = z.record(z.string(), z.string())

/** Signing in with another service, and linking it: where one is configured. */
export function externalRoutes(app: FastifyInstance, auth: AuthService, external: ExternalSignIn) {
  const { publicUrl } = auth.settings
  const isSecure = publicUrl.startsWith('https:')

  /** What the client may say. What else it sends is not for it to say, and is not handed on. */
  function wishesOf(request: FastifyRequest): ExternalWishes {
    const query = queryOf(request)
    if (query['provider'] !== external.providerId) throw unsupported()
    return {
      redirectTo: auth.redirects.allowed(query['redirect_to']).href,
      codeChallenge: challengeOf(query),
      scopes: parse(Scopes, query['scopes'], 'The scopes are not valid') ?? [],
      loginHint: parse(Hint, query['login_hint'], 'The login hint is not valid'),
    }
  }

  app.get('/authorize', async (request, reply) => {
    const wishes = wishesOf(request)
    if (isElsewhere(request)) return reply.redirect(`${publicUrl}${request.url}&here=1`, 302)
    try {
      const { url, state, browser } = await external.leave(wishes, null, callerOf(request))
      reply.header('Set-Cookie', leavingCookie(state, browser, isSecure))
      return await reply.redirect(url.href, 302)
    } catch (error) {
      const isPkce = wishes.codeChallenge !== null
      const said = withError(new URL(wishes.redirectTo), toAuthError(error, request), { isPkce })
      return reply.redirect(said.href, 302)
    }
  })

  /**
   * The names of this machine are several sites to a browser, and the cookie has to be at the one it comes
   * back to. Once: whatever stands before the server may give it another name.
   */
  function isElsewhere(request: FastifyRequest): boolean {
    const own = new URL(publicUrl).hostname
    const { hostname } = request
    const isOther = isLoopback(own) && isLoopback(hostname) && hostname !== own
    return isOther && queryOf(request)['here'] === undefined
  }

  app.get('/callback', async (request, reply) => {
    const back = await cameBack(request, reply).catch((error: unknown) =>
      // Nobody knows what it left for.
      withError(new URL(auth.links.login), toAuthError(error, request), { isPkce: false }),
    )
    return reply.redirect(back.href, 302)
  })

  async function cameBack(request: FastifyRequest, reply: FastifyReply): Promise<URL> {
    const query = queryOf(request)
    const { state } = query
    const { cookie } = request.headers
    const browser = typeof state === 'string' ? browserOf(cookie, state) : undefined
    if (typeof state !== 'string' || browser === undefined) throw new AuthError('bad_oauth_state')
    reply.header('Set-Cookie', forgottenCookie(state, isSecure))
    const flow = await external.recognize(state, browser, callerOf(request))
    const target = new URL(flow.redirectTo)
    try {
      const answer = Answer.safeParse(query)
      if (!answer.success) throw new AuthError('bad_oauth_callback')
      const params = new URLSearchParams(answer.data)
      return outcomeOf(target, await external.finish(flow, state, params, callerOf(request)))
    } catch (error) {
      const isPkce = flow.codeChallenge !== null
      return withError(target, toAuthError(error, request), { isPkce })
    }
  }

  app.get('/user/identities/authorize', async (request, reply) => {
    const session = await auth.sessions.signedIn(bearer(request))
    const wishes = wishesOf(request)
    const { url, state, browser } = await external.leave(wishes, session, callerOf(request))
    // To the browser of whoever is signed in, and to no other that follows the address.
    reply.header('Set-Cookie', leavingCookie(state, browser, isSecure))
    return { url: url.href }
  })

  app.delete('/user/identities/:id', async (request) => {
    const session = await auth.sessions.signedIn(bearer(request))
    const id = Id.safeParse(request.params)
    if (!id.success) throw new AuthError('identity_not_found')
    await external.unlink(session, id.data.id, callerOf(request))
    return {}
  })
}

export function unsupported(): AuthError {
  const message = 'Unsupported provider: provider is not enabled'
  return new AuthError('validation_failed', { message })
}

function outcomeOf(target: URL, back: BroughtBack): URL {
  return 'authCode' in back
    ? withCode(target, back.authCode)
    : withSession(target, back.session, {})
}
