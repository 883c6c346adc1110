import type { z } from 'zod/mini'
import type { Access, Feature, Role } from './access.ts'
import type { AuditAction } from './audit-actions.ts'
import type { ErrorCode } from './errors.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Shape = z.ZodMiniType

/** The parameter names of a path: `'/a/:b/c/:d'` gives `'b' | 'd'`. */
type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type ParamsOf<Path extends string> = [PathParams<Path>] extends [never]
  ? { params?: never }
  : { params: z.ZodMiniObject<Record<PathParams<Path>, Shape>> }

type Guard =
  | { access: Exclude<Access, 'pharmacy'>; supportSession?: never }
  | { access: 'pharmacy'; feature?: Feature; role?: Extract<Role, 'owner'> }

/** The declaration of one endpoint of the API. The server binds a handler to it and the web calls it. */
export type Endpoint = {
  method: Method
  path: `/api/${string}`
  /** One line for the OpenAPI document. */
  summary: string
  access: Access
  feature?: Feature
  role?: Extract<Role, 'owner'>
  /**
   * The action in the audit log of a change and of its refusal, or why there is none. `recorded with …`: of another
   * change. Undefined for GET.
   */
  audit?: AuditAction | { none: string }
  /**
   * What a support session of an administrator reads: the whole response, or it under its mask in
   * `support-session-responses.ts`. Undefined: it is refused.
   */
  supportSession?: 'shown' | 'masked'
  /** Query parameters that select this endpoint among others of the same method and path. */
  requiredQuery?: Readonly<Record<string, string>>
  params?: Shape
  query?: Shape
  /** Request headers by their lower-case names. */
  headers?: Shape
  body?: Shape
  /** The largest request body in bytes, where its schema allows more than the server's general limit of 16 kB. */
  maxBodyBytes?: number
  /**
   * Set when the request body is a file of any type instead of JSON: its largest size in bytes, and the error code
   * of the response to a larger one.
   */
  upload?: { maxBytes: number; tooLargeCode: ErrorCode }
  /** A longer description and an example body for the OpenAPI document. */
  description?: string
  example?: unknown
  response: Shape
  /** `max-age` of a public response that is the same for every caller, in seconds; otherwise `no-store`. */
  cacheSeconds?: number
  /** Status of a successful response; 200 by default. */
  status?: 201
  /** The error codes specific to this endpoint, besides the general ones (no session, bad input, …). */
  errors: readonly ErrorCode[]
}

type Recording =
  | { method: 'GET'; audit?: never }
  | {
      method: Exclude<Method, 'GET'>
      audit: NonNullable<Endpoint['audit']>
      supportSession?: never
    }

type Definition<Path extends string> = Omit<
  Endpoint,
  'path' | 'params' | 'access' | 'feature' | 'role' | 'method' | 'audit'
> & {
  path: Path
} & ParamsOf<Path> &
  Guard &
  Recording

/** Declares an endpoint. A missing `access` or `audit`, or params that do not match the path, do not compile. */
export function endpoint<Path extends `/api/${string}`, const E extends Definition<Path>>(
  definition: E & { path: Path },
): E {
  return definition
}

type Parsed<S> = S extends Shape ? z.output<S> : undefined
type Given<S, Name extends string> = S extends Shape ? { [key in Name]: z.input<S> } : unknown

/** What a handler receives: the parsed parts of the request. */
export type Input<E extends Endpoint> = {
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  headers: Parsed<E['headers']>
  body: Parsed<E['body']>
}

/** What a caller sends. */
export type Request<E extends Endpoint> = Given<E['params'], 'params'> &
  Given<E['query'], 'query'> &
  Given<E['headers'], 'headers'> &
  Given<E['body'], 'body'>

/** What a handler returns, before the response schema strips undeclared fields. */
export type HandlerResult<E extends Endpoint> = z.input<E['response']>

/** What a caller receives. */
export type Response<E extends Endpoint> = z.output<E['response']>
