import { AuthClient } from '@supabase/auth-js'

/** The key under which the browser keeps the pharmacy's session. */
export const SESSION_STORAGE_KEY = 'bancone-pharmacy-auth'

/** Set from a logout to the next sign-in: so the other tabs know that the session did not end by itself. */
export const LEFT_STORAGE_KEY = 'bancone-pharmacy-left'

const TIME_LIMIT_MS = 10_000

/** Every call of the auth client has a time limit. */
function authFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  return fetch(input, { ...init, signal: AbortSignal.timeout(TIME_LIMIT_MS) })
}

export const auth = new AuthClient({
  url: `${location.origin}/auth/v1`,
  storageKey: SESSION_STORAGE_KEY,
  detectSessionInUrl: false,
  fetch: authFetch,
})

/** Whether a session may be there, without reading it: enough to load its pages early. */
export function hasStoredSession(): boolean {
  return localStorage.getItem(SESSION_STORAGE_KEY) !== null
}
