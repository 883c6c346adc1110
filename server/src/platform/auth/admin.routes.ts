import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { setRequestActor } from '../../base/request-context.ts'
import { isFromBrowser } from '../browser-call.ts'
import type { Actor, UserAttributes } from './admin.service.ts'
import type { AuthService } from './auth.service.ts'
import { isEnrolled } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { bearerToken, callerOf, emailOf, Metadata, parse, queryOf } from './auth-protocol.ts'
import { parseBanDuration } from './ban-duration.ts'
import { factorIdOf } from './factors.routes.ts'
import { TokenKind } from './one-time-tokens.ts'

const Id = z.object({ id: z.uuid() })

const Attributes = z.looseObject({
  id: z.uuid().optional(),
  email: z.string().optional(),
  phone: z.string().max(0, 'phones are not offered').nullish(),
  password: z.string().min(1).nullish(),
  password_hash: z.string().nullish(),
  email_confirm: z.boolean().nullish(),
  ban_duration: z.string().nullish(),
  user_metadata: Metadata.nullish(),
  app_metadata: Metadata.nullish(),
  role: z.literal(['authenticated', '']).nullish(),
})

const GenerateLink = z.looseObject({
  type: TokenKind.exclude(['reauthentication']),
  email: z.string(),
  password: z.string().optional(),
  new_email: z.string().optional(),
  data: Metadata.nullish(),
  redirect_to: z.string().nullish(),
})

const Invite = z.looseObject({ email: z.string(), data: Metadata.nullish() })

const MAX_PER_PAGE = 1000

/** The admin API, for administrators and for servers with the admin key. */
export function adminRoutes(app: FastifyInstance, auth: AuthService) {
  /** @param needs `fresh`: the call could take an account over, so that an open session is not enough */
  async function actorOf(request: FastifyRequest, needs?: 'fresh'): Promise<Actor> {
    const token = bearerToken(request)
    const caller = callerOf(request)
    if (auth.isAdminKey(token)) {
      // The key is for servers: one that a browser can send is readable by its user.
      if (isFromBrowser(request)) throw new AuthError('not_admin')
      setRequestActor({ id: null, role: 'key', pharmacyId: null })
      return { ...caller, actorId: null }
    }
    const session = await auth.sessions.authenticate(token)
    const { user, aal } = session
    if (!(await auth.isAdministrator(user.id))) throw new AuthError('not_admin')
    const needsFactor = isEnrolled(user) || auth.settings.adminFactor === 'required'
    if (needsFactor && aal !== 'aal2') throw new AuthError('insufficient_aal')
    if (needs === 'fresh') {
      await auth.reauthentication.requireRecent(session, 'Administration of users')
    }
    setRequestActor({ id: user.id, role: 'admin', pharmacyId: null })
    return { ...caller, actorId: user.id }
  }

  app.get('/admin/users', async (request, reply) => {
    await actorOf(request)
    const { page, per_page: perPage } = queryOf(request)
    const number = Math.max(1, wholeNumber(page, { otherwise: 1, min: 0 }))
    const size = Math.min(wholeNumber(perPage, { otherwise: 50, min: 1 }), MAX_PER_PAGE)
    const { users, total } = await auth.users.page(number, size)
    paginate(reply, number, size, total)
    return { users, aud: 'authenticated' }
  })

  app.post('/admin/users', async (request) => {
    const actor = await actorOf(request, 'fresh')
    const wanted = attributesOf(request.body)
    if (wanted.email === undefined) {
      throw new AuthError('validation_failed', {
        message: 'Cannot create a user without either an email or phone',
      })
    }
    return auth.users.create({ ...wanted, email: wanted.email }, actor)
  })

  app.get('/admin/users/:id', async (request) => {
    await actorOf(request)
    return auth.users.get(idOf(request))
  })

  app.put('/admin/users/:id', async (request) => {
    const actor = await actorOf(request, 'fresh')
    return auth.users.change(idOf(request), attributesOf(request.body), actor)
  })

  app.delete('/admin/users/:id', async (request) => {
    const actor = await actorOf(request, 'fresh')
    const Body = z.looseObject({ should_soft_delete: z.boolean().nullish() })
    const body = parse(Body, request.body ?? {}, 'The request is not valid')
    return auth.users.delete(idOf(request), body.should_soft_delete === true, actor)
  })

  app.get('/admin/users/:id/factors', async (request) => {
    await actorOf(request)
    const { factors = [] } = await auth.users.get(idOf(request))
    return factors
  })

  app.delete('/admin/users/:id/factors/:factorId', async (request) => {
    const actor = await actorOf(request, 'fresh')
    const { id } = await auth.users.get(idOf(request))
    return auth.factors.removeForUser(id, factorIdOf(request), actor)
  })

  app.post('/admin/generate_link', async (request) => {
    const actor = await actorOf(request, 'fresh')
    const body = parse(
      GenerateLink,
      request.body,
      'The type or the address of the link is not valid',
    )
    const asked = queryOf(request)['redirect_to'] ?? body.redirect_to
    return auth.invitations.generate(
      {
        type: body.type,
        email: emailOf(body.email),
        password: body.password,
        newEmail: body.new_email === undefined ? undefined : emailOf(body.new_email),
        userMetadata: body.data ?? {},
        redirectTo: auth.redirects.allowed(asked),
      },
      actor,
    )
  })

  app.post('/invite', async (request) => {
    const actor = await actorOf(request, 'fresh')
    const body = parse(Invite, request.body, 'The invitation is not valid')
    const redirectTo = auth.redirects.allowed(queryOf(request)['redirect_to'])
    return auth.invitations.invite(emailOf(body.email), body.data ?? {}, redirectTo, actor)
  })
}

function idOf(request: FastifyRequest): string {
  const given = Id.safeParse(request.params)
  if (given.success) return given.data.id
  throw new AuthError('validation_failed', { status: 404, message: 'user_id must be an UUID' })
}

function attributesOf(body: unknown): UserAttributes {
  const given = parse(Attributes, body, 'The attributes of the user are not valid')
  return {
    id: given.id,
    email: given.email === undefined ? undefined : emailOf(given.email),
    password: given.password ?? undefined,
    passwordHash: given.password_hash ?? undefined,
    confirm: given.email_confirm ?? undefined,
    banDurationMs: given.ban_duration ? parseBanDuration(given.ban_duration) : undefined,
    userMetadata: given.user_metadata ?? undefined,
    appMetadata: given.app_metadata ?? undefined,
  }
}

/** Clients send an empty string for an absent parameter. @throws AuthError `validation_failed` */
function wholeNumber(value: unknown, bounds: { otherwise: number; min: number }): number {
  if (value === undefined || value === '') return bounds.otherwise
  const Page = z.coerce.number().int().min(bounds.min).max(1e9)
  return parse(Page, value, 'Bad Pagination Parameters')
}

/** Writes `page` as the first parameter: the client reads the number after the first `=` of a link. */
function paginate(reply: FastifyReply, page: number, size: number, total: number) {
  const last = Math.max(1, Math.ceil(total / size))
  const link = (number: number, rel: string) =>
    `</auth/v1/admin/users?page=${number}&per_page=${size}>; rel="${rel}"`
  const links = [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')]
  reply.header('x-total-count', String(total)).header('Link', links.join(', '))
}
