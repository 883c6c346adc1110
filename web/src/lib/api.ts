import type { Response as Answer, Endpoint, Request } from '@bancone/contract/endpoint'
import type { ErrorBody, ErrorCode } from '@bancone/contract/errors'
import { fixedErrors } from '@bancone/contract/fixed-errors'
import { z } from 'zod/mini'
import { anySignal } from './any-signal.ts'
import { takeEarlyAnswer } from './early-answers.ts'
import { queryString } from './query-string.ts'
import { sessions } from './session.ts'
import { type Area, areaOf } from './session-state.ts'
import { watchSlowness } from './slow-calls.ts'

const DEFAULT_TIMEOUT_MS = 12_000

/** A failed call of the API. `status` is 0 when there was no response: server unreachable, or timeout. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | null
  /** The server's text for users, if it has sent one. */
  readonly text: string
  readonly requestId: string | null
  /** The request timed out. */
  readonly timedOut: boolean
  /** Values that the text names. */
  readonly details: ErrorBody['details']

  constructor(
    status: number,
    message: string,
    known: Partial<Pick<ErrorBody, 'code' | 'requestId' | 'details'>> & {
      text?: string
      timedOut?: boolean
    } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = known.code ?? null
    this.text = known.text ?? message
    this.requestId = known.requestId ?? null
    this.timedOut = known.timedOut ?? false
    this.details = known.details
  }
}

/** The server has refused the call for this reason. */
export function hasCode(error: unknown, code: ErrorCode): error is ApiError {
  return error instanceof ApiError && error.code === code
}

/** The optional parts of a request, for any endpoint. */
export type RequestParts = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: unknown
  /** Whose session authorizes the request, for endpoints that accept any signed-in user. */
  area?: Area
}

export type CallOptions = {
  signal?: AbortSignal
  /** The request changes nothing, whatever its method, so it is not kept alive when the page is closed. */
  readOnly?: boolean
  /** Timeout of the request; longer where the server itself waits for other services. */
  timeoutMs?: number
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join(',')
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new TypeError('Only texts, numbers and yes or no have a place in an address')
}

function urlOf(endpoint: Endpoint, { params = {}, query = {} }: RequestParts): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(toText(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, toText(value))
  }
  return path + queryString(search)
}

/** `ErrorBody` without the list of codes: one that a newer server has is shown with the server's text. */
const Failure = z.object({
  error: z.string(),
  code: z.custom<ErrorCode>((code) => typeof code === 'string'),
  requestId: z.string(),
  details: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
})

async function errorFromResponse(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const known = Failure.safeParse(body)
  if (known.success) return new ApiError(response.status, known.data.error, known.data)
  const worded = z.pick(Failure, { error: true }).safeParse(body)
  const message = worded.success ? worded.data.error : `API error: ${response.status}`
  return new ApiError(response.status, message)
}

async function send(
  url: string,
  init: RequestInit,
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS }: CallOptions,
): Promise<Response> {
  const limit = AbortSignal.timeout(timeoutMs)
  const response =
    takeEarlyAnswer(url, init) ??
    fetch(url, { ...init, signal: signal ? anySignal(signal, limit) : limit })
  try {
    // A call with a longer timeout is expected to take its time.
    return await (timeoutMs === DEFAULT_TIMEOUT_MS ? watchSlowness(response) : response)
  } catch (cause) {
    if (signal?.aborted) throw cause
    const timedOut = limit.aborted || (cause instanceof Error && cause.name === 'TimeoutError')
    throw new ApiError(0, timedOut ? 'Time limit reached' : 'Server not reached', { timedOut })
  }
}

/** The access token of the area's session. */
async function accessTokenFor(area: Area): Promise<string> {
  const token = await sessions[area].accessToken().catch(() => {
    throw new ApiError(0, 'The session could not be refreshed', { timedOut: true })
  })
  if (token === null)
    throw new ApiError(401, fixedErrors['session.missing'].sent, { code: 'session.missing' })
  return token
}

/** The token to repeat the request with after a 401 or 403; null when repeating it would not help. */
async function tokenForRetry(
  area: Area,
  token: string,
  response: Response,
): Promise<string | null> {
  if (response.status !== 401 && response.status !== 403) return null
  const { code } = await errorFromResponse(response.clone())
  if (code === 'session.unknown_user') {
    sessions[area].invalidate(token, 'closed')
    return null
  }
  if (response.status === 401) return sessions[area].refreshAfterUnauthorized(token)
  return code === 'session.second_factor_needed'
    ? sessions[area].refreshAfterInsufficientAal(token)
    : null
}

type Sender = (url: string, init: RequestInit) => Promise<Response>

/**
 * Sends a request with the session that the endpoint requires. Repeats it once with a refreshed token when the first
 * token is rejected.
 *
 * @throws {ApiError} for an error response, or when there was no response
 */
export async function sendRequest<E extends Endpoint>(
  endpoint: E,
  request: Request<E> & RequestParts,
  sender: Sender,
): Promise<Response> {
  const headers = new Headers({ accept: 'application/json', ...request.headers })
  const area = request.area ?? areaOf(endpoint.access)
  const token = area && (await accessTokenFor(area))
  if (token !== null) headers.set('authorization', `Bearer ${token}`)

  const init: RequestInit = { method: endpoint.method, headers }
  if (request.body !== undefined) {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(request.body)
  }
  const url = urlOf(endpoint, request)
  let response = await sender(url, init)
  const retryToken = area && token !== null && (await tokenForRetry(area, token, response))
  if (retryToken) {
    headers.set('authorization', `Bearer ${retryToken}`)
    response = await sender(url, init)
  }
  if (!response.ok) throw await errorFromResponse(response)
  return response
}

/**
 * Parses the response body with the endpoint's schema.
 *
 * @throws {ApiError} when the body does not match the schema
 */
export async function parseResponse<E extends Endpoint>(
  endpoint: E,
  response: Response,
): Promise<Answer<E>> {
  const body: unknown = await response.json().catch(() => undefined)
  const answer = z.safeParse<E['response']>(endpoint.response, body)
  if (!answer.success) throw new ApiError(response.status, 'The answer is not what was agreed')
  return answer.data
}

/** Calls an endpoint of the API and parses the response. */
export async function call<E extends Endpoint>(
  endpoint: E,
  request: Request<E> & RequestParts,
  options: CallOptions = {},
): Promise<Answer<E>> {
  const { readOnly = endpoint.method === 'GET' } = options
  // A change is shown before the response arrives: the request must survive a reload of the page.
  const response = await sendRequest(endpoint, request, (url, init) =>
    send(url, readOnly ? init : { ...init, keepalive: true }, options),
  )
  return parseResponse(endpoint, response)
}
