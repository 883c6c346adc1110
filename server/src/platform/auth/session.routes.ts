import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MAX_JSON_BYTES } from '../request-bodies.ts'
import type { AuthService } from './auth.service.ts'
import { AuthError } from './auth-error.ts'
import {
  bearerToken,
  callerOf,
  emailOf,
  isStorableText,
  Metadata,
  parse,
  queryOf,
  requirePhone,
} from './auth-protocol.ts'
import { codeChallengeOf } from './pkce.ts'
import type { AuthSession } from './session-tokens.ts'
import { userJson } from './user-json.ts'

const NEEDS_BOTH = 'You must provide either an email or phone number and a password'

const PasswordGrant = z.object({
  email: z.string().min(1).refine(isStorableText),
  password: z.string().min(1),
})
const PhoneGrant = z.object({ phone: z.string().min(1), password: z.string().min(1) })
const RefreshGrant = z.object({ refresh_token: z.string() })
const PkceGrant = z.object({ auth_code: z.string().min(1), code_verifier: z.string().min(1) })
const IdTokenGrant = z.object({
  provider: z.string(),
  id_token: z.string().min(1).max(16_384),
  nonce: z.string().min(1).max(1000).nullish(),
  link_identity: z.boolean().nullish(),
})
const Scope = z.enum(['global', 'local', 'others']).default('global')

const Change = z.object({
  email: z.string().optional(),
  password: z.string().optional(),
  current_password: z.string().optional(),
  nonce: z.string().optional(),
  data: Metadata.nullish(),
})

/** Token grants, the calls on the signed-in user, and logout. */
export function sessionRoutes(app: FastifyInstance, auth: AuthService) {
  const signedIn = (request: FastifyRequest) => auth.sessions.authenticate(bearerToken(request))

  // An `id_token` may be longer than other bodies.
  app.post('/token', { bodyLimit: 2 * MAX_JSON_BYTES }, async (request, reply) => {
    const session = await granted(request)
    const cookie = auth.devices.write(request.headers.cookie, session.user.id)
    reply.header('Set-Cookie', cookie)
    return session
  })

  async function granted(request: FastifyRequest): Promise<AuthSession> {
    const grant = queryOf(request)['grant_type']
    const { body } = request
    const caller = callerOf(request)
    if (grant === 'password') {
      if (PhoneGrant.safeParse(body).success) throw new AuthError('phone_provider_disabled')
      const { email, password } = parse(PasswordGrant, body, NEEDS_BOTH)
      return auth.signIn.withPassword(email, password, caller, request.headers.cookie)
    }
    if (grant === 'refresh_token') {
      const { refresh_token } = parse(RefreshGrant, body, 'Refresh token is not valid')
      if (refresh_token === '') {
        throw new AuthError('invalid_request', { message: 'refresh_token required' })
      }
      return auth.sessions.refresh(refresh_token, caller)
    }
    if (grant === 'pkce') {
      const message = 'invalid request: both auth code and code verifier should be non-empty'
      const { auth_code, code_verifier } = parse(PkceGrant, body, message)
      return auth.verification.exchange(auth_code, code_verifier, caller)
    }
    if (grant === 'id_token') return withIdToken(request)
    if (grant === 'web3') throw new AuthError('web3_provider_disabled')
    throw new AuthError('invalid_credentials', { message: 'unsupported_grant_type' })
  }

  async function withIdToken(request: FastifyRequest) {
    const { external } = auth
    if (!external) throw new AuthError('provider_disabled')
    const message = 'id_token and provider are required'
    const given = parse(IdTokenGrant, request.body, message)
    if (!external.isProvider(given.provider)) throw new AuthError('provider_disabled')
    const session = given.link_identity ? await signedIn(request) : null
    const idToken = { idToken: given.id_token, nonce: given.nonce ?? undefined }
    return external.signInWithIdToken(idToken, session, callerOf(request))
  }

  app.get('/user', async (request) => userJson((await signedIn(request)).user))

  app.put('/user', async (request) => {
    const session = await signedIn(request)
    refuseForbidden(request.body)
    const given = parse(Change, request.body, 'The change is not valid')
    const change = {
      email: given.email === undefined ? undefined : emailOf(given.email),
      password: given.password,
      currentPassword: given.current_password,
      nonce: given.nonce,
      data: given.data ?? undefined,
    }
    const options = {
      redirectTo: auth.redirects.allowed(queryOf(request)['redirect_to']).href,
      codeChallenge: codeChallengeOf(request.body),
    }
    return auth.account.change(session, change, options, callerOf(request))
  })

  app.get('/reauthenticate', async (request) => {
    await auth.account.reauthenticate(await signedIn(request), callerOf(request))
    return {}
  })

  app.post('/logout', async (request, reply) => {
    const scope = parse(Scope, queryOf(request)['scope'], 'Unsupported logout scope')
    await auth.sessions.logout(await signedIn(request), scope, callerOf(request))
    return reply.code(204).send()
  })
}

/** Attributes that only administrators may set. */
const Forbidden = z.union([
  z.object({ app_metadata: z.unknown().refine((value) => value !== undefined) }),
  z.object({ role: z.string() }),
  z.object({ aud: z.string() }),
])

function refuseForbidden(body: unknown): void {
  const given = z.object({ phone: z.string().min(1) }).safeParse(body)
  if (given.success) {
    requirePhone(given.data.phone)
    throw new AuthError('phone_provider_disabled')
  }
  if (Forbidden.safeParse(body).success) throw new AuthError('not_admin')
}
