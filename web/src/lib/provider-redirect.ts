import { isAuthApiError, isAuthError, type Provider } from '@supabase/auth-js'
import { askAuth } from './ask-auth.ts'
import { signOutOnServer } from './auth-fetch.ts'
import { authErrorMessage, oauthErrorMessage } from './auth-messages.ts'
import { queryString } from './query-string.ts'
import { sessions } from './session.ts'
import type { Area } from './session-state.ts'

/** The client's type lists the providers that it knows. Which ones are configured is known by our server only. */
export function isProvider(id: string): id is Provider {
  return id !== ''
}

/** Leaves the application for an external provider, which redirects back. */
export function redirectTo(address: string) {
  const link = document.createElement('a')
  link.href = address
  link.click()
}

/** The result in the redirect from an external provider: a code to exchange, or an error code. */
type OAuthCallback = { code: string } | { refusal: string | null }

/** Errors that arrive in the fragment only, because the server could not tell which page they belong to. */
const FRAGMENT_ERRORS = new Set(['bad_oauth_state', 'bad_oauth_callback'])

/**
 * Reads the callback parameters from the URL; null when there are none. The error of an email link is no callback.
 */
export function readOAuthCallback(place: { search: string; hash: string }): OAuthCallback | null {
  const query = new URLSearchParams(place.search)
  const code = query.get('code')
  if (code) return { code }
  const refusal = query.get('error_code')
  if (refusal !== null || query.has('error')) return { refusal }
  const lost = new URLSearchParams(place.hash.slice(1)).get('error_code')
  return lost !== null && FRAGMENT_ERRORS.has(lost) ? { refusal: lost } : null
}

/** The query string without the callback parameters. */
export function withoutOAuthParams(search: string): string {
  const query = new URLSearchParams(search)
  for (const name of ['code', 'error', 'error_code', 'error_description']) query.delete(name)
  return queryString(query)
}

// By code: a code can be exchanged once, but the page may render more than once.
const exchanges = new Map<string, Promise<string | null>>()

/** Completes the sign-in. @returns null when the user is signed in, otherwise the message to show */
export function completeOAuthCallback(area: Area, back: OAuthCallback): Promise<string | null> {
  if ('refusal' in back) return Promise.resolve(oauthErrorMessage(back.refusal))
  const { code } = back
  const running = exchanges.get(code) ?? exchange(area, code)
  exchanges.set(code, running)
  return running
}

async function exchange(area: Area, code: string): Promise<string | null> {
  const store = sessions[area]
  const before = store.current()
  const { error } = await askAuth(area, (auth) => auth.exchangeCodeForSession(code))
  if (error) return messageFor(error)
  // The previous session cannot be reached any more, so it is ended.
  if (before?.id && before.id !== store.current()?.id) void signOutOnServer(before.accessToken)
  return null
}

function messageFor(error: unknown): string {
  const told = isAuthError(error) && error.status !== 429 ? (error.code ?? null) : null
  if (told === null || (isAuthApiError(error) && error.status >= 500)) {
    return authErrorMessage(error, oauthErrorMessage(null))
  }
  return oauthErrorMessage(told)
}
