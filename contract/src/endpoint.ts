import type { z } from 'zod'
import type { Access, Feature, Role } from './access.ts'
import type { ErrorCode } from './errors.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Shape = z.ZodType

/** The names after a colon in a path: `'/a/:b/c/:d'` gives `'b' | 'd'`. */
type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type ParamsOf<Path extends string> = [PathParams<Path>] extends [never]
  ? { params?: never }
  : { params: z.ZodObject<Record<PathParams<Path>, Shape>> }

type Guard =
  | { access: Exclude<Access, 'pharmacy'> }
  | { access: 'pharmacy'; feature?: Feature; role?: Extract<Role, 'owner'> }

/** One call of our own API, as a value: the server binds it, the web calls it, neither writes a URL. */
export type Endpoint = {
  method: Method
  path: `/api/${string}`
  /** One line for the API's document. */
  summary: string
  access: Access
  feature?: Feature
  role?: Extract<Role, 'owner'>
  /** What its query must hold to tell it from another endpoint of the same method and path. */
  onlyWith?: Readonly<Record<string, string>>
  params?: Shape
  query?: Shape
  /** By their names in lower case. */
  headers?: Shape
  body?: Shape
  /** Of its body, where that is to be smaller than bodies may be. */
  mostBodyBytes?: number
  /**
   * Its body is a file of any type, of so many bytes at most, and not JSON: `tooLarge` is answered to more.
   */
  upload?: { mostBytes: number; tooLarge: ErrorCode }
  /** More than one line of its document, and a body that would be taken. */
  description?: string
  example?: unknown
  response: Shape
  /** Seconds that anybody may keep its answer, which is then the same for all; nobody may unless said. */
  keptFor?: number
  /** Of an answer that is no error: 200 unless said. */
  status?: 201
  /** The codes this call answers with beside those every call has (no session, bad input, …). */
  errors: readonly ErrorCode[]
}

type Definition<Path extends string> = Omit<
  Endpoint,
  'path' | 'params' | 'access' | 'feature' | 'role'
> & {
  path: Path
} & ParamsOf<Path> &
  Guard

/** Declares an endpoint. A missing `access`, or params that do not match the path, do not compile. */
export function endpoint<Path extends `/api/${string}`, const E extends Definition<Path>>(
  definition: E & { path: Path },
): E {
  return definition
}

type Parsed<S> = S extends Shape ? z.output<S> : undefined
type Given<S, Name extends string> = S extends Shape ? { [key in Name]: z.input<S> } : unknown

/** What a handler receives: each part already parsed. */
export type Input<E extends Endpoint> = {
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  headers: Parsed<E['headers']>
  body: Parsed<E['body']>
}

/** What a caller gives. */
export type Request<E extends Endpoint> = Given<E['params'], 'params'> &
  Given<E['query'], 'query'> &
  Given<E['headers'], 'headers'> &
  Given<E['body'], 'body'>

/** What a handler may answer, before the response schema strips what is not declared. */
export type Answer<E extends Endpoint> = z.input<E['response']>

/** What a caller receives. */
export type Response<E extends Endpoint> = z.output<E['response']>
