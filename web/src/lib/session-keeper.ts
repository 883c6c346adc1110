import { type GoTrueClient, isAuthRetryableFetchError } from '@supabase/auth-js'
import { createAuthClient, endOnServer } from './auth-client.ts'
import { browserStorage } from './browser-storage.ts'
import { isSame, type SessionState } from './session-state.ts'
import { type GivenSession, readStoredSession, type StoredSession } from './stored-session.ts'
import { within } from './within.ts'

const LOADING_LIMIT_MS = 15_000
const TOKEN_WAIT_MS = 5_000

const loading: SessionState = { status: 'loading' }

export type SessionKeeper = ReturnType<typeof createSessionKeeper>

/**
 * Knows who is signed in. What the browser has stored is the truth; the auth client, the other tabs and
 * the browser only say when to look at it again, so that no late event can bring back who has left.
 *
 * @param storageKey where the browser keeps the session
 * @param leftKey where it keeps which session was left last: it did not end by itself
 */
export function createSessionKeeper(storageKey: string, leftKey: string) {
  let client: GoTrueClient | null = null
  let state: SessionState = loading
  let stopFollowing: (() => void) | null = null
  /** The last session there was, and its user. */
  let followed: { id: string | null; userId: string } | null = null
  let lastUser: string | null = null
  const viewers = new Set<() => void>()
  const userEnded = new Set<() => void>()

  /** Made when it is first needed: most browsers never see the administration. */
  function auth(): GoTrueClient {
    client ??= createAuthClient(storageKey)
    return client
  }

  function current(): StoredSession | null {
    const stored = readStoredSession(storageKey)
    if (stored === null || stored.id === null) return stored
    if (stored.id !== browserStorage.getItem(leftKey)) return stored
    // A call that was on its way when the user left has put the session back.
    browserStorage.removeItem(storageKey)
    return null
  }

  function set(next: SessionState) {
    if (isSame(state, next)) return
    state = next
    const user = next.status === 'signed-in' ? next.userId : null
    if (next.status !== 'loading' && user !== lastUser) {
      if (lastUser !== null) for (const listener of userEnded) listener()
      lastUser = user
    }
    for (const viewer of viewers) viewer()
  }

  function endedByItself(): boolean {
    return followed !== null && (followed.id ?? '') !== browserStorage.getItem(leftKey)
  }

  function look() {
    const stored = current()
    if (stored === null) {
      return set({ status: 'signed-out', why: endedByItself() ? 'ended' : 'absent' })
    }
    const { id, userId, email, fromMail, factorNeeded } = stored
    followed = { id, userId }
    set({ status: 'signed-in', userId, email, fromMail, factorNeeded })
  }

  /** Starts following the session: what is stored, sign-in, refresh, sign-out here and in other tabs. */
  function start() {
    if (stopFollowing) return
    const stored = current()
    followed = stored && { id: stored.id, userId: stored.userId }
    const limit = setTimeout(() => {
      if (state.status === 'loading') look()
    }, LOADING_LIMIT_MS)
    const { data } = auth().onAuthStateChange(() => look())
    // A page kept alive by the browser may be shown again after the session has ended.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) look()
    }
    // Without a key everything was cleared.
    const onStorage = ({ key }: StorageEvent) => {
      if (key === storageKey || key === null) look()
    }
    window.addEventListener('pageshow', onPageShow)
    window.addEventListener('storage', onStorage)
    stopFollowing = () => {
      clearTimeout(limit)
      data.subscription.unsubscribe()
      window.removeEventListener('pageshow', onPageShow)
      window.removeEventListener('storage', onStorage)
    }
  }

  function stop() {
    stopFollowing?.()
    stopFollowing = null
    set(loading)
    lastUser = null
  }

  function subscribe(viewer: () => void): () => void {
    start()
    viewers.add(viewer)
    return () => viewers.delete(viewer)
  }

  /** Runs when a user's session ends or another user's begins: what was theirs must go. */
  function onUserEnded(listener: () => void): () => void {
    userEnded.add(listener)
    return () => userEnded.delete(listener)
  }

  /**
   * The bearer for our API, refreshed when it is about to expire; null when there is no session.
   *
   * @throws when the session could not be refreshed in time
   */
  async function accessToken(): Promise<string | null> {
    const asked = await within(TOKEN_WAIT_MS, auth().getSession())
    if (asked?.data.session) return asked.data.session.access_token
    const stored = current()
    if (stored === null) {
      look()
      return null
    }
    if (stored.expiresAt > Date.now()) return stored.accessToken
    throw new Error('The session could not be refreshed')
  }

  /** Leaves: at once in this browser, and on the server when it answers. */
  function signOut(why: 'left' | 'denied' = 'left') {
    const stored = current()
    browserStorage.setItem(leftKey, stored?.id ?? '')
    browserStorage.removeItem(storageKey)
    set({ status: 'signed-out', why })
    if (stored) void endOnServer(stored.accessToken)
  }

  /**
   * The server does not know the session behind `token`, or that its account is closed. Ends it, unless a
   * newer one has taken over.
   */
  function lost(token: string, why?: 'closed') {
    const stored = current()
    if (stored && stored.accessToken !== token) return
    browserStorage.removeItem(storageKey)
    if (why) set({ status: 'signed-out', why })
    else look()
  }

  /**
   * The server refused `token`. Its session may live all the same, if the key that signed it was revoked:
   * only a refresh tells.
   *
   * @returns the token to try again with; null when there is none, and the session has ended here too
   */
  async function renewed(token: string): Promise<string | null> {
    const stored = current()
    if (stored && stored.accessToken !== token) return stored.accessToken
    const asked = stored && (await within(TOKEN_WAIT_MS, auth().refreshSession()))
    const renewal = current()
    if (asked?.data.session && renewal) return renewal.accessToken
    // An answer that says nothing of the session: the next call asks again.
    if (!asked?.error || isAuthRetryableFetchError(asked.error)) return null
    lost(token)
    return null
  }

  /**
   * The server asks for a second factor. This browser may not know of it, if it was added elsewhere: a
   * refresh tells.
   *
   * @returns the token to try again with; null when the factor is to be shown first
   */
  async function raised(token: string): Promise<string | null> {
    const stored = current()
    if (stored?.accessToken === token && !stored.factorNeeded) {
      await within(TOKEN_WAIT_MS, auth().refreshSession())
    }
    const now = current()
    return now && now.accessToken !== token && !now.factorNeeded ? now.accessToken : null
  }

  /** Takes a session over that was not given to the auth client: that finds it where it is stored. */
  function adopt(session: GivenSession) {
    const expires_at = Math.round(Date.now() / 1000) + session.expires_in
    browserStorage.setItem(storageKey, JSON.stringify({ expires_at, ...session }))
    look()
  }

  return {
    auth,
    current,
    state: () => state,
    /** Whose the last session was; null when there was none since the page loaded. */
    lastUser: () => followed?.userId ?? null,
    start,
    stop,
    subscribe,
    onUserEnded,
    accessToken,
    signOut,
    lost,
    renewed,
    raised,
    adopt,
  }
}
