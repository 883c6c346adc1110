import { useSyncExternalStore } from 'react'
import type { Area, SessionState } from './session-state.ts'
import { createSessionStore, type SessionStore } from './session-store.ts'
import { storageKeys } from './storage-keys.ts'

function createStore(area: Area): SessionStore {
  return createSessionStore(storageKeys[area].session, storageKeys[area].signedOut)
}

export const pharmacySession = createStore('pharmacy')
export const adminSession = createStore('admin')

export const sessions: Record<Area, SessionStore> = {
  pharmacy: pharmacySession,
  admin: adminSession,
}

/** The session state of an area. The store starts listening with the first subscription. */
export function useSession({ subscribe, state }: SessionStore): SessionState {
  return useSyncExternalStore(subscribe, state)
}
