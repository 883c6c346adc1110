import { Readable } from 'node:stream'
import { hasFeature } from '@bancone/contract/access'
import type { Endpoint, HandlerResult, Input } from '@bancone/contract/endpoint'
import { supportSessionResponse } from '@bancone/contract/support-session-responses'
import { SUPPORT_SESSION_HEADER } from '@bancone/contract/support-sessions'
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify'
import { z } from 'zod'
import { AppError } from '../base/app-error.ts'
import type { RequestActor } from '../base/request-context.ts'
import { noteActor } from './audit-requests.ts'
import { parseRequest, parseResponse } from './parse.ts'
import {
  type Account,
  requireActive,
  type SessionPharmacy,
  type Sessions,
  type SignedInAccount,
} from './session.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}

type Caller = { userId: string; sessionId: string }
export type PharmacySession = Caller & { pharmacy: NonNullable<Account['pharmacy']> }
export type AdminSession = Caller
/** A member of a pharmacy, an administrator (whose `pharmacy` may be null), or both. */
export type PharmacyOrAdminSession = Caller & { pharmacy: SessionPharmacy | null; isAdmin: boolean }
/** A member of the pharmacy, or a program with an API key: then `userId` and `sessionId` are null. */
export type PharmacyOrKeySession =
  | (PharmacySession & { keyId: null })
  | { userId: null; sessionId: null; pharmacy: SessionPharmacy; keyId: string }

/** The caller that a handler receives, by the endpoint's access. */
type SessionsByAccess = {
  public: undefined
  account: SignedInAccount
  pharmacy: PharmacySession
  admin: AdminSession
  'pharmacy-or-admin': PharmacyOrAdminSession
  'pharmacy-or-key': PharmacyOrKeySession
}
export type SessionFor<E extends Endpoint> = SessionsByAccess[E['access']]

/** Data of the request besides the parsed input. */
export type CallContext = {
  /** Aborted when the client disconnects; for long-running handlers. */
  readonly signal: AbortSignal
  /** The IP address of the client. */
  readonly ip: string
  /** The header `User-Agent`, of any length. */
  readonly agent: string | undefined
}

type Handler<E extends Endpoint> = (
  input: Input<E>,
  session: SessionFor<E>,
  call: CallContext,
) => HandlerResult<E> | Promise<HandlerResult<E>>

/**
 * Binds an endpoint of the contract to its handler: checks access, parses the request, and sends only the fields that
 * the response schema declares.
 */
export type Serve = <E extends Endpoint>(endpoint: E, handler: Handler<E>) => void

export function createServe(app: FastifyInstance, sessions: Sessions): Serve {
  return (endpoint, handler) =>
    registerRoute(app, sessions, endpoint, {}, async (input, session, reply) => {
      const isSupportSession = reply.request.headers[SUPPORT_SESSION_HEADER] !== undefined
      const response = isSupportSession ? supportSessionResponse(endpoint) : endpoint.response
      if (!response) throw new AppError('support.read_only')
      // Both sides of these two are derived from the same endpoint, which the compiler cannot follow.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const result = await handler(input as never, session as never, callContext(reply))
      return parseResponse(response, result)
    })
}

