import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { escapeHtml } from '../html.ts'
import type { AuthService } from './auth.service.ts'
import { AuthError } from './auth-error.ts'
import { callerOf, queryOf, toAuthError } from './auth-protocol.ts'
import { VerificationType } from './mail.routes.ts'
import { PKCE_PREFIX, type VerifyType } from './one-time-tokens.ts'
import { withCode, withError, withSession } from './redirect-urls.ts'
import type { Verified } from './verify.service.ts'

const words: Record<VerifyType, { title: string; text: string; button: string }> = {
  signup: {
    title: 'Conferma il tuo indirizzo',
    text: 'Premi il pulsante per confermare che questo indirizzo email è tuo.',
    button: 'Conferma',
  },
  invite: {
    title: 'Sei stato invitato',
    text: "Premi il pulsante per accettare l'invito.",
    button: "Accetta l'invito",
  },
  magiclink: { title: 'Accedi', text: 'Premi il pulsante per accedere.', button: 'Accedi' },
  email: { title: 'Accedi', text: 'Premi il pulsante per accedere.', button: 'Accedi' },
  recovery: {
    title: 'Scegli una nuova password',
    text: 'Premi il pulsante per continuare.',
    button: 'Continua',
  },
  email_change: {
    title: 'Conferma il nuovo indirizzo',
    text: "Premi il pulsante per confermare il cambio dell'indirizzo email.",
    button: 'Conferma',
  },
}

/** The confirmation page of a link. It has no script, so that it works in the browsers of mail programs. */
function confirmPage(link: { token: string; type: VerifyType; redirectTo: string }): string {
  const { title, text, button } = words[link.type]
  return `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} – Bancone</title>
<style>
:root { color-scheme: light dark; --ground: #faf9f7; --card: #fff; --ink: #1c2420; --muted: #5b665f; --line: #e4e2dd; --accent: #0a7d3e; --on: #fff }
@media (prefers-color-scheme: dark) { :root { --ground: #121513; --card: #191d1b; --ink: #ecefed; --muted: #a3aea8; --line: #2c332f; --accent: #4cc27f; --on: #08130c } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 16px; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 400px; padding: 32px 24px; border: 1px solid var(--line); border-radius: 10px; background: var(--card) }
h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.25; font-weight: 500 }
p { margin: 0 0 24px; color: var(--muted) }
button { width: 100%; min-height: 48px; border: 0; border-radius: 10px; background: var(--accent); color: var(--on); font: inherit; font-weight: 500; cursor: pointer }
button:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<form method="post" action="/auth/v1/verify/click">
<input type="hidden" name="token" value="${escapeHtml(link.token)}">
<input type="hidden" name="type" value="${escapeHtml(link.type)}">
<input type="hidden" name="redirect_to" value="${escapeHtml(link.redirectTo)}">
<button type="submit">${button}</button>
</form>
</main>
</body>
</html>
`
}

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
