import type { Area } from './session-state.ts'

/** Storage keys of each area: its session, and the id of the session that was signed out last. */
export const storageKeys = {
  pharmacy: { session: 'bancone-pharmacy-auth', signedOut: 'bancone-pharmacy-left' },
  admin: { session: 'bancone-admin-auth', signedOut: 'bancone-admin-left' },
} as const satisfies Record<Area, { session: string; signedOut: string }>
