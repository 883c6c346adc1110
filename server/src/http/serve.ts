import { can } from '@bancone/contract/access'
import type { Answer, Endpoint, Input } from '@bancone/contract/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { AppError } from '../app-error.ts'
import type { Account, SessionPharmacy, Sessions } from './session.ts'

export type PharmacySession = { userId: string; pharmacy: SessionPharmacy }
export type AdminSession = { userId: string }

/** What a handler knows of its caller, by the endpoint's access. */
export type SessionFor<E extends Endpoint> = E['access'] extends 'pharmacy'
  ? PharmacySession
  : E['access'] extends 'admin'
    ? AdminSession
    : undefined

type Handler<E extends Endpoint> = (
  input: Input<E>,
  session: SessionFor<E>,
) => Answer<E> | Promise<Answer<E>>

/**
 * Binds an endpoint of the contract to its handler: checks who calls, parses what they send, and lets
 * through only what the response schema declares.
 */
export type Serve = <E extends Endpoint>(endpoint: E, handler: Handler<E>) => void

export function createServe(app: FastifyInstance, sessions: Sessions): Serve {
  return (endpoint, handler) => {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      async handler(request, reply) {
        const session = await admit(endpoint, request, sessions)
        const input = {
          params: parse(endpoint.params, request.params),
          query: parse(endpoint.query, request.query),
          body: parse(endpoint.body, request.body),
        }
        // Both sides of these two are derived from the same endpoint, which the compiler cannot follow.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const answer = await handler(input as never, session as never)
        reply.header('Cache-Control', 'no-store')
        return endpoint.response.parse(answer)
      },
    })
  }
}

async function admit(
  endpoint: Endpoint,
  request: FastifyRequest,
  sessions: Sessions,
): Promise<PharmacySession | AdminSession | undefined> {
  if (endpoint.access === 'public') return undefined
  const account = await sessions.of(request.headers.authorization)
  return endpoint.access === 'admin' ? asAdmin(account) : asPharmacy(account, endpoint)
}

function asAdmin(account: Account): AdminSession {
  if (!account.isAdmin) throw new AppError('access.denied')
  return { userId: account.userId }
}

function asPharmacy({ userId, isAdmin, pharmacy }: Account, endpoint: Endpoint): PharmacySession {
  if (!pharmacy) throw new AppError(isAdmin ? 'access.denied' : 'pharmacy.not_found')
  if (!pharmacy.isActive) throw new AppError('pharmacy.inactive')
  if (endpoint.feature && !can(pharmacy, endpoint.feature)) throw new AppError('access.denied')
  return { userId, pharmacy }
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (!result.success) throw new AppError('request.invalid', { cause: result.error })
  return result.data
}
