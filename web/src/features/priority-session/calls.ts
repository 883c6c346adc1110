import type { ErrorCode } from '@bancone/contract/errors'
import type {
  changeCustomerPlace,
  changeCustomerPrioritySession,
  getCustomerPrioritySession,
  getPriorityDisplay,
  priorityStreams,
  unlockCustomerPrioritySession,
} from '@bancone/contract/priority-customer'

// Typed by the contract, whose schemas would weigh more than the page.
export const calls = {
  session: '/api/public/priority/session' satisfies (typeof getCustomerPrioritySession)['path'],
  status:
    '/api/public/priority/session/status' satisfies (typeof changeCustomerPrioritySession)['path'],
  place: '/api/public/priority/session/place' satisfies (typeof changeCustomerPlace)['path'],
  unlock: '/api/public/priority/unlock' satisfies (typeof unlockCustomerPrioritySession)['path'],
  display: '/api/public/priority/display' satisfies (typeof getPriorityDisplay)['path'],
  sessionEvents:
    '/api/public/priority/session/events' satisfies (typeof priorityStreams)['session'],
  displayEvents:
    '/api/public/priority/display/events' satisfies (typeof priorityStreams)['display'],
} as const

const TIME_LIMIT_MS = 10_000

/** Refusals that asking again does not change. */
const finalCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'priority.pharmacy_not_found',
  'priority.feature_off',
  'priority.order_not_found',
  'priority.display_not_found',
])

type Failure = {
  /**
   * `timeout`: no answer in time. `network`: none of this server; a proxy or the login page of a network may have
   * answered. `refused`: an error of this server.
   */
  kind: 'timeout' | 'network' | 'refused'
  status: number
  code: string
  text: string
  details: Record<string, unknown>
  /** Seconds. */
  retryAfter: number | null
}

/** Why a call failed. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  readonly failure: Failure

  constructor(failure: Partial<Failure> & Pick<Failure, 'kind'>) {
    super(failure.kind)
    this.failure = { status: 0, code: '', text: '', details: {}, retryAfter: null, ...failure }
  }

  /** Whether asking again will be answered in the same way. Only this server can say so, not what is in between. */
  get isFinal(): boolean {
    return finalCodes.has(this.failure.code)
  }
}

/**
 * Posts a JSON body.
 * @throws CallFailed
 */
export async function post<T>(
  path: string,
  body: object,
  isAnswer: (value: unknown) => value is T,
): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), TIME_LIMIT_MS)
  try {
    const response = await send(path, body, limit.signal)
    const answer: unknown = await response.json()
    if (!isAnswer(answer)) throw new CallFailed({ kind: 'network' })
    return answer
  } catch (error) {
    if (error instanceof CallFailed) throw error
    throw new CallFailed({ kind: limit.signal.aborted ? 'timeout' : 'network' })
  } finally {
    clearTimeout(timer)
  }
}

/** @throws CallFailed when the server refuses */
export async function send(path: string, body: object, signal: AbortSignal): Promise<Response> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
    cache: 'no-store',
  })
  if (!response.ok) throw await refusal(response)
  return response
}

async function refusal(response: Response): Promise<CallFailed> {
  const known: unknown = await response.json().catch(() => null)
  if (!isKnown(known)) return new CallFailed({ kind: 'network', status: response.status })
  const text = (name: string) => (typeof known[name] === 'string' ? known[name] : '')
  const details = known['details']
  return new CallFailed({
    kind: 'refused',
    status: response.status,
    code: text('code'),
    text: text('error'),
    details: isKnown(details) ? details : {},
    retryAfter: Number(response.headers.get('Retry-After')) || null,
  })
}

export function isKnown(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
