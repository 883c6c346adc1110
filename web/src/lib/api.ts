import type { Response as Answer, Endpoint, Request } from '@bancone/contract/endpoint'
import { ErrorBody, type ErrorCode } from '@bancone/contract/errors'
import { z } from 'zod'
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
  body?: unknown
}

function plain(value: unknown): string {
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
  return search.size > 0 ? `${path}?${search}` : path
}

async function refusal(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const known = ErrorBody.safeParse(body)
  if (known.success) return new ApiError(response.status, known.data.error, known.data)
  const worded = ErrorBody.pick({ error: true }).safeParse(body)
  const message = worded.success ? worded.data.error : `API error: ${response.status}`
  return new ApiError(response.status, message)
}

async function send(url: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
  const limit = AbortSignal.timeout(TIME_LIMIT_MS)
  try {
    return await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit })
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

/** Calls an endpoint of our API with the session it asks for, and parses what it answers. */
export async function call<E extends Endpoint>(
  endpoint: E,
  request: Request<E> & RequestParts,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Answer<E>> {
  const headers = new Headers({ accept: 'application/json' })
  const area = areaOf(endpoint.access)
  const token = area && (await bearer(area))
  if (token !== null) headers.set('authorization', `Bearer ${token}`)

  const init: RequestInit = { method: endpoint.method, headers }
  // A change is shown before it is answered: it must arrive even if the page is reloaded meanwhile.
  if (endpoint.method !== 'GET') init.keepalive = true
  if (request.body !== undefined) {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(request.body)
  }
  const url = address(endpoint, request)
  let response = await send(url, init, signal)
  if (response.status === 401 && area && token !== null) {
    const newer = await sessions[area].renewed(token)
    if (newer !== null) {
      headers.set('authorization', `Bearer ${newer}`)
      response = await send(url, init, signal)
    }
  }
  if (!response.ok) throw await refusal(response)
  const body: unknown = await response.json().catch(() => undefined)
  const answer = z.safeParse<E['response']>(endpoint.response, body)
  if (!answer.success) throw new ApiError(response.status, 'The answer is not what was agreed')
  return answer.data
}
