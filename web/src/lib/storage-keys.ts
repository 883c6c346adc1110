import type { Area } from './session-state.ts'

/** Where the browser keeps the session of each area, and which one was left last. */
export const storageKeys = {
  pharmacy: { session: 'bancone-pharmacy-auth', left: 'bancone-pharmacy-left' },
  admin: { session: 'bancone-admin-auth', left: 'bancone-admin-left' },
} as const satisfies Record<Area, { session: string; left: string }>
