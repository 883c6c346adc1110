import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AuthService } from './auth.service.ts'
import { AuthError } from './auth-error.ts'
import { bearerToken, callerOf, isStorableText, parse } from './auth-protocol.ts'

/** The default label that authenticator apps show above the code. */
const ISSUER = 'Bancone'

const Text = z.string().trim().max(100).refine(isStorableText)

const NewFactor = z.object({
  factor_type: z.enum(['totp', 'phone', 'webauthn']),
  friendly_name: Text.nullish(),
  issuer: Text.nullish(),
})
const Answer = z.object({ challenge_id: z.uuid(), code: z.string().max(100) })
const Recovery = z.object({ code: z.string().max(100) })
const Id = z.object({ factorId: z.uuid() })

/**
 * The second factors and recovery codes of the signed-in user. A session of level aal1 suffices unless stated
 * otherwise.
 */
export function factorRoutes(app: FastifyInstance, auth: AuthService) {
  const signedIn = (request: FastifyRequest) => auth.sessions.authenticate(bearerToken(request))

  app.post('/factors', async (request) => {
    const session = await signedIn(request)
    if (session.user.is_anonymous) {
      throw new AuthError('no_authorization', {
        status: 403,
        message: 'Anonymous user not allowed to perform these actions',
      })
    }
    const given = parse(NewFactor, request.body, 'The factor is not valid')
    if (given.factor_type === 'phone') throw new AuthError('mfa_phone_enroll_not_enabled')
    if (given.factor_type === 'webauthn') throw new AuthError('mfa_webauthn_enroll_not_enabled')
    return auth.factors.enrol(session, {
      friendlyName: given.friendly_name || null,
      issuer: given.issuer || ISSUER,
    })
  })

  app.post('/factors/:factorId/challenge', async (request) =>
    auth.factors.challenge(await signedIn(request), factorIdOf(request), callerOf(request)),
  )

  app.post('/factors/:factorId/verify', async (request) => {
    const session = await signedIn(request)
    const factorId = factorIdOf(request)
    const { challenge_id: challengeId, code } = parse(
      Answer,
      request.body,
      'The challenge or the code is not valid',
    )
    const digits = code.replaceAll(/\s/g, '')
    return auth.factors.verify(session, { factorId, challengeId, code: digits }, callerOf(request))
  })

  app.delete('/factors/:factorId', async (request) =>
    auth.factors.remove(await signedIn(request), factorIdOf(request), callerOf(request)),
  )

  app.get('/factors/recovery-codes', async (request) =>
    auth.recoveryCodes.count(await signedIn(request)),
  )

  app.post('/factors/recovery-codes/regenerate', async (request) =>
    auth.recoveryCodes.regenerate(await signedIn(request), callerOf(request)),
  )

  app.post('/factors/recovery-codes/verify', async (request) => {
    const session = await signedIn(request)
    const { code } = parse(Recovery, request.body, 'The code is not valid')
    return auth.recoveryCodes.verify(session, code, callerOf(request))
  })
}

/** The factor id in the URL. @throws AuthError when it is no UUID */
export function factorIdOf(request: FastifyRequest): string {
  const given = Id.safeParse(request.params)
  if (given.success) return given.data.factorId
  throw new AuthError('validation_failed', { status: 404, message: 'factor_id must be an UUID' })
}
