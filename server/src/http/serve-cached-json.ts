import { hash } from 'node:crypto'
import type { Endpoint, HandlerResult, Input } from '@bancone/contract/endpoint'
import { supportSessionResponse } from '@bancone/contract/support-session-responses'
import { SUPPORT_SESSION_HEADER } from '@bancone/contract/support-sessions'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { AppError } from '../base/app-error.ts'
import { matchesEtag } from '../platform/browser-call.ts'
import { parseResponse } from './parse.ts'
import { type CallContext, callContext, registerRoute, type SessionFor } from './serve.ts'
import type { Sessions } from './session.ts'

/** A response as it is sent. */
type Body = { bytes: Buffer; etag: string }

/**
 * The first property of responses as JSON: it has only the fields of its schema. It keeps the last response that
 * it was part of, so that one which has not changed is sent again as it is.
 */
export class CachedJson<T> {
  /** The JSON of the property: a view of the last response, once there is one. */
  #json: string | Buffer
  #last: (Body & { name: string; rest: string }) | undefined

  /** @throws if the value does not have the form of the schema */
  constructor(schema: z.core.$ZodType<unknown, T>, value: T) {
    this.#json = JSON.stringify(parseResponse(schema, value))
  }

  /** The value as it is sent. */
  read(): unknown {
    return JSON.parse(this.#json.toString())
  }

  /** The response with this as its property `name`. @param rest the JSON of an object with the other properties */
  bodyWith(name: string, rest: string): Body {
    if (this.#last?.rest === rest && this.#last.name === name) return this.#last
    const before = `{${JSON.stringify(name)}:`
    const after = `,${rest.slice(1)}`
    const bytes =
      typeof this.#json === 'string'
        ? Buffer.from(before + this.#json + after)
        : Buffer.concat([Buffer.from(before), this.#json, Buffer.from(after)])
    this.#json = bytes.subarray(before.length, bytes.length - Buffer.byteLength(after))
    const etag = `"${hash('sha1', bytes, 'base64url')}"`
    this.#last = { bytes, etag, name, rest }
    return this.#last
  }
}

/** The result of a handler, with the property `Name` as cached JSON. */
type WithPart<E extends Endpoint, Name extends keyof HandlerResult<E>> = Omit<
  HandlerResult<E>,
  Name
> & { [name in Name]: CachedJson<HandlerResult<E>[Name]> }

/**
 * Like `Serve`, for an endpoint whose response has one large property that the handler keeps as JSON. The response has
 * an ETag, and is 304 when the caller has it already.
 */
export type ServeCachedJson = <E extends Endpoint, Name extends keyof HandlerResult<E> & string>(
  endpoint: E,
  name: Name,
  handler: (
    input: Input<E>,
    session: SessionFor<E>,
    call: CallContext,
  ) => Promise<WithPart<E, Name>>,
) => void

export function createServeCachedJson(app: FastifyInstance, sessions: Sessions): ServeCachedJson {
  return (endpoint, name, handler) => {
    if (!(endpoint.response instanceof z.core.$ZodObject))
      throw new Error(`${endpoint.path} has no parts`)
    const properties = Object.entries(endpoint.response._zod.def.shape)
    const rest = z.object(Object.fromEntries(properties.filter(([key]) => key !== name)))
    registerRoute(app, sessions, endpoint, {}, async (input, session, reply) => {
      // As in `createServe`.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const result = await handler(input as never, session as never, callContext(reply))
      const { [name]: part, ...others } = result
      const { headers, method } = reply.request
      if (headers[SUPPORT_SESSION_HEADER] !== undefined) {
        const response = supportSessionResponse(endpoint)
        if (!response) throw new AppError('support.read_only')
        return response.parse({ [name]: part.read(), ...others })
      }
      const { bytes, etag } = part.bodyWith(name, JSON.stringify(parseResponse(rest, others)))
      reply.header('ETag', etag).type('application/json; charset=utf-8')
      const isGet = method === 'GET' || method === 'HEAD'
      if (isGet && matchesEtag(headers['if-none-match'], etag)) return reply.code(304).send()
      return bytes
    })
  }
}
