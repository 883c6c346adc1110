import { useSyncExternalStore } from 'react'
import { createSessionKeeper, type SessionKeeper } from './session-keeper.ts'
import type { Area, SessionState } from './session-state.ts'

/** Where the browser keeps the session of each area, and which one was left last. */
export const storageKeys = {
  pharmacy: { session: 'bancone-pharmacy-auth', left: 'bancone-pharmacy-left' },
  admin: { session: 'bancone-admin-auth', left: 'bancone-admin-left' },
} as const satisfies Record<Area, { session: string; left: string }>

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
