import { Readable } from 'node:stream'
import { can } from '@bancone/contract/access'
import type { Answer, Endpoint, Input } from '@bancone/contract/endpoint'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../app-error.ts'
import { constraintKey } from './query-constraint.ts'
import type { Account, SessionPharmacy, Sessions, SignedIn } from './session.ts'

type Caller = { userId: string; sessionId: string }
export type PharmacySession = Caller & { pharmacy: NonNullable<Account['pharmacy']> }
export type AdminSession = Caller
/** A pharmacy, an administrator (then `pharmacy` is null), or somebody who is both. */
export type EitherSession = Caller & { pharmacy: SessionPharmacy | null; isAdmin: boolean }
/** Somebody of the pharmacy, or a program of its: then there is a key and neither user nor session. */
export type KeyOrSession =
  | (PharmacySession & { keyId: null })
  | { userId: null; sessionId: null; pharmacy: SessionPharmacy; keyId: string }

/** What a handler knows of its caller, by the endpoint's access. */
type SessionsByAccess = {
  public: undefined
  account: SignedIn
  pharmacy: PharmacySession
  admin: AdminSession
  'pharmacy-or-admin': EitherSession
  'pharmacy-or-key': KeyOrSession
}
export type SessionFor<E extends Endpoint> = SessionsByAccess[E['access']]

/** The call itself. */
export type Call = {
  /** For a handler that works long: nobody waits for it any more. */
  readonly signal: AbortSignal
  /** The network address that it came from. */
  readonly ip: string
  /** The name its browser gave itself, of any length. */
  readonly agent: string | undefined
}

type Handler<E extends Endpoint> = (
  input: Input<E>,
  session: SessionFor<E>,
  call: Call,
) => Answer<E> | Promise<Answer<E>>

/**
 * Binds an endpoint of the contract to its handler: checks who calls, parses what they send, and lets
 * through only what the response schema declares.
 */
export type Serve = <E extends Endpoint>(endpoint: E, handler: Handler<E>) => void

export function createServe(app: FastifyInstance, sessions: Sessions): Serve {
  return (endpoint, handler) =>
    route(app, sessions, endpoint, {}, async (input, session, reply) =>
      // Both sides of these two are derived from the same endpoint, which the compiler cannot follow.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      endpoint.response.parse(await handler(input as never, session as never, callOf(reply))),
    )
}

/** A signal is made for the handler that asks for one. */
export function callOf(reply: FastifyReply): Call {
  return {
    get signal() {
      const left = new AbortController()
      if (reply.raw.destroyed) left.abort()
      else reply.raw.once('close', () => left.abort())
      return left.signal
    },
    ip: reply.request.ip,
    agent: reply.request.headers['user-agent'],
  }
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
    route(app, sessions, endpoint, {}, async (input, session, reply) => {
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

/** A file that is written while it is sent. */
export type ServedFile = {
  /** What it should be called: letters, digits, points and dashes. */
  name: string
  type: string
  /** Begins with it, which whoever asks for its head alone does not. `signal` breaks the connection. */
  open(): Promise<{ parts: AsyncIterable<string | Uint8Array>; signal: AbortSignal }>
}

/** Milliseconds in which whoever takes a file must take some of it, on a slow line as well. */
const FILE_PATIENCE_MS = 5 * 60_000

/** The same for an endpoint whose answer is a file to keep, with what is said of failures above. */
export type ServeFile = <E extends Endpoint>(
  endpoint: E,
  handler: (input: Input<E>, session: SessionFor<E>) => Promise<ServedFile>,
) => void

export function createServeFile(app: FastifyInstance, sessions: Sessions): ServeFile {
  return (endpoint, handler) =>
    route(app, sessions, endpoint, {}, async (input, session, reply) => {
      // As above.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const file = await handler(input as never, session as never)
      const opened = reply.request.method === 'HEAD' ? undefined : await file.open()
      reply.type(file.type).header('Content-Disposition', `attachment; filename="${file.name}"`)
      if (!opened) return Readable.from([])
      reply.raw.setTimeout(FILE_PATIENCE_MS, () => reply.raw.destroy())
      const { parts, signal } = opened
      return Readable.from(parts, { objectMode: false, highWaterMark: 64 * 1024, signal })
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

/** How all of them are bound. `config`: what Fastify is told of the route besides. */
export function route(
  app: FastifyInstance,
  sessions: Sessions,
  endpoint: Endpoint,
  config: FastifyContextConfig,
  answer: (
    input: { params: unknown; query: unknown; headers: unknown; body: unknown },
    session: EitherSession | AdminSession | KeyOrSession | undefined,
    reply: FastifyReply,
  ) => Promise<unknown>,
) {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.onlyWith && { constraints: { query: constraintKey(endpoint.onlyWith) } }),
    ...(endpoint.mostBodyBytes && { bodyLimit: endpoint.mostBodyBytes }),
    config,
    async handler(request, reply) {
      const session = await admit(endpoint, request, sessions)
      const input = {
        params: parse(endpoint.params, request.params),
        query: parse(endpoint.query, request.query),
        headers: parse(endpoint.headers, request.headers),
        body: parse(endpoint.body, request.body),
      }
      const kept = endpoint.keptFor ? `public, max-age=${endpoint.keptFor}` : 'no-store'
      reply.code(endpoint.status ?? 200).header('Cache-Control', kept)
      return answer(input, session, reply)
    },
  })
}

async function admit(
  endpoint: Endpoint,
  request: FastifyRequest,
  sessions: Sessions,
): Promise<EitherSession | AdminSession | KeyOrSession | undefined> {
  if (endpoint.access === 'public') return undefined
  if (endpoint.access === 'pharmacy-or-key') return keyOrSession(endpoint, request, sessions)
  const account = await sessions.of(request.headers.authorization)
  if (endpoint.access === 'account') return account
  if (endpoint.access === 'admin') return asAdmin(account)
  return endpoint.access === 'pharmacy-or-admin' && account.isAdmin
    ? account
    : asPharmacy(account, endpoint)
}

async function keyOrSession(
  endpoint: Endpoint,
  request: FastifyRequest,
  sessions: Sessions,
): Promise<KeyOrSession> {
  const { authorization } = request.headers
  const keyed = await sessions.ofKey(authorization)
  if (keyed && !keyed.pharmacy.isActive) throw new AppError('pharmacy.inactive')
  if (keyed) return { ...keyed, userId: null, sessionId: null }
  return { ...asPharmacy(await sessions.of(authorization), endpoint), keyId: null }
}

function asAdmin(account: SignedIn): AdminSession {
  if (!account.isAdmin) throw new AppError('access.denied')
  return account
}

function asPharmacy(account: SignedIn, endpoint: Endpoint): SignedIn & PharmacySession {
  const { isAdmin, pharmacy } = account
  if (!pharmacy) throw new AppError(isAdmin ? 'access.denied' : 'pharmacy.not_found')
  if (!pharmacy.isActive) throw new AppError('pharmacy.inactive')
  if (endpoint.feature && !can(pharmacy, endpoint.feature)) throw new AppError('access.denied')
  if (endpoint.role && pharmacy.role !== endpoint.role) throw new AppError('access.owners_only')
  return { ...account, pharmacy }
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (!result.success) throw new AppError('request.invalid', { cause: result.error })
  return result.data
}