/** The signal is created only if the handler reads it. */
export function callContext(reply: FastifyReply): CallContext {
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

/** The lists in an endpoint's response, by name, with the type of their items. */
type Listed<E extends Endpoint> = {
  [Name in keyof HandlerResult<E>]: HandlerResult<E>[Name] extends (infer Item)[] ? Item : never
}

/**
 * Like `Serve`, for an endpoint whose response is one unbounded list. The list is read, validated and sent in portions,
 * as fast as the client reads. A failure closes the connection, so that a partial list is not mistaken for the whole.
 */
export type ServeList = <E extends Endpoint, Name extends keyof Listed<E> & string>(
  endpoint: E,
  name: Name,
  handler: (
    input: Input<E>,
    session: SessionFor<E>,
    call: CallContext,
  ) => Promise<AsyncIterable<readonly Listed<E>[Name][]>>,
) => void

export function createServeList(app: FastifyInstance, sessions: Sessions): ServeList {
  return (endpoint, name, handler) =>
    registerRoute(app, sessions, endpoint, {}, async (input, session, reply) => {
      // As above.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const portions = await handler(input as never, session as never, callContext(reply))
      reply.type('application/json; charset=utf-8')
      // Fastify would read the whole stream and discard it.
      if (reply.request.method === 'HEAD') return Readable.from([])
      const schema = z.object({ [name]: z.array(z.unknown()) })
      const parts = listText(name, portions, (portion) =>
        z
          .array(z.unknown())
          .parse(schema.parse(parseResponse(endpoint.response, { [name]: portion }))[name]),
      )
      return Readable.from(parts, { objectMode: false, highWaterMark: 64 * 1024 })
    })
}

/** A file whose content is generated while it is sent. */
export type ServedFile = {
  /** The suggested file name: letters, digits, dots and hyphens. */
  name: string
  type: string
  /** Begins the file; not called for HEAD requests. Aborting `signal` closes the connection. */
  open(): Promise<{ parts: AsyncIterable<string | Uint8Array>; signal: AbortSignal }>
}

/** The connection is closed when the client reads nothing for so many milliseconds. */
const FILE_IDLE_TIMEOUT_MS = 5 * 60_000

/** Like `Serve`, for an endpoint whose response is a file download. Failures close the connection, as for lists. */
export type ServeFile = <E extends Endpoint>(
  endpoint: E,
  handler: (input: Input<E>, session: SessionFor<E>, call: CallContext) => Promise<ServedFile>,
) => void

export function createServeFile(app: FastifyInstance, sessions: Sessions): ServeFile {
  return (endpoint, handler) =>
    registerRoute(app, sessions, endpoint, {}, async (input, session, reply) => {
      // As above.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const file = await handler(input as never, session as never, callContext(reply))
      const opened = reply.request.method === 'HEAD' ? undefined : await file.open()
      reply.type(file.type).header('Content-Disposition', `attachment; filename="${file.name}"`)
      if (!opened) return Readable.from([])
      reply.raw.setTimeout(FILE_IDLE_TIMEOUT_MS, () => reply.raw.destroy())
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

type AnyCaller = PharmacyOrAdminSession | AdminSession | PharmacyOrKeySession | undefined

/** The callers of the requests in progress. */
const callers = new WeakMap<FastifyRequest, AnyCaller>()

/** Whether access was granted to a signed-in caller or to a key. */
export const isAuthenticated = (request: FastifyRequest): boolean =>
  callers.get(request) !== undefined

/** Registers the route of an endpoint. @param config additional Fastify route config */
export function registerRoute(
  app: FastifyInstance,
  sessions: Sessions,
  endpoint: Endpoint,
  config: FastifyContextConfig,
  answer: (
    input: { params: unknown; query: unknown; headers: unknown; body: unknown },
    session: AnyCaller,
    reply: FastifyReply,
  ) => Promise<unknown>,
) {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(endpoint.requiredQuery && {
      constraints: { query: constraintKey(endpoint.requiredQuery) },
    }),
    ...(endpoint.maxBodyBytes && { bodyLimit: endpoint.maxBodyBytes }),
    config: { ...config, endpoint },
    // Before the body is read, so that a refused call costs little.
    async onRequest(request) {
      callers.set(request, await authorize(endpoint, request, sessions))
    },
    async handler(request, reply) {
      const input = {
        params: endpoint.params && parseRequest(endpoint.params, request.params),
        query: endpoint.query && parseRequest(endpoint.query, request.query),
        headers: endpoint.headers && parseRequest(endpoint.headers, request.headers),
        body: endpoint.body && parseRequest(endpoint.body, request.body),
      }
      const cacheControl = endpoint.cacheSeconds
        ? `public, max-age=${endpoint.cacheSeconds}`
        : 'no-store'
      reply.code(endpoint.status ?? 200).header('Cache-Control', cacheControl)
      return answer(input, callers.get(request), reply)
    },
  })
}

async function authorize(
  endpoint: Endpoint,
  request: FastifyRequest,
  sessions: Sessions,
): Promise<AnyCaller> {
  const supportSessionId = request.headers[SUPPORT_SESSION_HEADER]
  if (supportSessionId !== undefined)
    return authenticateSupport(endpoint, request, sessions, String(supportSessionId))
  if (endpoint.access === 'public') return undefined
  if (endpoint.access === 'pharmacy-or-key')
    return pharmacyOrKeySession(endpoint, request, sessions)
  const account = await sessions.authenticate(request.headers.authorization)
  if (endpoint.access === 'account') return account
  noteActor(request, actorOf(account, endpoint))
  if (endpoint.access === 'admin') return asAdmin(account)
  return endpoint.access === 'pharmacy-or-admin' && account.isAdmin
    ? account
    : asPharmacy(account, endpoint)
}

/**
 * A support session is refused by every endpoint that does not say what it reads, before the endpoint decides anything
 * else.
 */
async function authenticateSupport(
  endpoint: Endpoint,
  request: FastifyRequest,
  sessions: Sessions,
  supportSessionId: string,
): Promise<PharmacySession> {
  const account = await sessions.authenticateSupportSession(
    request.headers.authorization,
    supportSessionId,
  )
  const pharmacyId = account.pharmacy?.id ?? null
  noteActor(request, { id: account.userId, role: 'admin', pharmacyId })
  if (!endpoint.supportSession) throw new AppError('support.read_only')
  return asPharmacy(account, endpoint)
}

async function pharmacyOrKeySession(
  endpoint: Endpoint,
  request: FastifyRequest,
  sessions: Sessions,
): Promise<PharmacyOrKeySession> {
  const { authorization } = request.headers
  const keyed = await sessions.authenticateKey(authorization)
  if (keyed) noteActor(request, { id: keyed.keyId, role: 'key', pharmacyId: keyed.pharmacy.id })
  if (keyed) requireActive(keyed.pharmacy)
  if (keyed) return { ...keyed, userId: null, sessionId: null }
  const account = await sessions.authenticate(authorization)
  noteActor(request, actorOf(account, endpoint))
  return { ...asPharmacy(account, endpoint), keyId: null }
}

/** For the audit log: an administrator who works at a pharmacy acts for it where its members do. */
function actorOf(
  { userId, isAdmin, pharmacy }: SignedInAccount,
  { access }: Endpoint,
): RequestActor | undefined {
  const isForAdmins = access === 'admin' || access === 'pharmacy-or-admin'
  if (isAdmin && (isForAdmins || !pharmacy)) return { id: userId, role: 'admin', pharmacyId: null }
  return pharmacy ? { id: userId, role: pharmacy.role, pharmacyId: pharmacy.id } : undefined
}

function asAdmin(account: SignedInAccount): AdminSession {
  if (!account.isAdmin) throw new AppError('access.denied')
  return account
}

function asPharmacy(
  account: SignedInAccount,
  endpoint: Endpoint,
): SignedInAccount & PharmacySession {
  const { isAdmin, pharmacy } = account
  if (!pharmacy) throw new AppError(isAdmin ? 'access.denied' : 'pharmacy.not_found')
  requireActive(pharmacy)
  if (endpoint.feature && !hasFeature(pharmacy, endpoint.feature))
    throw new AppError('access.denied')
  if (endpoint.role && pharmacy.role !== endpoint.role) throw new AppError('access.owners_only')
  return { ...account, pharmacy }
}

type Strategy = NonNullable<
  NonNullable<FastifyServerOptions['routerOptions']>['constraints']
>[string]
type RouteHandler = Parameters<ReturnType<Strategy['storage']>['set']>[1]

/** A Fastify route constraint that distinguishes endpoints of one method and path by their `requiredQuery`. */
export function queryConstraint(): Strategy {
  /** The keys of all routes. */
  const variants = new Map<string, readonly [string, string][]>()
  return {
    name: 'query',
    storage() {
      const handlers = new Map<unknown, RouteHandler>()
      return {
        get: (key) => handlers.get(key) ?? null,
        set(key, handler) {
          handlers.set(key, handler)
          if (key !== '') variants.set(key, [...new URLSearchParams(key)])
        },
      }
    },
    // The empty constraint selects the endpoint without a required query.
    deriveConstraint({ url = '' }) {
      const start = url.indexOf('?')
      if (start === -1) return ''
      const query = new URLSearchParams(url.slice(start))
      for (const [key, required] of variants)
        if (required.every(([name, value]) => query.get(name) === value)) return key
      return ''
    },
  }
}

function constraintKey(requiredQuery: Readonly<Record<string, string>>): string {
  return new URLSearchParams(requiredQuery).toString()
}
