import { pharmacySession } from '../../../lib/session.ts'

/** Tells whether the user has changed since the call: results of an action must not be shown to another user. */
export function watchUserChange() {
  let hasChanged = false
  const stop = pharmacySession.onUserChange(() => {
    hasChanged = true
  })
  return { hasChanged: () => hasChanged, stop }
}
