import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { AuthService } from './auth.service.ts'
import { AuthError } from './auth-error.ts'
import { Verification } from './mail.routes.ts'
import { PKCE_PREFIX, type VerifyType } from './one-time-tokens.ts'
import { callerOf, queryOf, toAuthError } from './protocol.ts'
import type { Verified } from './verify.service.ts'
import { confirmPage } from './verify-page.ts'

const Link = z.object({ token: z.string().min(1), type: Verification })

/**
 * Where the protocol's links lead. Programs that look at mails fetch every link in them: a GET uses
 * nothing up, it shows a page that asks for the click, and the click does.
 */
export async function verifyPages(app: FastifyInstance, { auth }: { auth: AuthService }) {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
  )

  app.get('/verify', async (request, reply) => {
    const query = queryOf(request)
    const target = auth.redirects.allowed(query['redirect_to'])
    try {
      const { token, type } = linkOf(query)
      await auth.verifying.look(token, type, callerOf(request))
      const own = auth.links.toOwnPage(token, type, target)
      if (own) return await reply.redirect(own, 303)
      return await page(reply, confirmPage({ token, type, redirectTo: target.href }), target)
    } catch (error) {
      return reply.redirect(withError(target, query, toAuthError(error, request)).href, 303)
    }
  })

  app.post('/verify/click', async (request, reply) => {
    const form = z.record(z.string(), z.unknown()).catch({}).parse(request.body)
    const target = auth.redirects.allowed(form['redirect_to'])
    try {
      const { token, type } = linkOf(form)
      const verified = await auth.verifying.click(token, type, callerOf(request))
      return await reply.redirect(withOutcome(target, verified).href, 303)
    } catch (error) {
      return reply.redirect(withError(target, form, toAuthError(error, request)).href, 303)
    }
  })
}

function linkOf(given: unknown): { token: string; type: VerifyType } {
  const link = Link.safeParse(given)
  if (!link.success) throw new AuthError('otp_expired')
  return link.data
}

/** A form may lead only where its page says, and the redirect that follows counts. */
function page(reply: FastifyReply, html: string, target: URL) {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `form-action 'self' ${target.origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return reply
    .header('Content-Security-Policy', policy.join('; '))
    .type('text/html; charset=utf-8')
    .send(html)
}

function withOutcome(target: URL, verified: Verified): URL {
  const url = new URL(target)
  if ('authCode' in verified) {
    url.searchParams.set('code', verified.authCode)
  } else if ('session' in verified) {
    const { session, type } = verified
    url.hash = new URLSearchParams({
      access_token: session.access_token,
      expires_at: String(session.expires_at),
      expires_in: String(session.expires_in),
      refresh_token: session.refresh_token,
      sb: '',
      token_type: session.token_type,
      type,
    }).toString()
  } else {
    url.hash = new URLSearchParams({ message: verified.msg, sb: '' }).toString()
  }
  return url
}

/** Clients that wait for a code read the query, the others what stands after the `#`. */
function withError(target: URL, given: Record<string, unknown>, error: AuthError): URL {
  const url = new URL(target)
  const description =
    error.code === 'otp_expired' ? 'Email link is invalid or has expired' : error.message
  const said = {
    error: error.status < 500 ? 'access_denied' : 'server_error',
    error_code: error.code,
    error_description: description,
  }
  if (String(given['token']).startsWith(PKCE_PREFIX)) {
    for (const [name, value] of Object.entries(said)) url.searchParams.set(name, value)
  }
  url.hash = new URLSearchParams({ ...said, sb: '' }).toString()
  return url
}
