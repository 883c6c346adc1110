import type { Endpoint, HandlerResult, Input } from '@bancone/contract/endpoint'
import { type ErrorCode, errorStatus, errorText } from '@bancone/contract/errors'
import { SUPPORT_SESSION_HEADER } from '@bancone/contract/support-sessions'
import { vi } from 'vitest'

const refused = Symbol('refused')
type Refusal = { [refused]: Response }
type Reply<E extends Endpoint> = HandlerResult<E> | Refusal
type Handler<E extends Endpoint> = (input: Input<E>) => Reply<E> | Promise<Reply<E>>
type Sent = { body: unknown; headers: Headers }
type Route = {
  method: string
  pattern: RegExp
  reply: (url: URL, groups: Record<string, string>, sent: Sent) => Promise<Response>
}

/** An error response of the API. @param error the server's text */
export function failure(
  code: ErrorCode,
  error: string = errorText(code),
  details?: Record<string, string>,
): Refusal {
  const body = { error, code, requestId: 'test', details }
  return { [refused]: Response.json(body, { status: errorStatus(code) }) }
}

/** Any other response: an error page of a proxy, invalid JSON, bytes. */
export function rawReply(body: BodyInit, status: number): Refusal {
  return { [refused]: new Response(body, { status }) }
}

/** A promise that the test resolves. */
export function deferred<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/**
 * Fakes the server: typed handlers for the endpoints of the contract and for calls of the authentication service. A
 * request without a handler fails as a network error and is recorded in `unexpected`.
 */
export class StubApi {
  readonly requests: {
    method: string
    path: string
    bearer: string | null
    /** The support session that the request belongs to. */
    supportSessionId?: string
    body: unknown
    /** Whether the request survives the page. */
    keepalive: boolean
  }[] = []
  readonly unexpected: string[] = []
  #routes: Route[] = []

  install() {
    vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) =>
      this.#answer(new URL(input, location.origin), init ?? {}),
    )
  }

  on<E extends Endpoint>(endpoint: E, handler: Handler<E>): this {
    const pattern = new RegExp(`^${endpoint.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    return this.#add(endpoint.method, pattern, async (url, groups, { body, headers }) => {
      // The parsed input has the type that the handler expects.
      const input = {
        params: endpoint.params?.parse(groups),
        query: endpoint.query?.parse(Object.fromEntries(url.searchParams)),
        headers: endpoint.headers?.parse(Object.fromEntries(headers)),
        body: endpoint.body?.parse(body),
      } as Input<E>
      const reply: unknown = await handler(input)
      return isRefusal(reply) ? reply[refused].clone() : Response.json(reply)
    })
  }

  /** A handler for the authentication service, as in `auth('POST', '/token', …)`. */
  auth(
    method: string,
    path: string,
    reply: (body: unknown, url: URL) => Response | Promise<Response>,
  ) {
    return this.#add(method, new RegExp(`^/auth/v1${path}$`), async (url, _groups, { body }) =>
      reply(body, url),
    )
  }

  #add(method: string, pattern: RegExp, reply: Route['reply']): this {
    this.#routes = [{ method, pattern, reply }, ...this.#routes]
    return this
  }

  async #answer(url: URL, init: RequestInit): Promise<Response> {
    const method = init.method ?? 'GET'
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const headers = new Headers(init.headers)
    const bearer = headers.get('authorization')
    const keepalive = init.keepalive ?? false
    const supportSessionId = headers.get(SUPPORT_SESSION_HEADER)
    this.requests.push({
      method,
      path: url.pathname + url.search,
      bearer,
      body,
      keepalive,
      ...(supportSessionId !== null && { supportSessionId }),
    })
    for (const route of this.#routes) {
      const match = route.method === method ? route.pattern.exec(url.pathname) : null
      if (match) return route.reply(url, { ...match.groups }, { body, headers })
    }
    this.unexpected.push(`${method} ${url.pathname}`)
    throw new TypeError('fetch failed')
  }
}

function isRefusal(reply: unknown): reply is Refusal {
  return typeof reply === 'object' && reply !== null && refused in reply
}
