import { useSyncExternalStore } from 'react'
import { createSessionKeeper, type SessionKeeper } from './session-keeper.ts'
import type { Area, SessionState } from './session-state.ts'
import { storageKeys } from './storage-keys.ts'

function keeper(area: Area): SessionKeeper {
  return createSessionKeeper(storageKeys[area].session, storageKeys[area].left)
}

export const pharmacySession = keeper('pharmacy')
export const adminSession = keeper('admin')

export const sessions: Record<Area, SessionKeeper> = {
  pharmacy: pharmacySession,
  admin: adminSession,
}

/** Follows the session of an area from the first time it is asked for. */
export function useSession({ subscribe, state }: SessionKeeper): SessionState {
  return useSyncExternalStore(subscribe, state)
}
