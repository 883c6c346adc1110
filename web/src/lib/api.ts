import type { Response as Answer, Endpoint, Request } from '@bancone/contract/endpoint'
import { ErrorBody, type ErrorCode } from '@bancone/contract/errors'
import { z } from 'zod'
import { eitherSignal } from './either-signal.ts'
import { queryText } from './query-text.ts'
import { sessions } from './session.ts'
import { type Area, areaOf } from './session-state.ts'

const TIME_LIMIT_MS = 12_000

/** What a call could not do. `status` is 0 when the server was not reached, or too late. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | null
  readonly requestId: string | null
  /** The time limit was reached. */
  readonly late: boolean

  constructor(
    status: number,
    message: string,
    known: { code?: ErrorCode; requestId?: string; late?: boolean } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = known.code ?? null
    this.requestId = known.requestId ?? null
    this.late = known.late ?? false
  }
}

/** The parts a request can have, whatever the endpoint. */
export type RequestParts = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: unknown
  /** Whose session it is made with, where it is for whoever is signed in. */
  area?: Area
}

type CallOptions = {
  signal?: AbortSignal
  /** Nothing is changed by it, whatever its method: who leaves the page needs no answer any more. */
  reads?: boolean
  /** Milliseconds the answer may take, where the server itself waits for others. */
  timeLimit?: number
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(',')
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new TypeError('Only texts, numbers and yes or no have a place in an address')
}

function address(endpoint: Endpoint, { params = {}, query = {} }: RequestParts): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(plain(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, plain(value))
  }
  return path + queryText(search)
}

async function refusal(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const known = ErrorBody.safeParse(body)
  if (known.success) return new ApiError(response.status, known.data.error, known.data)
  const worded = ErrorBody.pick({ error: true }).safeParse(body)
  const message = worded.success ? worded.data.error : `API error: ${response.status}`
  return new ApiError(response.status, message)
}

async function send(
  url: string,
  init: RequestInit,
  { signal, timeLimit = TIME_LIMIT_MS }: CallOptions,
): Promise<Response> {
  const limit = AbortSignal.timeout(timeLimit)
  try {
    return await fetch(url, { ...init, signal: signal ? eitherSignal(signal, limit) : limit })
  } catch (cause) {
    if (signal?.aborted) throw cause
    const late = limit.aborted
    throw new ApiError(0, late ? 'Time limit reached' : 'Server not reached', { late })
  }
}

/** The token of who is signed in to that area. */
async function bearer(area: Area): Promise<string> {
  const token = await sessions[area].accessToken().catch(() => {
    throw new ApiError(0, 'The session could not be refreshed', { late: true })
  })
  if (token === null) throw new ApiError(401, 'No active session', { code: 'session.missing' })
  return token
}

/** A token to try again with, where the answer is that the first one will not do. */
async function betterToken(area: Area, token: string, response: Response): Promise<string | null> {
  if (response.status !== 401 && response.status !== 403) return null
  const { code } = await refusal(response.clone())
  if (code === 'session.unknown_user') {
    sessions[area].lost(token, 'closed')
    return null
  }
  if (response.status === 401) return sessions[area].renewed(token)
  return code === 'session.second_factor_needed' ? sessions[area].raised(token) : null
}

type Sender = (url: string, init: RequestInit) => Promise<Response>

/**
 * Sends a request with the session it asks for; once more with a newer token where the first is refused.
 *
 * @throws what the server answers when it is an error
 */
export async function ask<E extends Endpoint>(
  endpoint: E,
  request: Request<E> & RequestParts,
  sender: Sender,
): Promise<Response> {
  const headers = new Headers({ accept: 'application/json', ...request.headers })
  const area = request.area ?? areaOf(endpoint.access)
  const token = area && (await bearer(area))
  if (token !== null) headers.set('authorization', `Bearer ${token}`)

  const init: RequestInit = { method: endpoint.method, headers }
  if (request.body !== undefined) {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(request.body)
  }
  const url = address(endpoint, request)
  let response = await sender(url, init)
  const better = area && token !== null && (await betterToken(area, token, response))
  if (better) {
    headers.set('authorization', `Bearer ${better}`)
    response = await sender(url, init)
  }
  if (!response.ok) throw await refusal(response)
  return response
}

/**
 * What the endpoint has answered, parsed.
 *
 * @throws when it is not what was agreed
 */
export async function answerOf<E extends Endpoint>(
  endpoint: E,
  response: Response,
): Promise<Answer<E>> {
  const body: unknown = await response.json().catch(() => undefined)
  const answer = z.safeParse<E['response']>(endpoint.response, body)
  if (!answer.success) throw new ApiError(response.status, 'The answer is not what was agreed')
  return answer.data
}

/** Calls an endpoint of our API, and parses what it answers. */
export async function call<E extends Endpoint>(
  endpoint: E,
  request: Request<E> & RequestParts,
  options: CallOptions = {},
): Promise<Answer<E>> {
  const { reads = endpoint.method === 'GET' } = options
  // A change is shown before it is answered: it must arrive even if the page is reloaded meanwhile.
  const response = await ask(endpoint, request, (url, init) =>
    send(url, reads ? init : { ...init, keepalive: true }, options),
  )
  return answerOf(endpoint, response)
}
