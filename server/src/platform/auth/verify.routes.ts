import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { AuthService } from './auth.service.ts'
import { AuthError } from './auth-error.ts'
import { VerificationType } from './mail.routes.ts'
import { PKCE_PREFIX, type VerifyType } from './one-time-tokens.ts'
import { callerOf, queryOf, toAuthError } from './protocol.ts'
import { withCode, withError, withSession } from './redirect-urls.ts'
import type { Verified } from './verify.service.ts'
import { confirmPage } from './verify-page.ts'

const Link = z.object({ token: z.string().min(1), type: VerificationType })

/**
 * The target of links in mails. Mail scanners fetch every link, so a GET consumes nothing: it shows a page with
 * a button, whose POST does.
 */
export async function verifyRoutes(app: FastifyInstance, { auth }: { auth: AuthService }) {
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
      await auth.verification.check(token, type, callerOf(request))
      const own = auth.links.toOwnPage(token, type, target)
      if (own) return await reply.redirect(own, 303)
      return await page(reply, confirmPage({ token, type, redirectTo: target.href }), target)
    } catch (error) {
      return reply.redirect(refused(target, query, toAuthError(error, request)).href, 303)
    }
  })

  app.post('/verify/click', async (request, reply) => {
    const form = z.record(z.string(), z.unknown()).catch({}).parse(request.body)
    const target = auth.redirects.allowed(form['redirect_to'])
    try {
      const { token, type } = linkOf(form)
      const verified = await auth.verification.confirm(token, type, callerOf(request))
      return await reply.redirect(withOutcome(target, verified).href, 303)
    } catch (error) {
      return reply.redirect(refused(target, form, toAuthError(error, request)).href, 303)
    }
  })
}

function linkOf(given: unknown): { token: string; type: VerifyType } {
  const link = Link.safeParse(given)
  if (!link.success) throw new AuthError('otp_expired')
  return link.data
}

/** A form's target and the redirects that follow are limited by `form-action`. */
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
  if ('authCode' in verified) return withCode(target, verified.authCode)
  if ('session' in verified) return withSession(target, verified.session, { type: verified.type })
  const url = new URL(target)
  url.hash = new URLSearchParams({ message: verified.msg, sb: '' }).toString()
  return url
}

function refused(target: URL, given: Record<string, unknown>, error: AuthError): URL {
  return withError(target, error, {
    isPkce: String(given['token']).startsWith(PKCE_PREFIX),
    ...(error.code === 'otp_expired' && { description: 'Email link is invalid or has expired' }),
  })
}
