import { useSyncExternalStore } from 'react'
import { browserStorage } from '../../lib/browser-storage.ts'

/** A setting of this device, shared by all its tabs. */
export type DevicePreference = ReturnType<typeof createDevicePreference>

/** @param byDefault the value until the user chooses */
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

  /** Reports changes in this and other tabs. */
  function subscribe(listener: () => void): () => void {
    // Without a key, the whole storage was cleared.
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
