import type { FastifyInstance } from 'fastify'
import type { AuthService } from './auth.service.ts'
import { AuthError, type AuthErrorCode } from './auth-error.ts'
import { bearerToken } from './auth-protocol.ts'
import { unsupportedProvider } from './external.routes.ts'

const providers = ['apple', 'azure', 'facebook', 'github', 'google', 'keycloak', 'linkedin_oidc']

/** The calls that need an external provider, and the error code of each without one. */
const withoutProvider: ['GET' | 'POST' | 'DELETE', string, AuthErrorCode][] = [
  ['GET', '/user/identities/authorize', 'manual_linking_disabled'],
  ['DELETE', '/user/identities/:id', 'manual_linking_disabled'],
]

/** Public information about the service. */
export function infoRoutes(app: FastifyInstance, auth: AuthService) {
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('Cache-Control', 'public, max-age=600')
    return auth.jwks()
  })

  app.get('/settings', () => ({
    external: {
      email: true,
      phone: false,
      anonymous_users: auth.settings.anonymous,
      ...Object.fromEntries(providers.map((name) => [name, false])),
      ...(auth.external && { [auth.external.providerId]: true }),
    },
    disable_signup: !auth.settings.signup,
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    passkeys_enabled: false,
  }))

  app.get('/health', () => ({ name: 'Bancone', description: 'The authentication service' }))

  app.post('/sso', async () => {
    throw new AuthError('saml_provider_disabled')
  })

  if (auth.external) return

  app.get('/authorize', async () => {
    throw unsupportedProvider()
  })

  for (const [method, url, code] of withoutProvider) {
    app.route({
      method,
      url,
      async handler(request) {
        await auth.sessions.authenticate(bearerToken(request))
        throw new AuthError(code)
      },
    })
  }
}
