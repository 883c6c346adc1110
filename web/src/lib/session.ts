import type { Session } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import { auth, LEFT_STORAGE_KEY, SESSION_STORAGE_KEY } from './auth-client.ts'

/**
 * Why nobody is signed in: there was no session, or one that another tab has left ('absent'); the user
 * asked to leave in this tab, so there is no place to come back to ('left'); or a session ended by
 * itself during the work, which is to be said ('ended').
 */
type Absence = 'absent' | 'left' | 'ended'

export type SessionState =
  | { status: 'loading' }
  | { status: 'signed-out'; why: Absence }
  | { status: 'signed-in'; userId: string }

const LOADING_LIMIT_MS = 15_000
const TOKEN_WAIT_MS = 5_000

const loading: SessionState = { status: 'loading' }
const signedOut: SessionState = { status: 'signed-out', why: 'absent' }

let state: SessionState = loading
let leaving = false
let lastUser: string | null = null
const viewers = new Set<() => void>()
const userEnded = new Set<() => void>()

function set(next: SessionState) {
  if (next.status === state.status && next.status !== 'signed-in') return
  state = next
  const user = next.status === 'signed-in' ? next.userId : null
  if (next.status !== 'loading' && user !== lastUser) {
    if (lastUser !== null) for (const listener of userEnded) listener()
    lastUser = user
  }
  for (const viewer of viewers) viewer()
}

function absence(): Absence {
  if (leaving) return 'left'
  const working = lastUser !== null && localStorage.getItem(LEFT_STORAGE_KEY) === null
  return working ? 'ended' : 'absent'
}

/** A refreshed token of the same user changes nothing for the pages. */
function apply(session: Session | null) {
  if (session === null) return set({ status: 'signed-out', why: absence() })
  localStorage.removeItem(LEFT_STORAGE_KEY)
  if (state.status === 'signed-in' && state.userId === session.user.id) return
  set({ status: 'signed-in', userId: session.user.id })
}

async function check() {
  const { data } = await auth.getSession()
  apply(data.session)
}

/**
 * Starts following the session: what is stored, sign-in, refresh, sign-out here and in other tabs.
 *
 * @returns stops following
 */
export function startSession(): () => void {
  const limit = setTimeout(() => {
    if (state.status === 'loading') set(signedOut)
  }, LOADING_LIMIT_MS)
  const { data } = auth.onAuthStateChange((_event, session) => apply(session))

  // A page kept alive by the browser may be shown again after the session has ended.
  const onPageShow = (event: PageTransitionEvent) => {
    if (!event.persisted) return
    set(loading)
    void check()
  }
  // The tabs tell each other by BroadcastChannel; the storage event is there where that is missing.
  const onStorage = (event: StorageEvent) => {
    if (event.key === SESSION_STORAGE_KEY && event.newValue === null) apply(null)
  }
  window.addEventListener('pageshow', onPageShow)
  window.addEventListener('storage', onStorage)
  return () => {
    clearTimeout(limit)
    data.subscription.unsubscribe()
    window.removeEventListener('pageshow', onPageShow)
    window.removeEventListener('storage', onStorage)
    set(loading)
    lastUser = null
  }
}

/** Runs when a user's session ends or another user's begins: what was theirs must go. */
export function onUserEnded(listener: () => void): () => void {
  userEnded.add(listener)
  return () => userEnded.delete(listener)
}

function subscribe(viewer: () => void): () => void {
  viewers.add(viewer)
  return () => viewers.delete(viewer)
}

export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, () => state)
}

/** The bearer for our API, refreshed when it is about to expire; null when there is no session. */
export async function accessToken(): Promise<string | null> {
  const patience = new Promise<null>((resolve) => setTimeout(resolve, TOKEN_WAIT_MS, null))
  const token = auth.getSession().then(({ data }) => data.session?.access_token ?? null)
  return Promise.race([token, patience])
}

/** Leaves on this device only: other counters of the pharmacy share the account. */
export async function signOut(): Promise<void> {
  leaving = true
  localStorage.setItem(LEFT_STORAGE_KEY, '1')
  try {
    await endLocally()
  } finally {
    leaving = false
  }
}

/** The API does not know the session behind `token`. Ends it, unless a newer one has taken over. */
export async function sessionLost(token: string): Promise<void> {
  if (state.status !== 'signed-in') return
  const { data } = await auth.getSession()
  if (data.session && data.session.access_token !== token) return
  await endLocally()
}

async function endLocally() {
  const { error } = await auth.signOut({ scope: 'local' })
  // With the server down the client keeps the session; who leaves must be out of this browser.
  if (error) localStorage.removeItem(SESSION_STORAGE_KEY)
  apply(null)
}
