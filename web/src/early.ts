import type { EarlyAnswers } from './lib/early-answers.ts'
import { EXPIRY_MARGIN_MS } from './lib/session-state.ts'
import { storageKeys } from './lib/storage-keys.ts'

/** What the dashboard asks for first. A journey checks that it asks for nothing twice. */
const addresses = ['/api/airtable-orders?page=1&pageSize=20', '/api/pharmacy']
/** As all calls. */
const TIMEOUT_MS = 12_000
/** Answers that the application has not taken by then are out of date. */
const KEPT_MS = 10_000

/**
 * Asks for the first page of orders while the application is still being loaded. It is a script of its own, as small as
 * can be, with which the document begins. Where anything is unusual it does nothing, and the application asks itself.
 */
export function askEarly() {
  try {
    const { pathname, search } = window.location
    const token = pathname === '/' && search === '' ? validToken() : null
    if (token !== null) ask(token)
  } catch {
    // The storage is blocked, or holds something else.
  }
}

function ask(token: string) {
  const authorization = `Bearer ${token}`
  const answers = new Map(addresses.map((address) => [address, request(address, authorization)]))
  // A failure is told to the application, which takes the answer.
  const [orders] = [...answers.values()].map((answer) => answer.catch(() => undefined))
  const early: EarlyAnswers = { authorization, answers, ordersSettled: orders }
  window.earlyAnswers = early
  setTimeout(() => {
    delete window.earlyAnswers
  }, KEPT_MS)
}

/** With the body: what has arrived can then be shown at once. */
async function request(address: string, authorization: string): Promise<Response> {
  const response = await fetch(address, {
    headers: { accept: 'application/json', authorization },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { status, headers } = response
  return new Response(await response.text(), { status, headers })
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** The token of the stored session, as the session store would use it; null when that would refresh or refuse it. */
function validToken(): string | null {
  const { session, signedOut } = storageKeys.pharmacy
  const stored: unknown = JSON.parse(localStorage.getItem(session) ?? 'null')
  const token = field(stored, 'access_token')
  if (typeof token !== 'string') return null
  const expiresAt = Number(field(stored, 'expires_at')) * 1000
  const [, payload = ''] = token.split('.')
  const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
  const id = field(claims, 'session_id')
  const hasLeft = typeof id === 'string' && id === localStorage.getItem(signedOut)
  const factors = field(field(stored, 'user'), 'factors')
  const hasFactor =
    Array.isArray(factors) && factors.some((factor) => field(factor, 'status') === 'verified')
  const isHalf = hasFactor && field(claims, 'aal') !== 'aal2'
  return expiresAt - Date.now() >= EXPIRY_MARGIN_MS && !hasLeft && !isHalf ? token : null
}
