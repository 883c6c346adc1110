import { isAuthApiError, isAuthError, type Provider } from '@supabase/auth-js'
import { endOnServer } from './auth-client.ts'
import { authErrorMessage, returnMessage } from './auth-messages.ts'
import { queryText } from './query-text.ts'
import { sessions } from './session.ts'
import type { Area } from './session-state.ts'

/** The client's type lists the services its makers know; which there is, our server says. */
export function isProvider(id: string): id is Provider {
  return id !== ''
}

/** Leaves for another service, which sends the browser back. */
export function leaveFor(address: string) {
  const link = document.createElement('a')
  link.href = address
  link.click()
}

/** How the browser comes back from another service: with a code to exchange, or refused. */
type ExternalReturn = { code: string } | { refusal: string | null }

/** Refusals that come without the place they belong to, so after the `#` alone. */
const LOST = new Set(['bad_oauth_state', 'bad_oauth_callback'])

/** What the address says of a return; null when it is none. A refused link from a mail is none. */
export function readReturn(place: { search: string; hash: string }): ExternalReturn | null {
  const query = new URLSearchParams(place.search)
  const code = query.get('code')
  if (code) return { code }
  const refusal = query.get('error_code')
  if (refusal !== null || query.has('error')) return { refusal }
  const lost = new URLSearchParams(place.hash.slice(1)).get('error_code')
  return lost !== null && LOST.has(lost) ? { refusal: lost } : null
}

/** The address without what came back with it. */
export function withoutReturn(search: string): string {
  const query = new URLSearchParams(search)
  for (const name of ['code', 'error', 'error_code', 'error_description']) query.delete(name)
  return queryText(query)
}

// A code is worth one exchange, however often a page is drawn.
const exchanges = new Map<string, Promise<string | null>>()

/** Ends what leaving has begun. Null when somebody is signed in by it, else what to say. */
export function finishReturn(area: Area, back: ExternalReturn): Promise<string | null> {
  if ('refusal' in back) return Promise.resolve(returnMessage(back.refusal))
  const { code } = back
  const running = exchanges.get(code) ?? exchange(area, code)
  exchanges.set(code, running)
  return running
}

async function exchange(area: Area, code: string): Promise<string | null> {
  const keeper = sessions[area]
  const before = keeper.current()
  const { error } = await keeper
    .auth()
    .exchangeCodeForSession(code)
    .catch((cause: unknown) => ({ error: cause }))
  if (error) return refusalOf(error)
  // Nobody can go back to it: it need not live on.
  if (before?.id && before.id !== keeper.current()?.id) void endOnServer(before.accessToken)
  return null
}

function refusalOf(error: unknown): string {
  const told = isAuthError(error) && error.status !== 429 ? (error.code ?? null) : null
  if (told === null || (isAuthApiError(error) && error.status >= 500)) {
    return authErrorMessage(error, returnMessage(null))
  }
  return returnMessage(told)
}
