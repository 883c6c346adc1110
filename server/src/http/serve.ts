import { Readable } from 'node:stream'
import { can } from '@bancone/contract/access'
import type { Answer, Endpoint, Input } from '@bancone/contract/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../app-error.ts'
import { constraintKey } from './query-constraint.ts'
import type { SessionPharmacy, Sessions, SignedIn } from './session.ts'

type Caller = { userId: string; sessionId: string }
export type PharmacySession = Caller & { pharmacy: SessionPharmacy }
export type AdminSession = Caller
/** A pharmacy, an administrator (then `pharmacy` is null), or somebody who is both. */
export type EitherSession = Caller & { pharmacy: SessionPharmacy | null; isAdmin: boolean }

/** What a handler knows of its caller, by the endpoint's access. */
type SessionsByAccess = {
  public: undefined
  pharmacy: PharmacySession
  admin: AdminSession
  'pharmacy-or-admin': EitherSession
}
export type SessionFor<E extends Endpoint> = SessionsByAccess[E['access']]

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
  return (endpoint, handler) =>
    route(app, sessions, endpoint, async (input, session) =>
      // Both sides of these two are derived from the same endpoint, which the compiler cannot follow.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      endpoint.response.parse(await handler(input as never, session as never)),
    )
}

/** The lists that an endpoint answers with, by name, and the type of what is in them. */
type Listed<E extends Endpoint> = {
  [Name in keyof Answer<E>]: Answer<E>[Name] extends (infer Item)[] ? Item : never
}

/**
 * The same for an endpoint whose answer is one list without a bound: it is read, checked and sent portion
 * by portion, as fast as the caller takes it. A failure on the way breaks the connection, so that nobody
 * takes a part for the whole.
 */
export type ServeList = <E extends Endpoint, Name extends keyof Listed<E> & string>(
  endpoint: E,
  name: Name,
  handler: (
    input: Input<E>,
    session: SessionFor<E>,
  ) => Promise<AsyncIterable<readonly Listed<E>[Name][]>>,
) => void

export function createServeList(app: FastifyInstance, sessions: Sessions): ServeList {
  return (endpoint, name, handler) =>
    route(app, sessions, endpoint, async (input, session, reply) => {
      // As above.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const portions = await handler(input as never, session as never)
      reply.type('application/json; charset=utf-8')
      // Fastify would read it to the end, for nobody.
      if (reply.request.method === 'HEAD') return Readable.from([])
      const schema = z.object({ [name]: z.array(z.unknown()) })
      const parts = listText(name, portions, (portion) =>
        z
          .array(z.unknown())
          .parse(schema.parse(endpoint.response.parse({ [name]: portion }))[name]),
      )
      return Readable.from(parts, { objectMode: false, highWaterMark: 64 * 1024 })
    })
}

async function* listText(
  name: string,
  portions: AsyncIterable<readonly unknown[]>,
  checked: (portion: readonly unknown[]) => unknown[],
) {
  let before = `{${JSON.stringify(name)}:[`
  for await (const portion of portions) {
    if (portion.length === 0) continue
    yield before + JSON.stringify(checked(portion)).slice(1, -1)
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}

function route(
  app: FastifyInstance,
  sessions: Sessions,
  endpoint: Endpoint,
  answer: (
    input: { params: unknown; query: unknown; body: unknown },
    session: EitherSession | AdminSession | undefined,
    reply: FastifyReply,
  ) => Promise<unknown>,
) {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.onlyWith && { constraints: { query: constraintKey(endpoint.onlyWith) } }),
    async handler(request, reply) {
      const session = await admit(endpoint, request, sessions)
      const input = {
        params: parse(endpoint.params, request.params),
        query: parse(endpoint.query, request.query),
        body: parse(endpoint.body, request.body),
      }
      reply.header('Cache-Control', 'no-store')
      return answer(input, session, reply)
    },
  })
}

async function admit(
  endpoint: Endpoint,
  request: FastifyRequest,
  sessions: Sessions,
): Promise<EitherSession | AdminSession | undefined> {
  if (endpoint.access === 'public') return undefined
  const account = await sessions.of(request.headers.authorization)
  if (endpoint.access === 'admin') return asAdmin(account)
  return endpoint.access === 'pharmacy-or-admin' && account.isAdmin
    ? account
    : asPharmacy(account, endpoint)
}

function asAdmin(account: SignedIn): AdminSession {
  if (!account.isAdmin) throw new AppError('access.denied')
  return account
}

function asPharmacy(account: SignedIn, endpoint: Endpoint): EitherSession {
  const { isAdmin, pharmacy } = account
  if (!pharmacy) throw new AppError(isAdmin ? 'access.denied' : 'pharmacy.not_found')
  if (!pharmacy.isActive) throw new AppError('pharmacy.inactive')
  if (endpoint.feature && !can(pharmacy, endpoint.feature)) throw new AppError('access.denied')
  return account
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (!result.success) throw new AppError('request.invalid', { cause: result.error })
  return result.data
}
