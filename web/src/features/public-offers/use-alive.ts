import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Whether scripts run here: false as the server draws it, and while the browser takes that over. */
export function useAlive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
