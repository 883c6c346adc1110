import type { GoTrueClient } from '@supabase/auth-js'
import { signOutOnServer } from './auth-fetch.ts'
import { browserStorage } from './browser-storage.ts'
import { EXPIRY_MARGIN_MS, isSame, type SessionState } from './session-state.ts'
import {
  type AccessTokenResponse,
  readStoredSession,
  type StoredSession,
} from './stored-session.ts'
import { withTimeout } from './with-timeout.ts'

const LOADING_TIMEOUT_MS = 15_000
const TOKEN_TIMEOUT_MS = 5_000
/**
 * When a page with a valid session loads the auth client: not while the first page is loaded, and long before the token
 * expires, since an update of the server removes the files of this build.
 */
const CLIENT_DELAY_MS = 10_000

const loading: SessionState = { status: 'loading' }

export type SessionStore = ReturnType<typeof createSessionStore>

/**
 * The state of the session of one area. The session in the browser's storage is the single source of truth. Events of
 * the auth client, of other tabs and of the browser only make the store read it again, so a late event cannot restore
 * a session that was signed out.
 *
 * @param storageKey storage key of the session
 * @param signedOutKey storage key of the id of the session that was signed out last: that one did not expire
 */
export function createSessionStore(storageKey: string, signedOutKey: string) {
  let client: Promise<GoTrueClient> | null = null
  let state: SessionState = loading
  let removeListeners: (() => void) | null = null
  /** The most recent session and its user. */
  let lastSession: { id: string | null; userId: string } | null = null
  let lastUserId: string | null = null
  const subscribers = new Set<() => void>()
  const userListeners = new Set<() => void>()

  /**
   * The auth client, which also refreshes the tokens from then on. Its code is loaded on first use: a page with a valid
   * token does not wait for it, and most browsers never open the administration.
   *
   * @throws when the code could not be loaded; the next call tries again
   */
  function auth(): Promise<GoTrueClient> {
    client ??= loadClient()
    return client
  }

  async function loadClient(): Promise<GoTrueClient> {
    try {
      const { createAuthClient } = await import('./auth-client.ts')
      const created = createAuthClient(storageKey)
      created.onAuthStateChange(syncIfStarted)
      return created
    } catch (error) {
      client = null
      throw error
    }
  }

  /** Null when the answer took too long, or the code of the client could not be loaded. */
  function ask<T>(question: (opened: GoTrueClient) => Promise<T>): Promise<T | null> {
    return withTimeout(
      TOKEN_TIMEOUT_MS,
      auth().then(question, () => null),
    )
  }

  function isFresh({ expiresAt }: StoredSession): boolean {
    return expiresAt - Date.now() >= EXPIRY_MARGIN_MS
  }

  function current(): StoredSession | null {
    const stored = readStoredSession(storageKey)
    if (stored === null || stored.id === null) return stored
    if (stored.id !== browserStorage.getItem(signedOutKey)) return stored
    // A refresh that was under way during the sign-out has stored the session again.
    browserStorage.removeItem(storageKey)
    return null
  }

  function setState(next: SessionState) {
    if (isSame(state, next)) return
    state = next
    const user = next.status === 'signed-in' ? next.userId : null
    if (next.status !== 'loading' && user !== lastUserId) {
      if (lastUserId !== null) for (const listener of userListeners) listener()
      lastUserId = user
    }
    for (const onChange of subscribers) onChange()
  }

  function hasExpired(): boolean {
    return lastSession !== null && (lastSession.id ?? '') !== browserStorage.getItem(signedOutKey)
  }

  function sync() {
    const stored = current()
    if (stored === null) {
      return setState({ status: 'signed-out', reason: hasExpired() ? 'ended' : 'absent' })
    }
    const { id, userId, email, fromMail, factorNeeded } = stored
    lastSession = { id, userId }
    setState({ status: 'signed-in', userId, email, fromMail, factorNeeded })
  }

  function syncIfStarted() {
    if (removeListeners) sync()
  }

  /** Starts listening: to sign-in, refresh and sign-out here and in other tabs. */
  function start() {
    if (removeListeners) return
    const stored = current()
    lastSession = stored && { id: stored.id, userId: stored.userId }
    const limit = setTimeout(() => {
      if (state.status === 'loading') sync()
    }, LOADING_TIMEOUT_MS)
    // The auth client refreshes an expired token. Of any other session the state is known at once.
    const isKnown = stored === null || isFresh(stored)
    const known = isKnown ? Promise.resolve() : auth().then((opened) => opened.getSession())
    void known.catch(() => undefined).then(syncIfStarted)
    const later = setTimeout(() => void auth().catch(() => undefined), CLIENT_DELAY_MS)
    // A page restored from the back/forward cache may be older than the end of the session.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) sync()
    }
    // The key is null after `localStorage.clear()`.
    const onStorage = ({ key }: StorageEvent) => {
      if (key === storageKey || key === null) sync()
    }
    window.addEventListener('pageshow', onPageShow)
    window.addEventListener('storage', onStorage)
    removeListeners = () => {
      clearTimeout(limit)
      clearTimeout(later)
      window.removeEventListener('pageshow', onPageShow)
      window.removeEventListener('storage', onStorage)
    }
  }

  function stop() {
    removeListeners?.()
    removeListeners = null
    setState(loading)
    lastUserId = null
  }

  function subscribe(onChange: () => void): () => void {
    start()
    subscribers.add(onChange)
    return () => subscribers.delete(onChange)
  }

  /** Called when the user's session ends or another user signs in: cached data of the user must be removed. */
  function onUserChange(listener: () => void): () => void {
    userListeners.add(listener)
    return () => userListeners.delete(listener)
  }

  /**
   * The access token for the API, refreshed when it is about to expire; null when there is no session.
   *
   * @throws when the session could not be refreshed in time
   */
  async function accessToken(): Promise<string | null> {
    const before = current()
    if (before && isFresh(before)) return before.accessToken
    const result = before && (await ask((opened) => opened.getSession()))
    if (result?.data.session) return result.data.session.access_token
    const stored = current()
    if (stored === null) {
      sync()
      return null
    }
    if (stored.expiresAt > Date.now()) return stored.accessToken
    throw new Error('The session could not be refreshed')
  }

  /** Signs out: immediately in this browser, and in the background on the server. */
  function signOut(reason: 'left' | 'denied' = 'left') {
    const stored = current()
    browserStorage.setItem(signedOutKey, stored?.id ?? '')
    browserStorage.removeItem(storageKey)
    setState({ status: 'signed-out', reason })
    if (stored) void signOutOnServer(stored.accessToken)
  }

  /**
   * Called when the server does not know the session of `token`, or its account is closed. Removes the session unless
   * a newer one has replaced it.
   */
  function invalidate(token: string, reason?: 'closed') {
    const stored = current()
    if (stored && stored.accessToken !== token) return
    browserStorage.removeItem(storageKey)
    if (reason) setState({ status: 'signed-out', reason })
    else sync()
  }

  /**
   * Called after a 401 for `token`, to find out whether the session still exists: its signing key may have been
   * revoked, and then a refresh succeeds.
   *
   * @returns the token for a retry; null when there is none, and then the session has been removed
   */
  async function refreshAfterUnauthorized(token: string): Promise<string | null> {
    const stored = current()
    if (stored && stored.accessToken !== token) return stored.accessToken
    const result = stored && (await ask((opened) => opened.refreshSession()))
    const renewal = current()
    if (result?.data.session && renewal) return renewal.accessToken
    // The refresh did not tell whether the session exists. The next call tries again.
    if (!result?.error || result.error.name === 'AuthRetryableFetchError') return null
    invalidate(token)
    return null
  }

  /**
   * Called when the server requires AAL2. If the factor was added on another device, this browser learns of it by a
   * refresh.
   *
   * @returns the token for a retry; null when the second factor must be verified first
   */
  async function refreshAfterInsufficientAal(token: string): Promise<string | null> {
    const stored = current()
    if (stored?.accessToken === token && !stored.factorNeeded) {
      await ask((opened) => opened.refreshSession())
    }
    const now = current()
    return now && now.accessToken !== token && !now.factorNeeded ? now.accessToken : null
  }

  /** Stores a session that was not obtained through the auth client, which then reads it from the storage. */
  function setSession(session: AccessTokenResponse) {
    const expires_at = Math.round(Date.now() / 1000) + session.expires_in
    browserStorage.setItem(storageKey, JSON.stringify({ expires_at, ...session }))
    sync()
  }

  return {
    auth,
    current,
    state: () => state,
    /** The user of the most recent session; null when there was none since the page loaded. */
    lastUserId: () => lastSession?.userId ?? null,
    start,
    stop,
    subscribe,
    onUserChange,
    accessToken,
    signOut,
    invalidate,
    refreshAfterUnauthorized,
    refreshAfterInsufficientAal,
    setSession,
  }
}
