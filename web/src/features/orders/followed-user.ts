import { pharmacySession } from '../../lib/session.ts'

/** Whether who began something is still there when it ends: what is said then is not for who comes after. */
export function followUser() {
  let gone = false
  const stop = pharmacySession.onUserEnded(() => {
    gone = true
  })
  return { gone: () => gone, stop }
}
