import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../base/app-error.ts'
import { type RequestActor, runInRequest } from '../base/request-context.ts'
import type { Audit, AuditTarget } from '../platform/audit.ts'
import { callerFrom } from '../platform/auth/auth-protocol.ts'
import { createMemoryRateLimits } from '../platform/rate-limits.ts'

/** The statuses of decisions. Input that cannot be read (400) and limits of calls (429) are none. */
const REFUSALS: readonly number[] = [403, 404, 409, 422]

/** Refusals of one actor that are recorded per minute, in each process. More would only fill the log. */
const MAX_REFUSALS_PER_MINUTE = 60

const actors = new WeakMap<FastifyRequest, RequestActor>()

/** Remembers who performs a request. Called before access is decided, so that a refusal has an actor, too. */
export function noteActor(request: FastifyRequest, actor: RequestActor | undefined): void {
  if (actor) actors.set(request, actor)
}

/** Makes the request known to the audit log, and records the refusals of audited endpoints. */
export function auditRequests(app: FastifyInstance, audit: Pick<Audit, 'record'>): void {
  const limits = createMemoryRateLimits({
    refusals: { points: MAX_REFUSALS_PER_MINUTE, seconds: 60 },
  })

  app.addHook('preHandler', (request, _reply, done) => {
    const actor = actors.get(request)
    runInRequest({ requestId: request.id, ...originOf(request), ...(actor && { actor }) }, done)
  })

  app.addHook('onError', async (request, _reply, error) => {
    const action = request.routeOptions.config.endpoint?.audit
    const actor = actors.get(request)
    if (typeof action !== 'string' || !actor || !isRefusal(error)) return
    try {
      await limits.take({ limit: 'refusals', subject: actor.id ?? 'key' })
    } catch {
      return
    }
    const refused = () =>
      audit.record({
        action,
        outcome: 'refused',
        userId: null,
        actorId: actor.id,
        role: actor.role,
        pharmacyId: actor.pharmacyId ?? pharmacyIn(request),
        // An id that was not found may be another pharmacy's.
        target: error.status === 404 ? null : targetOf(request),
        details: { code: error.code },
      })
    // The refusal stands, also if it cannot be recorded.
    const context = { requestId: request.id, ...originOf(request), actor }
    await new Promise<void>((resolve) => {
      runInRequest(context, () => {
        refused()
          .catch((err: unknown) => request.log.error({ err }, 'a refusal was not recorded'))
          .finally(resolve)
      })
    })
  })
}

function isRefusal(error: Error): error is AppError {
  return error instanceof AppError && REFUSALS.includes(error.status)
}

const originOf = (request: FastifyRequest) =>
  callerFrom({ ip: request.ip, agent: request.headers['user-agent'] })

const Id = z.string().regex(/^[\w-]{1,64}$/)
const Params = z.record(z.string(), Id).catch({})
const Named = z.object({ pharmacyId: z.uuid() })

/** What the path names. The client wrote it: only what has the form of an id is recorded. */
function targetOf({ params }: FastifyRequest): AuditTarget | null {
  const [name, id] = Object.entries(Params.parse(params)).at(-1) ?? []
  return name && id ? { type: name.replace(/Id$/, ''), id } : null
}

function pharmacyIn({ params, query }: FastifyRequest): string | null {
  const named = [params, query].map((part) => Named.safeParse(part).data?.pharmacyId)
  return named.find((id) => id !== undefined) ?? null
}
