import type { FastifyInstance } from 'fastify'

/** What a page may use of another site. */
type Foreign = { scripts: string; connections: string; frames: string }

const nothing: Foreign = { scripts: '', connections: '', frames: '' }

/** Scripts and requests are limited to this origin; pictures may come from any origin over https. */
const contentSecurityPolicy = (
  pictureOrigins: readonly string[],
  { scripts, connections, frames }: Foreign = nothing,
) =>
  [
    "default-src 'self'",
    "base-uri 'none'",
    `connect-src 'self' ${connections}`.trim(),
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(frames ? [`frame-src ${frames}`] : []),
    ["img-src 'self' data: blob: https:", ...pictureOrigins].join(' '),
    "object-src 'none'",
    `script-src 'self' ${scripts}`.trim(),
    "style-src 'self' 'unsafe-inline'",
  ].join('; ')

/** The constant headers of every response. Building them per request cost a tenth of the time of a page of orders. */
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/** The script of an external login, and the origin of its window if that is not the provider's. */
export type ExternalLogin = { scriptUrl: string; otherOrigin: string | null }

/**
 * The headers of the page with Meta's login, in place of those of other pages: its script, and a window that may answer
 * the page that opened it.
 */
export function loginPageHeaders(
  { scriptUrl, otherOrigin }: ExternalLogin,
  pictureOrigins: readonly string[] = [],
): Record<string, string> {
  const provider = otherOrigin ?? 'https://*.facebook.com'
  return {
    'Content-Security-Policy': contentSecurityPolicy(pictureOrigins, {
      scripts: new URL(scriptUrl).origin,
      connections: provider,
      frames: provider,
    }),
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    // The provider checks the domain of the page. Its path is not sent.
    'Referrer-Policy': 'strict-origin',
  }
}

type Options = {
  https: boolean
  /** Additional origins of pictures, configured by the operator, with or without TLS. */
  pictureOrigins?: readonly string[] | undefined
}

/** Adds the security headers and `X-Request-Id` to every response. */
export function addSecurityHeaders(app: FastifyInstance, { https, pictureOrigins = [] }: Options) {
  const sent = {
    'Content-Security-Policy': contentSecurityPolicy(pictureOrigins),
    ...headers,
    ...(https && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(sent).header('X-Request-Id', request.id)
    done()
  })
}
