import { useSyncExternalStore } from 'react'
import { browserStorage } from '../../lib/browser-storage.ts'
import { randomId } from '../../lib/random-id.ts'
import { createStoredValue } from '../../lib/stored-value.ts'

const desk = createStoredValue('bancone-desk')
const PROMPTED_KEY = 'bancone-desk-prompted'
const DEVICE_KEY = 'bancone-device'
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The name of the desk at which this device stands, for example 'Banco 2'; null until one is given. */
export function deskName(): string | null {
  return desk.get() || null
}

/** @param name empty for none */
export function nameDesk(name: string) {
  desk.set(name || null)
}

/** Whether this device has prompted for the name. */
export function isDeskPrompted(): boolean {
  return browserStorage.getItem(PROMPTED_KEY) !== null
}

export function markDeskPrompted() {
  browserStorage.setItem(PROMPTED_KEY, 'true')
}

export function useDeskName(): string | null {
  return useSyncExternalStore(desk.subscribe, deskName)
}

/** A random id of this device. */
export function deviceId(): string {
  const kept = browserStorage.getItem(DEVICE_KEY)
  if (kept !== null && UUID.test(kept)) return kept
  const made = randomId()
  browserStorage.setItem(DEVICE_KEY, made)
  return made
}
