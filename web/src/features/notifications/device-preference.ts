import { useSyncExternalStore } from 'react'
import { createStoredValue } from '../../lib/stored-value.ts'

/** A setting of this device, shared by all its tabs. */
export type DevicePreference = ReturnType<typeof createDevicePreference>

/** @param byDefault the value until the user chooses */
export function createDevicePreference(key: string, byDefault: boolean) {
  const stored = createStoredValue(key)
  return {
    isOn: () => (byDefault ? stored.get() !== 'false' : stored.get() === 'true'),
    set: (on: boolean) => stored.set(String(on)),
    subscribe: stored.subscribe,
  }
}

export function useDevicePreference({ subscribe, isOn }: DevicePreference): boolean {
  return useSyncExternalStore(subscribe, isOn)
}
