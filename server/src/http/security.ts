import type { FastifyInstance } from 'fastify'

/** Only what comes from here: our scripts, our calls; pictures may come from elsewhere by https. */
const contentSecurityPolicy = (pictureOrigins: readonly string[]) =>
  [
    "default-src 'self'",
    "base-uri 'none'",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ["img-src 'self' data: blob: https:", ...pictureOrigins].join(' '),
    "object-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
  ].join('; ')

/** On every answer. Constants: a library that works them out anew costs a tenth of a page of orders. */
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

type Options = {
  https: boolean
  /** Where pictures may come from besides: the operator's word, with or without TLS. */
  pictureOrigins?: readonly string[] | undefined
}

/** The headers of every answer, for one that is given before all hooks. */
export function securityHeaders({ https, pictureOrigins = [] }: Options): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(pictureOrigins),
    ...headers,
    ...(https && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
}

export function secureHeaders(app: FastifyInstance, options: Options) {
  const sent = securityHeaders(options)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(sent).header('X-Request-Id', request.id)
    done()
  })
}
