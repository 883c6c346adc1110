import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AuthService } from './auth.service.ts'
import { AuthError } from './auth-error.ts'
import { callerOf, emailOf, Metadata, parse, queryOf, requirePhone } from './auth-protocol.ts'
import type { LinkOptions } from './email-flows.service.ts'
import { kindsOfType, type VerifyType } from './one-time-tokens.ts'
import { codeChallengeOf } from './pkce.ts'

const Addressed = z.looseObject({
  email: z.unknown().optional(),
  phone: z.string().min(1).nullish().or(z.literal('')),
  password: z.string().optional(),
  data: Metadata.nullish(),
  create_user: z.boolean().nullish(),
})

// Object.keys loses the type of the keys.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const types = Object.keys(kindsOfType) as [VerifyType, ...VerifyType[]]

export const VerificationType = z.enum(types)

const Verify = z.object({
  type: z.string(),
  token: z.string().min(1).optional(),
  token_hash: z.string().min(1).optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
})

/** Calls without a session: sign-up, requests for mails, and verification of their links and codes. */
export function mailRoutes(app: FastifyInstance, auth: AuthService) {
  const linkOptionsOf = (request: FastifyRequest): LinkOptions => ({
    redirectTo: auth.redirects.allowed(queryOf(request)['redirect_to']).href,
    codeChallenge: codeChallengeOf(request.body),
  })

  app.post('/signup', async (request) => {
    const body = parse(Addressed, request.body, 'The request is not valid')
    if (body.phone) throw new AuthError('phone_provider_disabled')
    const data = body.data ?? {}
    if (!body.email) return auth.emailFlows.signUpAnonymously(data, callerOf(request))
    if (!body.password) {
      throw new AuthError('validation_failed', { message: 'Signup requires a valid password' })
    }
    const email = emailOf(body.email)
    return auth.emailFlows.signUp(
      email,
      body.password,
      data,
      linkOptionsOf(request),
      callerOf(request),
    )
  })

  app.post('/otp', async (request) => {
    const { email, data, create_user: create } = addressed(request)
    const wanted = create === false ? null : (data ?? {})
    await auth.emailFlows.otp(email, wanted, linkOptionsOf(request), callerOf(request))
    return {}
  })

  app.post('/recover', async (request) => {
    const { email } = addressed(request)
    await auth.emailFlows.recover(email, linkOptionsOf(request), callerOf(request))
    return {}
  })

  app.post('/resend', async (request) => {
    const { email } = addressed(request)
    const Type = z.looseObject({ type: z.enum(['signup', 'email_change']) })
    const { type } = parse(Type, request.body, 'Missing one of these types: signup, email_change')
    await auth.emailFlows.resend(email, type, linkOptionsOf(request), callerOf(request))
    return {}
  })

  app.post('/verify', async (request, reply) => {
    const body = parse(Verify, request.body, 'Verify requires a type and a token or token_hash')
    if (body.phone) {
      requirePhone(body.phone)
      // No number has an account, and the reference answers the same for an unknown one.
      throw new AuthError('otp_expired')
    }
    const type = parse(VerificationType, body.type, 'Invalid email verification type')
    const { cookie } = request.headers
    const verified = await auth.verification.verify(
      presented(body),
      type,
      callerOf(request),
      cookie,
    )
    if ('user' in verified) {
      reply.header('Set-Cookie', auth.devices.write(cookie, verified.user.id))
    }
    return verified
  })
}

function addressed(request: FastifyRequest) {
  const body = parse(Addressed, request.body, 'The request is not valid')
  if (body.phone) throw new AuthError('phone_provider_disabled')
  return { ...body, email: emailOf(body.email) }
}

function presented(body: z.infer<typeof Verify>) {
  const { token, token_hash: hash, email } = body
  if (hash !== undefined) {
    if (email !== undefined || token !== undefined) {
      const message = 'Only the token_hash and type should be provided'
      throw new AuthError('validation_failed', { message })
    }
    return { token: hash }
  }
  if (token === undefined || email === undefined) {
    throw new AuthError('validation_failed', {
      message: 'Only an email address or phone number should be provided on verify',
    })
  }
  return { email: emailOf(email), code: token }
}
