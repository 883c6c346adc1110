import { useSyncExternalStore } from 'react'
import { browserStorage } from '../../lib/browser-storage.ts'

/** Something that is on or off on this device, for all its tabs. */
export type DevicePreference = ReturnType<typeof createDevicePreference>

/** @param byDefault what holds until somebody chooses */
export function createDevicePreference(key: string, byDefault: boolean) {
  const listeners = new Set<() => void>()

  function isOn(): boolean {
    const stored = browserStorage.getItem(key)
    return byDefault ? stored !== 'false' : stored === 'true'
  }

  function set(on: boolean) {
    browserStorage.setItem(key, String(on))
    for (const listener of listeners) listener()
  }

  /** Tells of changes in this tab and in the others. */
  function subscribe(listener: () => void): () => void {
    // Without a key everything was cleared.
    const onStorage = (event: StorageEvent) => {
      if (event.key === key || event.key === null) listener()
    }
    listeners.add(listener)
    window.addEventListener('storage', onStorage)
    return () => {
      listeners.delete(listener)
      window.removeEventListener('storage', onStorage)
    }
  }

  return { isOn, set, subscribe }
}

export function useDevicePreference({ subscribe, isOn }: DevicePreference): boolean {
  return useSyncExternalStore(subscribe, isOn)
}
